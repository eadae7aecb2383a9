import { DELIVERY_DEFAULTS, type LaneDelivery } from '../core/delivery-settings.js';
import { invalidInput } from '../core/errors.js';
import { parseId } from '../core/ids.js';
import type { Mail } from '../core/mail.js';
import type { RetryPolicy } from '../core/retry.js';
import type { Script } from '../store/script.js';
import { ensureChannel, findAccount, type Account } from '../store/scripts/accounts.js';
import { ensureGuardedChannel } from '../store/scripts/openings.js';
import type { NewMessage, Store } from '../store/store.js';
import { runWithin, type Tx } from '../store/tx.js';
import { freeze, type FrozenMail } from './freeze.js';
import type { MailInput } from './mail-input.js';

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

export interface PreparerOptions {
  readonly store: Store;
  /** The default one. */
  readonly account: Account;
  /** What an operator has made of the policy `dispatcher`. */
  readonly dispatcherPolicy?: RetryPolicy | undefined;
  /** What holds for new mail unless it says otherwise. */
  readonly lane?: (() => LaneDelivery | Promise<LaneDelivery>) | undefined;
  readonly door?: Door | undefined;
}

/** What the mails of one batch share is read once. */
export interface Common {
  readonly tx?: Tx | undefined;
  accounts?: Map<string, Promise<Account | undefined>>;
  now?: Promise<number>;
}

/** A mail that is checked and fixed, and the message that it becomes. */
export interface Prepared {
  readonly frozen: FrozenMail;
  readonly message: NewMessage;
}

/** Makes a mail ready to be stored: everything that can be wrong with it is said here. */
export class Preparer {
  readonly #lane: () => LaneDelivery | Promise<LaneDelivery>;
  readonly #door: Door;
  /** By account. */
  readonly #channels = new Map<number, number>();
  readonly #guardedChannels = new Map<number, number>();

  constructor(private readonly options: PreparerOptions) {
    this.#lane = options.lane ?? (() => DELIVERY_DEFAULTS.lanes.outbox);
    this.#door = options.door ?? OPEN_DOOR;
  }

  /** Before a caller's transaction holds the only write lock of SQLite, the default channel must be there. */
  async warmUp(): Promise<void> {
    await this.#channelOf(this.options.account.id, false);
    await this.#lane();
  }

  async prepare(mail: MailInput, idempotencyKey: string | undefined, common: Common = {}): Promise<Prepared> {
    const { store, dispatcherPolicy } = this.options;
    const { tx } = common;
    // Promises only of what has to be read: nearly every mail finds all of it known.
    const sender = this.#accountOf(mail, common);
    const account = sender instanceof Promise ? await sender : sender;
    const given = idempotencyKey === undefined ? mail : { ...mail, idempotencyKey };
    const known = this.#lane();
    const lane = known instanceof Promise ? await known : known;
    const frozen = freeze(given, mailboxOf(account), lane, dispatcherPolicy);
    if (this.#door.asks) {
      await this.#door.pass(addressesOf(frozen.mail), (script) =>
        tx === undefined ? store.transaction(script) : runWithin(tx, store, script),
      );
    }
    const channel = this.#channelOf(account.id, frozen.guarded, tx);
    const channelId = channel instanceof Promise ? await channel : channel;
    const message = toMessage(frozen, account, channelId);
    if (message.expiresAt !== null || lane.expirySeconds === null) return { frozen, message };
    const from = message.dueAt ?? (await (common.now ??= store.now()));
    return { frozen, message: { ...message, expiresAt: from + lane.expirySeconds * 1_000 } };
  }

  #accountOf(mail: MailInput, common: Common): Account | Promise<Account> {
    // Its shape is not checked yet; only a text can name an account.
    const accountId = (mail as { accountId?: unknown } | null | undefined)?.accountId;
    return typeof accountId === 'string' ? this.#namedAccount(accountId, common) : this.options.account;
  }

  async #namedAccount(accountId: string, common: Common): Promise<Account> {
    common.accounts ??= new Map();
    const known = common.accounts.get(accountId) ?? this.#findAccount(accountId);
    common.accounts.set(accountId, known);
    const account = await known;
    if (account?.workspaceId !== this.options.account.workspaceId)
      throw invalidInput('accountId', 'is not known');
    if (account.type !== 'email') throw invalidInput('accountId', 'is not an account that sends email');
    return account;
  }

  #findAccount(accountId: string): Promise<Account | undefined> {
    const { store } = this.options;
    const id = parseId('account', accountId);
    return id === undefined ? Promise.resolve(undefined) : store.read(findAccount(store, id));
  }

  #channelOf(accountId: number, guarded: boolean, tx?: Tx): number | Promise<number> {
    const channels = guarded ? this.#guardedChannels : this.#channels;
    return channels.get(accountId) ?? this.#ensureChannel(accountId, guarded, tx);
  }

  async #ensureChannel(accountId: number, guarded: boolean, tx: Tx | undefined): Promise<number> {
    const { store } = this.options;
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

export const mailboxOf = ({ emailAddress, displayName }: Account) => ({
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
