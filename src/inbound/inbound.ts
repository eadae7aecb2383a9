import { createHash } from 'node:crypto';
import { ADDRESS_FAULT_TEXT, canonicalAddress, parseAddress } from '../core/address.js';
import type { Ending } from '../core/campaign.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { linkedinIdFault } from '../core/headers.js';
import { formatId, parseId, parseMessageId } from '../core/ids.js';
import { AWAY_MS, judgeBounce, type BounceReport, type InboundKind } from '../core/inbound.js';
import { parseInstant } from '../core/instant.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import type { Script } from '../store/script.js';
import { noteHarm } from '../store/scripts/account-health.js';
import { endEnrolments, holdEnrolments, type EnrolmentsChanged } from '../store/scripts/enrolments.js';
import {
  contactBy,
  findReturned,
  newestTo,
  noteAcceptance,
  noteInbound,
  type ReturnedMessage,
} from '../store/scripts/inbound.js';
import { confirmAllSent } from '../store/scripts/moves.js';
import { findSuppression } from '../store/scripts/suppression-list.js';
import { noteSoftBounce, suppress } from '../store/scripts/suppressions.js';
import type { Store } from '../store/store.js';

/** Something that came back for a message, or from a person. At least one of the three names is needed. */
export interface InboundInput extends BounceReport {
  readonly kind: InboundKind;
  /** The id of the message, or its Message-ID. */
  readonly messageId?: string | undefined;
  /** Who it is from; of a bounce, the address that the report names. */
  readonly email?: string | undefined;
  readonly linkedinId?: string | undefined;
  /** Of an automatic answer: how long the person is away. */
  readonly until?: string | undefined;
  /** What the caller knows it by: it counts once. */
  readonly id?: string | undefined;
}

/** What it did. */
export interface InboundEffect {
  readonly kind: InboundKind;
  /** It was known, and did nothing more. */
  readonly duplicate: boolean;
  readonly messageId: string | null;
  readonly contactId: string | null;
  /** The address is not written to any more. */
  readonly suppressed: boolean;
  /** In how many campaigns the person's sequence ended, or is paused. */
  readonly ended: number;
  readonly held: number;
  readonly heldUntil: number | null;
  /** How many messages were cancelled or stand aside; how many that awaited an acceptance may go on. */
  readonly cancelled: number;
  readonly released: number;
  /** The message was in doubt, and is now known to have left. */
  readonly resolved: boolean;
}

const INPUT: OptionNames<InboundInput> = {
  ...{ kind: true, messageId: true, email: true, linkedinId: true, until: true, id: true },
  ...{ permanent: true, code: true, diagnostic: true },
};

const OUTCOME_REASON = 'inbound';
const ENDING: Readonly<Partial<Record<InboundKind, Ending>>> = {
  reply: 'replied',
  bounce: 'bounced',
  complaint: 'complained',
};

/** What comes back: replies, bounces, complaints, acceptances, automatic answers. Each counts once. */
export class Inbound {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
  ) {}

  /** Throws `invalid_input`, and `not_found` if neither the message nor the person is known here. */
  async receive(input: InboundInput): Promise<InboundEffect> {
    knownOptions(input, INPUT);
    const { store, workspaceId } = this;
    const now = await store.now();
    const read = readInput(input, store.installation, now);
    return store.transaction(() => new Receipt(store, workspaceId, read, now).settle());
  }
}

interface Read {
  readonly kind: InboundKind;
  readonly messageId: number | undefined;
  readonly email: string | undefined;
  readonly linkedinId: string | undefined;
  readonly until: number | null;
  readonly bounce: BounceReport;
  /** Undefined: nothing names it, so it may come again. */
  readonly key: string | undefined;
}

