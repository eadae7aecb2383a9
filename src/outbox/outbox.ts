import { domainOf } from '../core/address.js';
import { DELIVERY_DEFAULTS, type LaneDelivery } from '../core/delivery-settings.js';
import { formatId, formatMessageId, parseId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { finalState, type State } from '../core/lifecycle.js';
import type { Mail } from '../core/mail.js';
import type { RetryPolicy } from '../core/retry.js';
import { invalidInput, isOutage, isUnavailable, PillarboxError } from '../core/errors.js';
import { GroupWriter } from '../engine/group-writer.js';
import { ensureChannel, findAccount, type Account } from '../store/scripts/accounts.js';
import { ensureGuardedChannel } from '../store/scripts/openings.js';
import type { Enqueued, NewMessage, Store } from '../store/store.js';
import type { Script } from '../store/script.js';
import { runWithin, type Tx } from '../store/tx.js';
import { readMessages } from '../store/scripts/messages.js';
import type { Transport } from '../transport/transport.js';
import { freeze, type FrozenMail } from './freeze.js';
import type { InlineResult, InlineSender } from './inline.js';
import type { MailInput } from './mail-input.js';
import { sendUnrecorded, type UnrecordedResult } from './unrecorded.js';

export interface EnqueueOptions {
  /** One mail per key, for ever. The same key with the same mail is not an error: the first one comes back. */
  readonly idempotencyKey?: string | undefined;
  /** Your own open transaction on the same database: the mail exists exactly when your rows do. */
  readonly tx?: Tx | undefined;
}

export interface EnqueueManyOptions {
  /** As for one: all of them, or none, exactly as your transaction ends. */
  readonly tx?: Tx | undefined;
}

export interface SendOptions {
  readonly idempotencyKey?: string | undefined;
  /**
   * If nothing could be stored because the database is down: send all the same, once, without a record, from the
   * default account, under a Message-ID of its own. Not together with a key, a time or an account: nobody could keep
   * them. What may have been stored is never sent this way; that throws `commit_unknown`.
   */
  readonly evenUnrecorded?: boolean | undefined;
}

const ENQUEUE_OPTIONS: OptionNames<EnqueueOptions> = { idempotencyKey: true, tx: true };
const ENQUEUE_MANY_OPTIONS: OptionNames<EnqueueManyOptions> = { tx: true };
const SEND_OPTIONS: OptionNames<SendOptions> = { idempotencyKey: true, evenUnrecorded: true };
/** What only a record can keep. */
const NEEDS_RECORD = ['idempotencyKey', 'accountId', 'sendAt'] as const;

export type RecordedResult =
  /** The server took it. */
  | { readonly delivered: true; readonly id: string; readonly messageId: string; readonly recorded: true }
  /** It is kept: on its way without the caller, waiting for its next try, or at an end that needs a person. */
  | {
      readonly delivered: false;
      readonly id: string;
      readonly state: State;
      readonly nextAttemptAt: number | null;
    }
  /** The key was known; nothing was stored. */
  | {
      readonly duplicate: true;
      /** So that `delivered` can be asked of any result. */
      readonly delivered?: never;
      readonly id: string;
      readonly state: State;
    };

export type SendResult = RecordedResult | UnrecordedResult;

interface Standing {
  readonly state: State;
  readonly nextAttemptAt: number | null;
}

/** A mail that is stored, and how its caller's own try ended if it has. */
interface Recorded extends InlineResult {
  readonly frozen: FrozenMail;
  readonly message: NewMessage;
}

/** What the mails of one batch share is read once. */
interface Common {
  readonly tx?: Tx | undefined;
  accounts?: Map<string, Promise<Account | undefined>>;
  now?: Promise<number>;
}

export interface EnqueuedMail {
  readonly id: string;
  /** The key was known; nothing was stored. */
  readonly duplicate: boolean;
}

interface BulkError {
  readonly index: number;
  readonly code: string;
  readonly message: string;
}

export interface BulkReport {
  readonly accepted: number;
  readonly duplicates: number;
  readonly errors: readonly BulkError[];
  /** One a mail, in the order given; undefined where there was an error. */
  readonly ids: readonly (string | undefined)[];
}

const BULK_AT_ONCE = 1_000;
/** While one batch is in the database the next is checked and written as JSON. */
const BULK_IN_PARALLEL = 2;

/** How this process sends by itself. Both throw `invalid_config` where nobody said how. */
export interface Courier {
  /** What an operator has made of the policy `dispatcher`. */
  readonly dispatcherPolicy?: RetryPolicy | undefined;
  inline(): InlineSender;
  transportOf(account: Account): Transport;
}

/** Knows again who was erased. */
export interface Door {
  /** Whether it must be asked at all: nearly never. */
  readonly asks: boolean;
  /** `write` stores what it means together with the mail. */
  pass(
    addresses: readonly string[],
    write: (script: Script<void>) => Promise<unknown>,
  ): undefined | Promise<void>;
}

const OPEN_DOOR: Door = { asks: false, pass: () => undefined };

/** The front door for single mails. */
export class Outbox {
  /** Concurrent callers share a commit: many times the rate, and no slower for one alone. */
  readonly #writer: GroupWriter<NewMessage, Enqueued>;
  /** By account. */
  readonly #channels = new Map<number, number>();
  readonly #guardedChannels = new Map<number, number>();

  constructor(
    private readonly store: Store,
    private readonly account: Account,
    private readonly courier: Courier,
    /** What holds for new mail unless it says otherwise. */
    private readonly lane: () => LaneDelivery | Promise<LaneDelivery> = () => DELIVERY_DEFAULTS.lanes.outbox,
    private readonly door: Door = OPEN_DOOR,
  ) {
    this.#writer = new GroupWriter((messages) => store.enqueue(messages), {
      largest: 500,
      // SQLite has one writer, so two groups would only be two commits.
      atOnce: store.dialect === 'postgres' ? 2 : 1,
    });
  }

  /** Before a caller's transaction holds the only write lock of SQLite, the default channel must be there. */
  async prepare(): Promise<void> {
    await this.#channelOf(this.account.id, false);
    await this.lane();
  }

  /**
   * Stores a mail and sends it at once. Resolves within the inline budget, also when the mail server is down: then
   * the mail is kept and a worker goes on. Throws as `enqueue` does.
   */
  send(mail: MailInput, options?: Omit<SendOptions, 'evenUnrecorded'>): Promise<RecordedResult>;
  send(mail: MailInput, options?: SendOptions): Promise<SendResult>;
  async send(mail: MailInput, options: SendOptions = {}): Promise<SendResult> {
    knownOptions(options, SEND_OPTIONS);
    const { idempotencyKey, evenUnrecorded } = options;
    if (!evenUnrecorded) return this.#answer(await this.#sendRecorded(mail, idempotencyKey));
    const given = { ...(mail as object), ...(idempotencyKey !== undefined && { idempotencyKey }) };
    const kept = NEEDS_RECORD.find((field) => (given as Partial<MailInput>)[field] !== undefined);
    if (kept) throw invalidInput('evenUnrecorded', `is not possible with ${kept}; nobody could keep it`);
    let recorded: Recorded;
    try {
      recorded = await this.#sendRecorded(mail, undefined);
    } catch (error) {
      // Only if it is certain that nothing was stored: what may have been stored may be sent by a worker too.
      if (!isUnavailable(error)) throw error;
      const { mail: frozen } = freeze(mail, mailboxOf(this.account));
      return sendUnrecorded(this.courier.transportOf(this.account), frozen, Date.now());
    }
    return this.#answer(recorded);
  }

  async #sendRecorded(mail: MailInput, idempotencyKey: string | undefined): Promise<Recorded> {
    const { frozen, message } = await this.#prepareMail(mail, idempotencyKey);
    // What waits for its time, or for its account's, has nothing to try now.
    const tried =
      message.dueAt === null && !frozen.guarded ? await this.courier.inline().send(message) : undefined;
    const { enqueued, outcome } = tried ?? {
      enqueued: await this.#writer.write(message),
      outcome: undefined,
    };
    return { frozen, message, enqueued, outcome };
  }

  /** What became of it so far. It is stored, so an outage from here on is no reason to say that it failed. */
  async #answer({ frozen, message, enqueued, outcome }: Recorded): Promise<RecordedResult> {
    refuseConflict(enqueued, frozen);
    const id = formatId('message', enqueued.id);
    if (outcome?.event === 'accepted') {
      const messageId = formatMessageId(enqueued.id, this.store.installation, domainOf(message.sender));
      return { delivered: true, id, messageId, recorded: true };
    }
    const standing = this.#standing(enqueued.id, message.workspaceId);
    if (enqueued.duplicate) return { duplicate: true, id, state: (await standing).state };
    const state = await standing.catch((error: unknown) => {
      if (!isOutage(error)) throw error;
      return lastKnown(message, outcome);
    });
    return { delivered: false, id, ...state };
  }

  async #standing(id: number, workspaceId: number): Promise<Standing> {
    const [message] = await this.store.read(readMessages(this.store, workspaceId, [id]));
    if (!message) throw new Error('a mail that was stored is not there');
    return { state: message.state, nextAttemptAt: message.nextAttemptAt };
  }

  /**
   * Stores a mail to be sent by a worker. Resolves when it is committed (with `tx`: when it is written, and
   * committed with your transaction). Throws `invalid_input` with the field, `idempotency_conflict`, or
   * `store_unavailable`; in all three cases nothing was stored. `commit_unknown`: nobody can say.
   */
  async enqueue(mail: MailInput, options: EnqueueOptions = {}): Promise<EnqueuedMail> {
    knownOptions(options, ENQUEUE_OPTIONS);
    const { idempotencyKey, tx } = options;
    const { frozen, message } = await this.#prepareMail(mail, idempotencyKey, { tx });
    const enqueued =
      tx === undefined
        ? await this.#writer.write(message)
        : (await runWithin(tx, this.store, this.store.enqueueWithin([message])))[0];
    if (!enqueued) throw new Error('the store gave no answer for a mail');
    refuseConflict(enqueued, frozen);
    return { id: formatId('message', enqueued.id), duplicate: enqueued.duplicate };
  }

  async #prepareMail(
    mail: MailInput,
    idempotencyKey: string | undefined,
    common: Common = {},
  ): Promise<{ frozen: FrozenMail; message: NewMessage }> {
    const { tx } = common;
    // Promises only of what has to be read: nearly every mail finds all of it known.
    const sender = this.#accountOf(mail, common);
    const account = sender instanceof Promise ? await sender : sender;
    const given = idempotencyKey === undefined ? mail : { ...mail, idempotencyKey };
    const known = this.lane();
    const lane = known instanceof Promise ? await known : known;
    const frozen = freeze(given, mailboxOf(account), lane, this.courier.dispatcherPolicy);
    if (this.door.asks) {
      await this.door.pass(addressesOf(frozen.mail), (script) =>
        tx === undefined ? this.store.transaction(script) : runWithin(tx, this.store, script),
      );
    }
    const channel = this.#channelOf(account.id, frozen.guarded, tx);
    const channelId = channel instanceof Promise ? await channel : channel;
    const message = toMessage(frozen, account, channelId);
    if (message.expiresAt !== null || lane.expirySeconds === null) return { frozen, message };
    const from = message.dueAt ?? (await (common.now ??= this.store.now()));
    return { frozen, message: { ...message, expiresAt: from + lane.expirySeconds * 1_000 } };
  }

  /**
   * Many mails at once: what is wrong with one does not stop the others. They are stored a thousand at a time; if the
   * database goes away after the first thousand, the rest is among the errors, and only if none is stored it throws.
   * With `tx` it throws also then: what was written before goes with your transaction.
   */
  async enqueueMany(mails: readonly MailInput[], options: EnqueueManyOptions = {}): Promise<BulkReport> {
    knownOptions(options, ENQUEUE_MANY_OPTIONS);
    const { tx } = options;
    const ids: (string | undefined)[] = mails.map(() => undefined);
    const errors: BulkError[] = [];
    let duplicates = 0;
    let next = 0;
    let outage: PillarboxError | undefined;
    const store = async (first: number) => {
      const batch = await this.#freezeBatch(mails, first, errors, tx);
      const messages = batch.map(({ message }) => message);
      const enqueued =
        tx === undefined
          ? await this.store.enqueue(messages)
          : await runWithin(tx, this.store, this.store.enqueueWithin(messages));
      for (const [place, { index, frozen }] of batch.entries()) {
        const result = enqueued[place] as Enqueued;
        if (conflicts(result, frozen))
          errors.push({ index, code: 'idempotency_conflict', message: CONFLICT });
        else ids[index] = formatId('message', result.id);
        if (result.duplicate && !conflicts(result, frozen)) duplicates += 1;
      }
    };
    const work = async () => {
      while (next < mails.length) {
        const first = next;
        next += BULK_AT_ONCE;
        try {
          if (outage) throw outageAfter(outage);
          await store(first);
        } catch (error) {
          if (tx !== undefined || !(error instanceof PillarboxError) || !isOutage(error)) throw error;
          outage ??= error;
          noteOutage(errors, error, first, Math.min(next, mails.length));
        }
      }
    };
    // A transaction has one connection, and nothing to gain from two at once.
    await Promise.all(Array.from({ length: tx === undefined ? BULK_IN_PARALLEL : 1 }, work));
    if (outage && ids.every((id) => id === undefined)) throw outage;
    errors.sort((a, b) => a.index - b.index);
    return { accepted: mails.length - duplicates - errors.length, duplicates, errors, ids };
  }

  async #freezeBatch(
    mails: readonly MailInput[],
    first: number,
    errors: BulkError[],
    tx: Tx | undefined,
  ): Promise<{ index: number; frozen: FrozenMail; message: NewMessage }[]> {
    const batch = [];
    const common: Common = { tx };
    for (const [place, mail] of mails.slice(first, first + BULK_AT_ONCE).entries()) {
      const index = first + place;
      try {
        batch.push({ index, ...(await this.#prepareMail(mail, undefined, common)) });
      } catch (error) {
        if (!(error instanceof PillarboxError) || isOutage(error)) throw error;
        errors.push({ index, code: error.code, message: error.message });
      }
    }
    return batch;
  }

  #accountOf(mail: MailInput, common: Common): Account | Promise<Account> {
    // Its shape is not checked yet; only a text can name an account.
    const accountId = (mail as { accountId?: unknown } | null | undefined)?.accountId;
    return typeof accountId === 'string' ? this.#namedAccount(accountId, common) : this.account;
  }

  async #namedAccount(accountId: string, common: Common): Promise<Account> {
    common.accounts ??= new Map();
    const known = common.accounts.get(accountId) ?? this.#findAccount(accountId);
    common.accounts.set(accountId, known);
    const account = await known;
    if (account?.workspaceId !== this.account.workspaceId) throw invalidInput('accountId', 'is not known');
    if (account.type !== 'email') throw invalidInput('accountId', 'is not an account that sends email');
    return account;
  }

  #findAccount(accountId: string): Promise<Account | undefined> {
    const id = parseId('account', accountId);
    return id === undefined ? Promise.resolve(undefined) : this.store.read(findAccount(this.store, id));
  }

  #channelOf(accountId: number, guarded: boolean, tx?: Tx): number | Promise<number> {
    const channels = guarded ? this.#guardedChannels : this.#channels;
    return channels.get(accountId) ?? this.#ensureChannel(accountId, guarded, tx);
  }

  async #ensureChannel(accountId: number, guarded: boolean, tx: Tx | undefined): Promise<number> {
    const { store } = this;
    const channels = guarded ? this.#guardedChannels : this.#channels;
    const ensure = () =>
      guarded
        ? ensureGuardedChannel(store, accountId, 'email')
        : ensureChannel(store, accountId, 'email', 'outbox');
    // The caller holds SQLite's only write lock; and what he makes he may yet undo, so it is not remembered.
    if (tx !== undefined && store.dialect === 'sqlite') return runWithin(tx, store, ensure());
    const channelId = await store.transaction(ensure);
    channels.set(accountId, channelId);
    return channelId;
  }
}

