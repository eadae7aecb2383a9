import { PROCESS_TRANSPORT } from './access/sealed-transport.js';
import { Accounts } from './accounts.js';
import { RETENTION_DAYS } from './core/delivery-settings.js';
import type { Mailbox } from './core/mail.js';
import { parseMailbox } from './core/mailbox.js';
import { Messages } from './messages.js';
import { Outbox, type Courier } from './outbox/outbox.js';
import {
  ensureAccount,
  pauseAccount,
  renameSender,
  resumeAccount,
  type Account,
} from './store/scripts/accounts.js';
import { suppress, unsuppress } from './store/scripts/suppressions.js';
import type { Script } from './store/script.js';
import type { Store } from './store/store.js';
import type { Transports } from './transports.js';
import { WorkspaceSettings } from './workspace-settings.js';

const NOBODY: Mailbox = { email: 'pillarbox@localhost', name: 'Pillarbox' };

/** The default account of a workspace, made if needed. */
export function* defaultAccount(
  store: Store,
  workspaceId: number,
  from: Mailbox | undefined,
  now: number,
): Script<Account> {
  const { email, name } = from ?? NOBODY;
  const wanted = {
    name: 'default',
    emailAddress: email,
    displayName: name ?? null,
    transport: PROCESS_TRANSPORT,
  };
  const account = yield* ensureAccount(store, workspaceId, wanted, now);
  // A process that does not say who it writes as, such as a command that only looks, changes nobody's sender.
  return from ? yield* renameSender(store, account, from, now) : account;
}

/** How this process sends, and what holds in it unless a workspace says otherwise. */
export interface Means {
  readonly courier: Courier;
  readonly transports: Transports;
  readonly retentionDays?: number | undefined;
}

/** Everything that one workspace sees and does. What belongs to another is not there. */
export class Workspace {
  readonly id: number;
  readonly outbox: Outbox;
  readonly messages: Messages;
  readonly accounts: Accounts;
  readonly settings: WorkspaceSettings;

  constructor(
    private readonly store: Store,
    private readonly account: Account,
    { courier, transports, retentionDays = RETENTION_DAYS }: Means,
  ) {
    this.id = account.workspaceId;
    this.settings = new WorkspaceSettings(store, this.id, retentionDays);
    this.accounts = new Accounts(store, account, transports);
    this.outbox = new Outbox(store, account, courier, () => this.settings.outboxLane());
    this.messages = new Messages(store, account.workspaceId);
  }

  /** The default account stops sending, on every machine and within a second. Its mail waits. */
  async pause(reason: string): Promise<void> {
    await this.store.transaction(pauseAccount(this.store, this.account.id, reason, await this.store.now()));
  }

  /** It goes on; a cool-down that is still running is kept. */
  async resume(): Promise<void> {
    await this.store.transaction(resumeAccount(this.store, this.account.id, await this.store.now()));
  }

  /** Nothing more goes to this address, from the very next hand-over on. */
  async suppress(address: string): Promise<void> {
    const { email } = parseMailbox('address', address);
    await this.store.transaction(suppress(this.store, this.id, email, 'manual', await this.store.now()));
  }

  async unsuppress(address: string): Promise<boolean> {
    const { email } = parseMailbox('address', address);
    return this.store.transaction(unsuppress(this.store, this.id, email));
  }
}