function readInput(input: InboundInput, installation: string, now: number): Read {
  const { kind, messageId, email, linkedinId, id } = input;
  if (messageId === undefined && email === undefined && linkedinId === undefined)
    throw invalidInput('messageId', 'is missing, and so are email and linkedinId: one of them is needed');
  const number =
    messageId === undefined
      ? undefined
      : (parseId('message', messageId) ?? parseMessageId(messageId, installation));
  if (messageId !== undefined && number === undefined) throw noMessage();
  const until = untilOf(input, now);
  const name = id ?? (messageId === undefined ? undefined : [kind, number, until].join(' '));
  return {
    ...{ kind, messageId: number, until },
    email: email === undefined ? undefined : readAddress(email),
    linkedinId: linkedinId === undefined ? undefined : readLinkedinId(linkedinId),
    bounce: { permanent: input.permanent, code: input.code, diagnostic: input.diagnostic },
    key: name === undefined ? undefined : hashOf(id === undefined ? `message ${name}` : `id ${name}`),
  };
}

/** Whoever names it may name a person by it. */
const hashOf = (name: string): string => createHash('sha256').update(name).digest('base64url');

function readAddress(email: string): string {
  const parsed = parseAddress(email);
  if ('fault' in parsed) throw invalidInput('email', ADDRESS_FAULT_TEXT[parsed.fault]);
  return canonicalAddress(parsed.address);
}

function readLinkedinId(linkedinId: string): string {
  const fault = linkedinIdFault(linkedinId);
  if (fault !== undefined) throw invalidInput('linkedinId', fault);
  return linkedinId;
}

function untilOf({ kind, until }: InboundInput, now: number): number | null {
  if (kind !== 'auto_reply') {
    if (until !== undefined) throw invalidInput('until', 'belongs to an auto_reply');
    return null;
  }
  if (until === undefined) return null;
  const parsed = parseInstant(until);
  if ('fault' in parsed) throw invalidInput('until', parsed.fault);
  if (parsed.instant <= now) throw invalidInput('until', 'has passed');
  return parsed.instant;
}

const NOTHING: Omit<InboundEffect, 'kind' | 'messageId' | 'contactId'> = {
  ...{ duplicate: false, suppressed: false, resolved: false },
  ...{ ended: 0, held: 0, heldUntil: null, cancelled: 0, released: 0 },
};

