import { PROCESS_TRANSPORT } from '../access/sealed-transport.js';
import { Accounts } from '../accounts/accounts.js';
import { Campaigns } from '../campaigns/campaigns.js';
import type { Planning } from '../campaigns/planning.js';
import type { CampaignSimulator } from '../campaigns/simulator.js';
import { Contacts } from '../contacts/contacts.js';
import { RETENTION_DAYS } from '../core/delivery-settings.js';
import type { Mailbox } from '../core/mail.js';
import { parseMailbox } from '../core/mailbox.js';
import { PillarboxError } from '../core/errors.js';
import { Guard } from '../guard/guard.js';
import { Inbound } from '../inbound/inbound.js';
import { Messages } from '../messages/messages.js';
import type { Links } from '../links/links.js';
import type { Logger } from '../log/log.js';
import { Events } from '../notifications/events.js';
import { MailJobs } from '../notifications/mail-jobs.js';
import { Subjects } from '../notifications/subjects.js';
import { Subscriptions } from '../notifications/subscriptions.js';
import { Outbox, type Courier } from '../outbox/outbox.js';
import { Door } from '../privacy/door.js';
import type { PersonHash } from '../privacy/person-hash.js';
import { Privacy } from '../privacy/privacy.js';
import { Sequences } from '../sequences/sequences.js';
import {
  ensureAccount,
  pauseAccount,
  renameSender,
  resumeAccount,
  type Account,
} from '../store/scripts/accounts.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { Suppressions } from '../suppressions/suppressions.js';
import type { TemplateLibrary } from '../templates/library.js';
import { Templates } from '../templates/templates.js';
import type { RenderPool } from '../templates/render-pool.js';
import type { Transports } from '../accounts/transports.js';
import { WorkspaceSettings } from '../settings/workspace-settings.js';

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
export interface WorkspaceOptions {
  readonly courier: Courier;
  readonly transports: Transports;
  readonly retentionDays?: number | undefined;
  readonly hash: PersonHash;
  /** In which templates are rendered. */
  readonly pool: RenderPool;
  readonly library: TemplateLibrary;
  readonly links: Links;
  readonly planning: Planning;
  readonly simulator: CampaignSimulator;
  readonly log: Logger;
}

/** Everything that one workspace sees and does. What belongs to another is not there. */
export class Workspace {
  readonly id: number;
  readonly outbox: Outbox;
  readonly messages: Messages;
  readonly accounts: Accounts;
  readonly settings: WorkspaceSettings;
  readonly guard: Guard;
  readonly suppressions: Suppressions;
  /** What people are written to, step by step. */
  readonly sequences: Sequences;
  /** What notifications say. */
  readonly templates: Templates;
  readonly contacts: Contacts;
  /** Who is written to, what, from which accounts, and when. */
  readonly campaigns: Campaigns;
  /** What happened, and who is told of it. */
  readonly events: Events;
  /** Who wants to be told of what. */
  readonly subscriptions: Subscriptions;
  /** Jobs of other producers. */
  readonly mailJobs: MailJobs;
  /** What comes back. */
  readonly inbound: Inbound;
  /** What is kept about a person, and the end of it. */
  readonly privacy: Privacy;

  constructor(
    private readonly store: Store,
    private readonly account: Account,
    {
      courier,
      transports,
      retentionDays = RETENTION_DAYS,
      hash,
      pool,
      library,
      links,
      planning,
      simulator,
      log,
    }: WorkspaceOptions,
  ) {
    this.id = account.workspaceId;
    this.settings = new WorkspaceSettings(store, this.id, retentionDays);
    this.guard = new Guard(store, this.id);
    this.accounts = new Accounts(store, account, transports);
    const door = new Door(store, this.id, hash, log);
    this.outbox = new Outbox(store, account, courier, { lane: () => this.settings.outboxLane(), door });
    this.sequences = new Sequences(store, this.id, {
      ...{ pool, links },
      profile: () => this.settings.profile(),
      lane: () => this.settings.outboxLane(),
      door: (addresses, write) => door.pass(addresses, write),
    });
    this.templates = new Templates(store, this.id, {
      ...{ pool, library, links },
      defaultLocale: async () => (await this.settings.profile()).defaultLocale,
      lane: () => this.settings.outboxLane(),
      door: (addresses, write) => door.pass(addresses, write),
    });
    this.contacts = new Contacts(store, this.id, (addresses, write) => door.pass(addresses, write), log);
    this.campaigns = new Campaigns(store, this.id, planning, links, pool, simulator);
    const notificationLane = async () => (await this.settings.delivery()).lanes.notification;
    const pass = (...[addresses, write]: Parameters<Door['pass']>) => door.pass(addresses, write);
    this.events = new Events({ store, account, library, links, lane: notificationLane });
    this.subscriptions = new Subscriptions(store, account, links, pass);
    this.mailJobs = new MailJobs(store, account, notificationLane, pass);
    this.inbound = new Inbound(store, this.id);
    this.privacy = new Privacy(store, this.id, hash);
    const subjects = new Subjects(store, this.id, library, links);
    this.messages = new Messages(store, this.id, (messages) => subjects.putInto(messages));
    this.suppressions = new Suppressions(store, account.workspaceId, (email) => this.privacy.findHash(email));
  }

  /** The default account stops sending, on every machine and within a second. Its mail waits. */
  async pause(reason: string): Promise<void> {
    const now = await this.store.now();
    await this.store.transaction(() => pauseAccount(this.store, this.account.id, reason, now));
  }

  /** It goes on; a cool-down that is still running is kept. */
  async resume(): Promise<void> {
    const now = await this.store.now();
    await this.store.transaction(() => resumeAccount(this.store, this.account.id, now));
  }

  /** Nothing more goes to this address, from the very next hand-over on. */
  async suppress(address: string): Promise<void> {
    const { email } = parseMailbox('address', address);
    await this.suppressions.add({ email });
  }

  /** Whatever the reason: whoever calls this has the database in his hands. False: it was not on the list. */
  async unsuppress(address: string): Promise<boolean> {
    const { email } = parseMailbox('address', address);
    const hidden = await this.privacy.forgetHash(email);
    try {
      await this.suppressions.remove(email, { evenComplaints: true });
      return true;
    } catch (error) {
      if (error instanceof PillarboxError && error.code === 'not_found') return hidden;
      throw error;
    }
  }
}
