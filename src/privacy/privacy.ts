import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises';
import { ADDRESS_FAULT_TEXT, canonicalAddress, parseAddress } from '../core/address.js';
import { formatId, parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { mentions, replaceMentions } from '../core/mentions.js';
import type { Attempt, Message } from '../core/message.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import type { AuditEntry } from '../store/scripts/audit.js';
import { readContacts, type StoredContact } from '../store/scripts/contacts.js';
import { endOfWindow, eraseMessages, messagesOfPerson, type PersonMessage } from '../store/scripts/erase.js';
import {
  findErased,
  forgetErased,
  hasErased,
  keepAsHash,
  type ErasedPerson,
} from '../store/scripts/erased.js';
import { readAttempts, readMessages } from '../store/scripts/messages.js';
import {
  auditNaming,
  eraseTraces,
  maskAudit,
  readTraces,
  type AuditWindow,
  type Traces,
} from '../store/scripts/traces.js';
import type { Store } from '../store/store.js';
import { DOOR_LOOKS_EVERY_MS } from './door.js';
import { personToken, type PersonHash } from './person-hash.js';

/** Messages have no index by every spelling of an address: they are looked at in stretches, between which others go on. */
const WINDOW = 500;
const AT_ONCE = 25;
const MOST_ENTRIES = 1_000;
/** Takes less than a second. */
const REWRITE_BYTES = 64 * 1024 * 1024;
const SCRUB_TRIES = 20;
const SCRUB_AGAIN_MS = 100;

export interface PersonData {
  readonly email: string;
  readonly traces: Traces;
  readonly contacts: readonly StoredContact[];
  readonly messages: {
    readonly items: readonly {
      readonly message: Message;
      readonly own: boolean;
      readonly attempts: readonly Attempt[];
    }[];
    readonly nextCursor: string | null;
  };
  /** What the audit log says of him; up to a thousand entries. */
  readonly audit: readonly AuditEntry[];
}

export interface ExportOptions {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

const EXPORT_OPTIONS: OptionNames<ExportOptions> = { cursor: true, limit: true };

export interface ErasureReport {
  /** Messages to him, or of which he got a copy. */
  readonly messages: number;
  /** Of those: had not left, and never will. */
  readonly cancelled: number;
  /** Of those: are leaving at this moment. They are erased when they have ended. */
  readonly inFlight: number;
  /** He must not be written to: that is still known, by a keyed hash of the address. */
  readonly suppressed: boolean;
  /** That name him: they are told here, and not changed, because others were told of them too. */
  readonly events: readonly number[];
  /** SQLite: false if traces are left in unused bytes of a file that is too large to be rewritten at once. */
  readonly scrubbed: boolean;
}

/** All that one workspace keeps about a person, and the end of it. */
export class Privacy {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly hash: PersonHash,
  ) {}

  /** Everything, messages page by page, oldest first. Throws `invalid_input`, or `not_found` if there is nothing. */
  async export(email: string, options: ExportOptions): Promise<PersonData> {
    knownOptions(options, EXPORT_OPTIONS);
    const { cursor, limit } = options;
    const address = readAddress(email);
    const { store, workspaceId } = this;
    const after = cursor === undefined ? 0 : (parseId('message', cursor) ?? badCursor());
    const found: PersonMessage[] = [];
    for await (const messages of this.#walk(address, after)) {
      found.push(...messages);
      if (found.length > limit) break;
    }
    const page = found.slice(0, limit);
    const traces = await store.read(readTraces(store, workspaceId, address));
    const audit = await this.#audit(address);
    // A hash of him says nothing to anybody.
    const plain = audit.some((entry) => mentions(JSON.stringify(entry), address));
    if (page.length === 0 && cursor === undefined && isNothing(traces) && !plain) throw nobody();
    const last = page.at(-1);
    return {
      email: address,
      traces,
      contacts: await store.read(readContacts(store, workspaceId, traces.contacts)),
      messages: {
        items: await this.#tell(page),
        nextCursor: found.length > limit && last ? formatId('message', last.id) : null,
      },
      audit,
    };
  }

  /**
   * Takes everything away that says who it was. In small transactions, so that nobody waits behind it; if the process
   * dies on the way, what is left is found when it is asked again. Throws as `export` does. `rewriteBytes`: up to
   * which size a SQLite file is written anew, because traces may be left in its unused bytes; everybody waits meanwhile.
   */
  async erase(email: string, rewriteBytes = REWRITE_BYTES): Promise<ErasureReport> {
    const address = readAddress(email);
    const { store, workspaceId } = this;
    const hashOf = await this.hash.make();
    const token = personToken(hashOf(address));
    const mask = (text: string) => replaceMentions(text, address, token);
    const suppressed = await this.#keepSuppression(address, hashOf(address));
    const traces = await store.read(readTraces(store, workspaceId, address));
    const done = await this.#eraseMessages(address, mask);
    const audit = await this.#maskAudit(address, mask);
    if (done.messages === 0 && isNothing(traces) && !audit) throw nobody();
    const now = await store.now();
    await store.wipe(() => eraseTraces(store, workspaceId, address, mask, now));
    return { ...done, suppressed, events: traces.events, scrubbed: await this.#scrub(rewriteBytes) };
  }

  /** Why an address that was erased is not written to; undefined: nothing of that is known, or this process can't tell. */
  async findHash(email: string): Promise<Omit<ErasedPerson, 'hash'> | undefined> {
    const { store, workspaceId } = this;
    if (!(await store.read(hasErased(store, workspaceId)))) return undefined;
    const hashOf = await this.hash.tryMake();
    if (!hashOf) return undefined;
    const [found] = await store.read(findErased(store, workspaceId, [hashOf(email)]));
    return found;
  }

  /** Somebody lets an address be written to again. Answers whether it was kept as a hash. */
  async forgetHash(email: string): Promise<boolean> {
    const { store, workspaceId } = this;
    if (!(await store.read(hasErased(store, workspaceId)))) return false;
    const hashOf = await this.hash.make();
    return store.transaction(() => forgetErased(store, workspaceId, hashOf(email)));
  }

  /** First of all, and known everywhere before the plain one goes: at no moment may anybody write to him. */
  async #keepSuppression(address: string, hash: string): Promise<boolean> {
    const { store, workspaceId } = this;
    const hadAny = await store.read(hasErased(store, workspaceId));
    const now = await store.now();
    const kept = await store.transaction(() => keepAsHash(store, workspaceId, address, hash, now));
    if (kept && !hadAny) await sleep(DOOR_LOOKS_EVERY_MS * 1.5);
    return kept;
  }

  async #eraseMessages(
    address: string,
    mask: (text: string) => string,
  ): Promise<Omit<ErasureReport, 'suppressed' | 'scrubbed' | 'events'>> {
    const { store, workspaceId } = this;
    const done = { messages: 0, cancelled: 0, inFlight: 0 };
    for await (const messages of this.#walk(address, 0)) {
      const actor = { workspaceId, now: await store.now() };
      const step = await store.wipe(() => eraseMessages(store, messages, address, mask, actor));
      done.messages += step.erased;
      done.cancelled += step.cancelled;
      done.inFlight += step.inFlight;
    }
    return done;
  }

  async #maskAudit(address: string, mask: (text: string) => string): Promise<boolean> {
    let any = false;
    for await (const entries of this.#auditNaming(address, [address])) {
      any = true;
      await this.store.wipe(() => maskAudit(this.store, entries, mask));
    }
    return any;
  }

  async #audit(address: string): Promise<readonly AuditEntry[]> {
    const hashOf = await this.hash.tryMake();
    const token = hashOf && personToken(hashOf(address));
    const named: AuditEntry[] = [];
    for await (const entries of this.#auditNaming(
      address,
      token === undefined ? [address] : [address, token],
    )) {
      named.push(...entries);
      if (named.length >= MOST_ENTRIES) break;
    }
    return named.slice(0, MOST_ENTRIES);
  }

  async *#auditNaming(address: string, texts: readonly string[]): AsyncGenerator<readonly AuditEntry[]> {
    const { store, workspaceId } = this;
    const [, token] = texts;
    const names = (text: string | null) =>
      text !== null && (mentions(text, address) || (token !== undefined && text.includes(token)));
    for (let after: number | undefined = 0; after !== undefined;) {
      const window: AuditWindow = await store.read(auditNaming(store, workspaceId, texts, after, WINDOW));
      const entries = window.entries.filter(({ actor, target, details }) =>
        [actor, target, JSON.stringify(details)].some(names),
      );
      if (entries.length > 0) yield entries;
      after = window.next;
      await othersFirst();
    }
  }

  async *#walk(address: string, from: number): AsyncGenerator<readonly PersonMessage[]> {
    const { store, workspaceId } = this;
    for (let after = from; ;) {
      const until = await store.read(endOfWindow(store, workspaceId, after, WINDOW));
      if (until === undefined) return;
      const found = await store.read(messagesOfPerson(store, workspaceId, address, { after, until }));
      for (let first = 0; first < found.length; first += AT_ONCE) yield found.slice(first, first + AT_ONCE);
      after = until;
      await othersFirst();
    }
  }

  async #tell(page: readonly PersonMessage[]): Promise<PersonData['messages']['items']> {
    const { store, workspaceId } = this;
    const now = await store.now();
    const messages = await store.read(
      readMessages(
        store,
        workspaceId,
        page.map(({ id }) => id),
        now,
      ),
    );
    const own = new Set(page.filter((each) => each.own).map(({ id }) => id));
    const items = [];
    for (const message of messages) {
      const engine = await store.read(readAttempts(store, workspaceId, message.number));
      const inline = await store.read(readAttempts(store, workspaceId, message.number, { inline: true }));
      items.push({ message, own: own.has(message.number), attempts: [...inline, ...engine] });
    }
    return items;
  }

  /** Whoever reads or writes at this moment is in the way, for a moment. */
  async #scrub(rewriteBytes: number): Promise<boolean> {
    for (let tries = 1; tries <= SCRUB_TRIES; tries += 1) {
      const scrubbed = await this.store.scrub(rewriteBytes);
      if (scrubbed !== 'busy') return scrubbed === 'clean';
      await sleep(SCRUB_AGAIN_MS);
    }
    return false;
  }
}

/** An event that names him stays when all else of him is gone. */
const isNothing = (traces: Traces): boolean =>
  Object.entries(traces).every(([name, { length }]) => length === 0 || name === 'events');

/** In the one form in which everybody is known here. */
function readAddress(email: string): string {
  const parsed = parseAddress(email);
  if ('fault' in parsed) throw invalidInput('email', ADDRESS_FAULT_TEXT[parsed.fault]);
  return canonicalAddress(parsed.address);
}

function badCursor(): never {
  throw invalidInput('cursor', 'is not a cursor that a list gave');
}

const nobody = (): PillarboxError =>
  new PillarboxError('not_found', 'nothing is kept about this address in this workspace');