/** One that is being taken in: one transaction. */
class Receipt {
  #message: ReturnedMessage | undefined;
  #contactId: number | undefined;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly read: Read,
    private readonly now: number,
  ) {}

  *settle(): Script<InboundEffect> {
    const { store, workspaceId, read, now } = this;
    yield* this.#identify();
    const { kind, key } = read;
    const known = {
      kind,
      messageId: this.#message ? formatId('message', this.#message.id) : null,
      contactId: this.#contactId === undefined ? null : formatId('contact', this.#contactId),
    };
    const note = key === undefined ? undefined : { key, kind, messageId: this.#message?.id ?? null };
    if (note && !(yield* noteInbound(store, workspaceId, note, now)))
      return { ...known, ...NOTHING, duplicate: true };
    const resolved = yield* this.#resolve();
    return { ...known, ...NOTHING, ...(yield* this.#effect()), resolved };
  }

  *#identify(): Script<void> {
    const { store, workspaceId, read } = this;
    const { kind, messageId, email, linkedinId } = read;
    if (messageId !== undefined) {
      this.#message = yield* findReturned(store, workspaceId, messageId);
      if (!this.#message) throw noMessage();
    }
    const named = email !== undefined || linkedinId !== undefined;
    const byName = named ? yield* contactBy(store, workspaceId, { email, linkedinId }) : undefined;
    // Of a message, whoever it went to: an answer may come from another address of the same person.
    this.#contactId = this.#message?.contactId ?? byName ?? (yield* this.#contactOfRecipient());
    const needsNobody = this.#message !== undefined || ((kind === 'bounce' || kind === 'complaint') && email);
    if (this.#contactId === undefined && !needsNobody)
      throw new PillarboxError('not_found', 'nobody with this address or LinkedIn id is known here');
  }

  *#contactOfRecipient(): Script<number | undefined> {
    const { recipient = '' } = this.#message ?? {};
    if (recipient === '') return undefined;
    return yield* contactBy(this.store, this.workspaceId, { email: canonicalAddress(recipient) });
  }

  /** What comes back has left. */
  *#resolve(): Script<boolean> {
    if (!this.#message) return false;
    const actor = { workspaceId: this.workspaceId, now: this.now };
    return (yield* confirmAllSent(this.store, [this.#message.id], actor, OUTCOME_REASON)).length > 0;
  }

  *#effect(): Script<Partial<InboundEffect>> {
    switch (this.read.kind) {
      case 'bounce':
        return yield* this.#bounce();
      case 'complaint':
        return yield* this.#refused('complaint');
      case 'reply':
        return yield* this.#end();
      case 'auto_reply':
        return yield* this.#hold();
      case 'accepted':
        return yield* this.#accepted();
    }
  }

  *#bounce(): Script<Partial<InboundEffect>> {
    const verdict = judgeBounce(this.read.bounce);
    if (verdict === 'hard') return yield* this.#refused('hard_bounce');
    // The mail did not arrive, whoever is to blame: what follows it would make no sense.
    if (verdict === 'sender') return yield* this.#end();
    const { store, workspaceId, now } = this;
    const address = this.#address();
    const message =
      this.#message ?? (address === undefined ? undefined : yield* newestTo(store, workspaceId, address));
    if (address === undefined || !message) return {};
    yield* noteSoftBounce(store, workspaceId, address, message.id, now);
    const listed = yield* findSuppression(store, workspaceId, address);
    return listed ? { ...(yield* this.#end()), suppressed: true } : {};
  }

  /** The address takes no mail, or its owner wants none. */
  *#refused(reason: 'hard_bounce' | 'complaint'): Script<Partial<InboundEffect>> {
    const { store, workspaceId, now } = this;
    const message = this.#message;
    const kind = reason === 'complaint' ? 'complaint' : 'bounce';
    if (message) yield* noteHarm(store, { accountId: message.accountId, messageId: message.id, kind }, now);
    const address = this.#address();
    if (address !== undefined)
      yield* suppress(store, workspaceId, address, reason, now, { messageId: message?.id });
    return { ...(yield* this.#end()), suppressed: address !== undefined };
  }

  /** The one that the report names; else whoever the message went to. */
  #address(): string | undefined {
    const recipient = this.#message?.recipient ?? '';
    return this.read.email ?? (recipient.includes('@') ? canonicalAddress(recipient) : undefined);
  }

  *#end(): Script<Partial<InboundEffect>> {
    const ending = ENDING[this.read.kind];
    if (this.#contactId === undefined || ending === undefined) return {};
    const whom = { contactId: this.#contactId };
    const changed: EnrolmentsChanged = yield* endEnrolments(
      this.store,
      this.workspaceId,
      whom,
      ending,
      this.now,
    );
    return { ended: changed.enrolments.length, cancelled: changed.messages };
  }

  *#hold(): Script<Partial<InboundEffect>> {
    const until = this.read.until ?? this.now + AWAY_MS;
    if (this.#contactId === undefined) return {};
    const how = { reason: 'auto_reply', until };
    const whom = { contactId: this.#contactId };
    const changed = yield* holdEnrolments(this.store, this.workspaceId, whom, how, this.now);
    return { held: changed.enrolments.length, heldUntil: until };
  }

  *#accepted(): Script<Partial<InboundEffect>> {
    if (this.#contactId === undefined) return {};
    return { released: yield* noteAcceptance(this.store, this.workspaceId, this.#contactId, this.now) };
  }
}

const noMessage = (): PillarboxError =>
  new PillarboxError('not_found', 'messageId: there is no such message in this workspace', {
    field: 'messageId',
  });
