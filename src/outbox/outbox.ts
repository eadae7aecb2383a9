import { domainOf } from '../core/address.js';
import { DELIVERY_DEFAULTS, type LaneDelivery } from '../core/delivery-settings.js';
import { formatId, formatMessageId, parseId } from '../core/ids.js';
import type { State } from '../core/lifecycle.js';
import { invalidInput, isOutage, PillarboxError } from '../errors.js';
import { GroupWriter } from '../engine/group-writer.js';
import { ensureChannel, findAccount, type Account } from '../store/scripts/accounts.js';
import type { Enqueued, NewMessage, Store } from '../store/store.js';
import { runWithin, type Tx } from '../store/tx.js';
import { readMessages } from '../store/scripts/messages.js';
import type { Transport } from '../transport/transport.js';
import { freeze, type FrozenMail } from './freeze.js';
import type { InlineSender } from './inline.js';
import type { MailInput } from './mail-input.js';
import { sendUnrecorded, type UnrecordedResult } from './unrecorded.js';

export interface EnqueueOptions {
  /** One mail per key, for ever. The same key with the same mail is not an error: the first one comes back. */
  readonly idempotencyKey?: string | undefined;
  /** Your own open transaction on the same database: the mail exists exactly when your rows do. */
  readonly tx?: Tx | undefined;
}

export interface SendOptions {
  readonly idempotencyKey?: string | undefined;
  /** If the database is down: send all the same, once, without a record. Not together with a key. */
  readonly evenUnrecorded?: boolean | undefined;
}

export type SendResult =
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
  | { readonly duplicate: true; readonly id: string; readonly state: State }
  | UnrecordedResult;

export interface EnqueuedMail {
  readonly id: string;
  /** The key was known; nothing was stored. */
  readonly duplicate: boolean;
}

export interface BulkReport {
  readonly accepted: number;
  readonly duplicates: number;
  readonly errors: readonly { readonly index: number; readonly code: string; readonly message: string }[];
  /** One a mail, in the order given; undefined where there was an error. */
  readonly ids: readonly (string | undefined)[];
}

const BULK_AT_ONCE = 1_000;
/** While one batch is in the database the next is checked and written as JSON. */
const BULK_IN_PARALLEL = 2;

/** How this process sends by itself. Both throw `invalid_config` where nobody said how. */
export interface Courier {
  inline(): InlineSender;
  transportOf(account: Account): Transport;
}

/** The front door for single mails. */
export class Outbox {
  /** Concurrent callers share a commit: many times the rate, and no slower for one alone. */
  readonly #writer: GroupWriter<NewMessage, Enqueued>;
  readonly #channels = new Map<number, number>();