const addressesOf = ({ to, cc = [], bcc = [] }: Mail): readonly string[] =>
  [to, ...cc, ...bcc].map(({ email }) => email);

const mailboxOf = ({ emailAddress, displayName }: Account) => ({
  email: emailAddress,
  ...(displayName !== null && { name: displayName }),
});

const toMessage = (frozen: FrozenMail, account: Account, channelId: number): NewMessage => ({
  workspaceId: account.workspaceId,
  channelId,
  lane: 'outbox',
  action: 'email',
  idempotencyKey: frozen.idempotencyKey,
  bodyHash: frozen.hash,
  recipient: frozen.mail.to.email,
  recipientName: frozen.mail.to.name ?? null,
  sender: account.emailAddress,
  subject: frozen.mail.subject,
  dueAt: frozen.sendAt,
  expiresAt: frozen.expiresAt,
  retryPolicy: frozen.retryPolicy,
  doubtPolicy: frozen.doubtPolicy,
  transactional: frozen.transactional,
  traceId: frozen.traceId,
  mail: frozen.json,
});

/** What can be said of a stored mail while the database can't be asked. */
const lastKnown = ({ dueAt }: NewMessage, outcome: InlineResult['outcome']): Standing => {
  if (dueAt !== null) return { state: 'scheduled', nextAttemptAt: dueAt };
  const state = outcome ? (finalState(outcome.event) ?? 'retry_scheduled') : 'sending';
  return { state, nextAttemptAt: null };
};

/** Those of a batch that are not among the errors for a fault of their own. */
function noteOutage(errors: BulkError[], { code, message }: PillarboxError, from: number, to: number): void {
  const faulty = new Set(errors.map(({ index }) => index));
  for (let index = from; index < to; index += 1) {
    if (!faulty.has(index)) errors.push({ index, code, message });
  }
}

/** Of mails that were not tried any more: they are certainly not stored. */
const outageAfter = (cause: PillarboxError): PillarboxError =>
  new PillarboxError('store_unavailable', 'the database went away before this mail was stored', { cause });

const CONFLICT = 'idempotencyKey: was used before, for a mail with different content';

const conflicts = (enqueued: Enqueued, frozen: FrozenMail): boolean =>
  enqueued.duplicate && enqueued.bodyHash !== null && enqueued.bodyHash !== frozen.hash;

function refuseConflict(enqueued: Enqueued, frozen: FrozenMail): void {
  if (conflicts(enqueued, frozen)) {
    throw new PillarboxError('idempotency_conflict', CONFLICT, { field: 'idempotencyKey' });
  }
}
