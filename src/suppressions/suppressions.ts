import { ADDRESS_FAULT_TEXT, canonicalAddress, parseAddress } from '../core/address.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { LANES, type Lane } from '../core/message.js';
import { forbids, MOST_AT_ONCE, type Suppression, type SuppressionReason } from '../core/suppression.js';
import { notSentWords, saidWords } from '../core/suppression-words.js';
import { csvLine } from '../core/csv.js';
import { forPeople } from '../core/text.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { readLimit, type Page } from '../core/page.js';
import type { Store } from '../store/store.js';
import { findSuppression, listSuppressions } from '../store/scripts/suppression-list.js';
import { cancelAll } from '../store/scripts/cancel.js';
import {
  countSuppressions,
  newestSuppressions,
  suppressionSources,
  waitingInVain,
  type SuppressionCounts,
  type SuppressionPlace,
  type SuppressionSource,
} from '../store/scripts/suppression-figures.js';
import type { Script } from '../store/script.js';
import { suppress, unsuppress } from '../store/scripts/suppressions.js';

export interface SuppressionOptions {
  /** The beginning of an address. */
  readonly q?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  /** Not before this instant. */
  readonly since?: Date | undefined;
  /** `newest` first, or in the order of the addresses, which is what a beginning of one is looked up in. Default `address`. */
  readonly order?: 'address' | 'newest' | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface NewSuppression {
  readonly email: string;
  /** Default `manual`. */
  readonly reason?: SuppressionReason | undefined;
  /** Null, or not given: all. */
  readonly lanes?: readonly Lane[] | null | undefined;
  /** What was said: "asked by letter". */
  readonly note?: string | null | undefined;
}

/** One of a list, with the mail that it came of. */
export interface ListedSuppression extends Suppression {
  /** Null: it came of none, or that one is not kept any more. */
  readonly source: SuppressionSource | null;
}

/** What came of adding one. */
export interface Added extends Suppression {
  /** How many mails that waited for it were cancelled. */
  readonly cancelled: number;
}

/** What came of adding several. */
export interface AddedMany {
  readonly added: number;
  /** Of those: they were on the list before. */
  readonly known: number;
  readonly cancelled: number;
  /** What is no address, by its place from 0. Nothing came of these. */
  readonly refused: readonly { readonly index: number; readonly why: string }[];
}

export interface RemovalOptions {
  /** Also if the person has complained. */
  readonly evenComplaints?: boolean | undefined;
}

const LIST_OPTIONS: OptionNames<SuppressionOptions> = {
  ...{ q: true, reason: true, since: true, order: true, limit: true, cursor: true },
};
const NEW_SUPPRESSION: OptionNames<NewSuppression> = { email: true, reason: true, lanes: true, note: true };
const REMOVAL_OPTIONS: OptionNames<RemovalOptions> = { evenComplaints: true };

/** Whether one address would be written to, lane by lane. */
export interface Willingness {
  /** In its canonical form. */
  readonly address: string;
  readonly lanes: readonly {
    readonly lane: Lane;
    readonly writes: boolean;
    /** Mail that its recipient has asked for, such as a password reset. */
    readonly writesTransactional: boolean;
    readonly reason: SuppressionReason | null;
    /** Null: not known any more, because the person was erased. */
    readonly since: number | null;
  }[];
}

type Said = Pick<NewSuppression, 'lanes'> & Pick<Suppression, 'note' | 'actor'>;

const A_PAGE = 200;
const A_STEP = 100;
const LONGEST_NOTE = 500;

/** Why somebody who was erased is not written to. */
export type FindErased = (email: string) => Promise<Pick<Suppression, 'reason' | 'lanes'> | undefined>;

/** Whom a workspace does not write to. An address is known in whatever spelling it is given. */
export class Suppressions {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly findErased: FindErased = () => Promise.resolve(undefined),
  ) {}

