import { domainOf } from '../core/address.js';
import { invalidInput, isOutage, isUnavailable } from '../core/errors.js';
import { formatId, formatMessageId } from '../core/ids.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import { finalState, type State } from '../core/lifecycle.js';
import type { RetryPolicy } from '../core/retry.js';
import { GroupWriter } from '../engine/group-writer.js';
import type { Account } from '../store/scripts/accounts.js';
import { readMessages } from '../store/scripts/messages.js';
import type { Enqueued, NewMessage, Store } from '../store/store.js';
import { runWithin, type Tx } from '../store/tx.js';
import type { Transport } from '../transport/transport.js';
import { Bulk, type BulkReport } from './bulk.js';
import { refuseConflict } from './conflict.js';
import { freeze } from './freeze.js';
import type { InlineResult, InlineSender } from './inline.js';
import type { MailInput } from './mail-input.js';
import { mailboxOf, Preparer, type Prepared, type PreparerOptions } from './prepare.js';
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
type Recorded = Prepared & InlineResult;

export interface EnqueuedMail {
  readonly id: string;
  /** The key was known; nothing was stored. */
  readonly duplicate: boolean;
}

/** How this process sends by itself. Both throw `invalid_config` where nobody said how. */
export interface Courier {
  /** What an operator has made of the policy `dispatcher`. */
  readonly dispatcherPolicy?: RetryPolicy | undefined;
  inline(): InlineSender;
  transportOf(account: Account): Transport;
}

/** The front door for single mails. */
export class Outbox {
  /** Concurrent callers share a commit: many times the rate, and no slower for one alone. */
  readonly #writer: GroupWriter<NewMessage, Enqueued>;
  readonly #preparer: Preparer;

  constructor(
    private readonly store: Store,
    private readonly account: Account,
    private readonly courier: Courier,
    { lane, door }: Pick<PreparerOptions, 'lane' | 'door'> = {},
  ) {
    const { dispatcherPolicy } = courier;
    this.#preparer = new Preparer({ store, account, dispatcherPolicy, lane, door });
    this.#writer = new GroupWriter((messages) => store.enqueue(messages), {
      largest: 500,
      // SQLite has one writer, so two groups would only be two commits.
      atOnce: store.dialect === 'postgres' ? 2 : 1,
    });
  }

  /** Before a caller's transaction holds the only write lock of SQLite, the default channel must be there. */
  async prepare(): Promise<void> {
    await this.#preparer.warmUp();
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
    const { frozen, message } = await this.#preparer.prepare(mail, idempotencyKey);
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
    const { frozen, message } = await this.#preparer.prepare(mail, idempotencyKey, { tx });
    const enqueued =
      tx === undefined
        ? await this.#writer.write(message)
        : (await runWithin(tx, this.store, this.store.enqueueWithin([message])))[0];
    if (!enqueued) throw new Error('the store gave no answer for a mail');
    refuseConflict(enqueued, frozen);
    return { id: formatId('message', enqueued.id), duplicate: enqueued.duplicate };
  }

  /**
   * Many mails at once: what is wrong with one does not stop the others. They are stored a thousand at a time; if the
   * database goes away after the first thousand, the rest is among the errors, and only if none is stored it throws.
   * With `tx` it throws also then: what was written before goes with your transaction.
   */
  async enqueueMany(mails: readonly MailInput[], options: EnqueueManyOptions = {}): Promise<BulkReport> {
    knownOptions(options, ENQUEUE_MANY_OPTIONS);
    return new Bulk(this.store, this.#preparer, mails, options.tx).run();
  }
}

/** What can be said of a stored mail while the database can't be asked. */
const lastKnown = ({ dueAt }: NewMessage, outcome: InlineResult['outcome']): Standing => {
  if (dueAt !== null) return { state: 'scheduled', nextAttemptAt: dueAt };
  const state = outcome ? (finalState(outcome.event) ?? 'retry_scheduled') : 'sending';
  return { state, nextAttemptAt: null };
};