  constructor(
    private readonly store: Store,
    private readonly account: Account,
    private readonly courier: Courier,
    /** What holds for new mail unless it says otherwise. */
    private readonly lane: () => LaneDelivery | Promise<LaneDelivery> = () => DELIVERY_DEFAULTS.lanes.outbox,
  ) {
    this.#writer = new GroupWriter((messages) => store.enqueue(messages), {
      largest: 500,
      // SQLite has one writer, so two groups would only be two commits.
      atOnce: store.dialect === 'postgres' ? 2 : 1,
    });
  }

  /** Before a caller's transaction holds the only write lock of SQLite, the default channel must be there. */
  async prepare(): Promise<void> {
    await this.#channelOf(this.account.id);
    await this.lane();
  }

  /**
   * Stores a mail and sends it at once. Resolves within the inline budget, also when the mail server is down: then
   * the mail is kept and a worker goes on. Throws as `enqueue` does.
   */
  async send(mail: MailInput, { idempotencyKey, evenUnrecorded }: SendOptions = {}): Promise<SendResult> {
    if (evenUnrecorded && (idempotencyKey ?? mail.idempotencyKey) !== undefined) {
      throw invalidInput('evenUnrecorded', 'is not possible with an idempotencyKey; nobody could keep it');
    }
    try {
      return await this.#sendRecorded(mail, idempotencyKey);
    } catch (error) {
      if (!evenUnrecorded || !isOutage(error)) throw error;
      const { mail: frozen } = freeze(mail, mailboxOf(this.account));
      return sendUnrecorded(this.courier.transportOf(this.account), frozen, Date.now());
    }
  }

  async #sendRecorded(mail: MailInput, idempotencyKey: string | undefined): Promise<SendResult> {
    const { frozen, message } = await this.#prepareMail(mail, idempotencyKey);
    // What waits for its time has nothing to try now.
    const { enqueued, ended } =
      message.dueAt === null
        ? await this.courier.inline().send(message)
        : { enqueued: await this.#writer.write(message), ended: undefined };
    refuseConflict(enqueued, frozen);
    const id = formatId('message', enqueued.id);
    if (ended?.outcome?.event === 'accepted') {
      const messageId = formatMessageId(enqueued.id, this.store.installation, domainOf(message.sender));
      return { delivered: true, id, messageId, recorded: true };
    }
    const state = await this.#standing(enqueued.id, message.workspaceId);
    return enqueued.duplicate
      ? { duplicate: true, id, state: state.state }
      : { delivered: false, id, ...state };
  }

  async #standing(id: number, workspaceId: number): Promise<{ state: State; nextAttemptAt: number | null }> {
    const [message] = await this.store.read(readMessages(this.store, workspaceId, [id]));
    if (!message) throw new Error('a mail that was stored is not there');
    return { state: message.state, nextAttemptAt: message.nextAttemptAt };
  }

  /**
   * Stores a mail to be sent by a worker. Resolves when it is committed (with `tx`: when it is written, and
   * committed with your transaction). Throws `invalid_input` with the field, `idempotency_conflict`, or
   * `store_unavailable`; in all three cases nothing was stored.
   */
  async enqueue(mail: MailInput, { idempotencyKey, tx }: EnqueueOptions = {}): Promise<EnqueuedMail> {
    const { frozen, message } = await this.#prepareMail(mail, idempotencyKey);
    const enqueued = tx
      ? (await runWithin(tx, this.store.enqueueWithin([message])))[0]
      : await this.#writer.write(message);
    if (!enqueued) throw new Error('the store gave no answer for a mail');
    refuseConflict(enqueued, frozen);
    return { id: formatId('message', enqueued.id), duplicate: enqueued.duplicate };
  }

  async #prepareMail(
    mail: MailInput,
    idempotencyKey: string | undefined,
  ): Promise<{ frozen: FrozenMail; message: NewMessage }> {
    const account = await this.#accountOf(mail);
    const given = idempotencyKey === undefined ? mail : { ...mail, idempotencyKey };
    // A promise only when it has to be read: nearly every mail finds it known.
    const known = this.lane();
    const lane = known instanceof Promise ? await known : known;
    const frozen = freeze(given, mailboxOf(account), lane);
    const message = toMessage(frozen, account, await this.#channelOf(account.id));
    if (message.expiresAt !== null || lane.expirySeconds === null) return { frozen, message };
    const from = message.dueAt ?? (await this.store.now());
    return { frozen, message: { ...message, expiresAt: from + lane.expirySeconds * 1_000 } };
  }

  /** Many mails at once: what is wrong with one does not stop the others. */
  async enqueueMany(mails: readonly MailInput[]): Promise<BulkReport> {
    const ids: (string | undefined)[] = mails.map(() => undefined);
    const errors: { index: number; code: string; message: string }[] = [];
    let duplicates = 0;
    let next = 0;
    const work = async () => {
      while (next < mails.length) {
        const first = next;
        next += BULK_AT_ONCE;
        const batch = await this.#freezeBatch(mails, first, errors);
        const enqueued = await this.store.enqueue(batch.map(({ message }) => message));
        for (const [place, { index, frozen }] of batch.entries()) {
          const result = enqueued[place] as Enqueued;
          if (conflicts(result, frozen))
            errors.push({ index, code: 'idempotency_conflict', message: CONFLICT });
          else ids[index] = formatId('message', result.id);
          if (result.duplicate && !conflicts(result, frozen)) duplicates += 1;
        }
      }
    };
    await Promise.all(Array.from({ length: BULK_IN_PARALLEL }, work));
    errors.sort((a, b) => a.index - b.index);
    return { accepted: mails.length - duplicates - errors.length, duplicates, errors, ids };
  }

  async #freezeBatch(
    mails: readonly MailInput[],
    first: number,
    errors: { index: number; code: string; message: string }[],
  ): Promise<{ index: number; frozen: FrozenMail; message: NewMessage }[]> {
    const batch = [];
    for (const [place, mail] of mails.slice(first, first + BULK_AT_ONCE).entries()) {
      const index = first + place;
      try {
        batch.push({ index, ...(await this.#prepareMail(mail, undefined)) });
      } catch (error) {
        if (!(error instanceof PillarboxError) || error.code === 'store_unavailable') throw error;
        errors.push({ index, code: error.code, message: error.message });
      }
    }
    return batch;
  }

  async #accountOf(mail: MailInput): Promise<Account> {
    // Its shape is not checked yet; only a text can name an account.
    const accountId = (mail as { accountId?: unknown } | null | undefined)?.accountId;
    if (typeof accountId !== 'string') return this.account;
    const id = parseId('account', accountId);
    const account = id === undefined ? undefined : await this.store.read(findAccount(this.store, id));
    if (account?.workspaceId !== this.account.workspaceId) throw invalidInput('accountId', 'is not known');
    if (account.type !== 'email') throw invalidInput('accountId', 'is not an account that sends email');
    return account;
  }

  async #channelOf(accountId: number): Promise<number> {
    const known = this.#channels.get(accountId);
    if (known !== undefined) return known;
    const channelId = await this.store.transaction(ensureChannel(this.store, accountId, 'email', 'outbox'));
    this.#channels.set(accountId, channelId);
    return channelId;
  }
}

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

const CONFLICT = 'idempotencyKey: was used before, for a mail with different content';

const conflicts = (enqueued: Enqueued, frozen: FrozenMail): boolean =>
  enqueued.duplicate && enqueued.bodyHash !== null && enqueued.bodyHash !== frozen.hash;

function refuseConflict(enqueued: Enqueued, frozen: FrozenMail): void {
  if (conflicts(enqueued, frozen)) {
    throw new PillarboxError('idempotency_conflict', CONFLICT, { field: 'idempotencyKey' });
  }
}