  /** A page may hold fewer than there are, even none, and say where to go on. */
  async list(options: SuppressionOptions = {}): Promise<Page<ListedSuppression>> {
    knownOptions(options, LIST_OPTIONS);
    const { store, workspaceId } = this;
    const { items, next } = await this.#page(options);
    const ids = items.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
    const sources = await store.read(suppressionSources(store, workspaceId, ids));
    const sourceOf = ({ messageId }: Suppression) =>
      (messageId === null ? undefined : sources.get(messageId)) ?? null;
    return { items: items.map((item) => ({ ...item, source: sourceOf(item) })), nextCursor: next ?? null };
  }

  async #page(options: SuppressionOptions): Promise<{
    readonly items: readonly Suppression[];
    readonly next: string | undefined;
  }> {
    const { store, workspaceId } = this;
    const { q, reason, cursor, order = 'address' } = options;
    const limit = readLimit(options.limit);
    const since = options.since?.getTime();
    // A beginning is looked up where addresses stand in their order.
    if (order === 'address' || q !== undefined)
      return store.read(listSuppressions(store, workspaceId, { q, reason, since, after: cursor, limit }));
    const before = cursor === undefined ? undefined : readPlace(cursor);
    const filter = { reason, since, before, limit };
    const items = await store.read(newestSuppressions(store, workspaceId, filter));
    const last = items.at(-1);
    const isFull = items.length === limit && last !== undefined;
    return { items, next: isFull ? `${last.createdAt} ${last.address}` : undefined };
  }

  /** All of them, in the order of the addresses, and never more than a page of them in memory. */
  async *csv(): AsyncGenerator<string> {
    yield csvLine(['email', 'reason', 'not sent', 'what was said', 'since']);
    for (let cursor: string | undefined; ;) {
      const { items, nextCursor } = await this.list({ limit: A_PAGE, cursor });
      yield items
        .map((item) =>
          csvLine([
            ...[item.address, item.reason, notSentWords(item)],
            ...[saidWords(item, item.source?.answer ?? null), new Date(item.createdAt).toISOString()],
          ]),
        )
        .join('');
      if (nextCursor === null) return;
      cursor = nextCursor;
    }
  }

  /** How many there are of each reason, and how many came lately. */
  async count(): Promise<SuppressionCounts> {
    const { store, workspaceId } = this;
    return store.read(countSuppressions(store, workspaceId, await store.now()));
  }

  /** Throws `not_found`. */
  async get(email: string): Promise<Suppression> {
    const found = await this.store.read(
      findSuppression(this.store, this.workspaceId, canonicalAddress(email)),
    );
    if (!found) throw notSuppressed(email);
    return found;
  }

  /** Whether we would write to an address, and if not, why not: as claim and gate decide. Throws `invalid_input`. */
  async ask(email: string): Promise<Willingness> {
    const parsed = parseAddress(email);
    if ('fault' in parsed) throw invalidInput('email', ADDRESS_FAULT_TEXT[parsed.fault]);
    const address = canonicalAddress(parsed.address);
    const listed = await this.store.read(findSuppression(this.store, this.workspaceId, address));
    const known = listed ?? (await this.findErased(address));
    return {
      address,
      lanes: LANES.map((lane) => {
        const stands = (transactional: boolean) =>
          known !== undefined && forbids(known, { lane, transactional });
        const isHere = known !== undefined && stands(false);
        return {
          lane,
          writes: !isHere,
          writesTransactional: !stands(true),
          reason: isHere ? known.reason : null,
          since: isHere ? (listed?.createdAt ?? null) : null,
        };
      }),
    };
  }

  /**
   * From the very next hand-over on; what waits for it is cancelled. Answers what holds now: a graver reason from before
   * stays.
   */
  async add(suppression: NewSuppression, actor: string | null = null): Promise<Added> {
    knownOptions(suppression, NEW_SUPPRESSION);
    const { email, reason = 'manual', lanes, note } = suppression;
    const { store } = this;
    const parsed = parseAddress(email);
    if ('fault' in parsed) throw invalidInput('email', ADDRESS_FAULT_TEXT[parsed.fault]);
    const said = { lanes, note: readNote(note), actor };
    const now = await store.now();
    return store.transaction(() => this.#add(parsed.address, reason, said, now));
  }

  /** Several at once, all by hand and in all lanes. What is no address is named; all the others count. */
  async addMany(
    emails: readonly string[],
    note?: string | null,
    actor: string | null = null,
  ): Promise<AddedMany> {
    if (emails.length > MOST_AT_ONCE)
      throw invalidInput('emails', `are more than ${MOST_AT_ONCE}; give them in several calls`);
    const { store } = this;
    const said = { lanes: null, note: readNote(note), actor };
    const refused: { index: number; why: string }[] = [];
    const good = new Set<string>();
    for (const [index, email] of emails.entries()) {
      const parsed = parseAddress(email.trim());
      if ('fault' in parsed) refused.push({ index, why: ADDRESS_FAULT_TEXT[parsed.fault] });
      else good.add(canonicalAddress(parsed.address));
    }
    // In one order, as everybody writes them; in steps, so that nobody waits for long.
    const sorted = [...good].sort();
    let [known, cancelled] = [0, 0];
    for (let at = 0; at < sorted.length; at += A_STEP) {
      const now = await store.now();
      const step = sorted.slice(at, at + A_STEP);
      const done = await store.transaction(() => this.#addStep(step, said, now));
      known += done.known;
      cancelled += done.cancelled;
    }
    return { added: sorted.length, known, cancelled, refused };
  }

  *#addStep(
    addresses: readonly string[],
    said: Said,
    now: number,
  ): Script<{ readonly known: number; readonly cancelled: number }> {
    let [known, cancelled] = [0, 0];
    for (const address of addresses) {
      const before = yield* findSuppression(this.store, this.workspaceId, address);
      if (before) known += 1;
      cancelled += (yield* this.#add(address, 'manual', said, now)).cancelled;
    }
    return { known, cancelled };
  }

  *#add(address: string, reason: SuppressionReason, said: Said, now: number): Script<Added> {
    const { store, workspaceId } = this;
    const suppression = yield* suppress(store, workspaceId, address, reason, now, said);
    const waiting = yield* waitingInVain(store, workspaceId, suppression.address);
    const cancelled = waiting.length === 0 ? [] : yield* cancelAll(store, waiting, { workspaceId, now });
    return { ...suppression, cancelled: cancelled.length };
  }

  /** Throws `not_found`; and `conflict` for a complaint, unless it is meant: who complained must not be written to by mistake. */
  async remove(email: string, options: RemovalOptions = {}): Promise<Suppression> {
    knownOptions(options, REMOVAL_OPTIONS);
    const { evenComplaints = false } = options;
    const { store, workspaceId } = this;
    const removed = await store.transaction(() => unsuppress(store, workspaceId, email, { evenComplaints }));
    if (removed) return removed;
    const { address } = await this.get(email);
    throw new PillarboxError(
      'conflict',
      `${address} has complained: only an administrator may take it off the list, and has to give the address once more as confirm`,
      { field: 'confirm' },
    );
  }
}

const notSuppressed = (email: string): PillarboxError =>
  new PillarboxError('not_found', `${email.slice(0, 254)} is not on the suppression list`);

function readNote(note: string | null | undefined): string | null {
  const text = note?.trim() ?? '';
  if (text.length > LONGEST_NOTE) throw invalidInput('note', `should have at most ${LONGEST_NOTE} letters`);
  return text === '' ? null : forPeople(text, LONGEST_NOTE);
}

function readPlace(cursor: string): SuppressionPlace {
  const [, createdAt, address] = /^(\d{1,15}) (\S{1,320})$/.exec(cursor) ?? [];
  if (createdAt === undefined || address === undefined)
    throw invalidInput('cursor', 'is not a cursor that a list gave');
  return { createdAt: Number(createdAt), address };
}
