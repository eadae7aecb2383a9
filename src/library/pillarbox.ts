import { hostname } from 'node:os';
import { refuseUnknownSecrets } from '../access/sealed.js';
import type { Campaigns } from '../campaigns/campaigns.js';
import type { Contacts } from '../contacts/contacts.js';
import { ImportWatch } from '../contacts/import-watch.js';
import { RETENTION_DAYS } from '../core/delivery-settings.js';
import { PillarboxError } from '../core/errors.js';
import { knownOptions, type OptionNames } from '../core/known-options.js';
import type { Mailbox } from '../core/mail.js';
import { parseMailbox } from '../core/mailbox.js';
import type { Totals } from '../engine/counters.js';
import { Engine } from '../engine/engine.js';
import { Heartbeat } from '../engine/heartbeat.js';
import { Housekeeping } from '../engine/housekeeping.js';
import { makePass, type PassReport } from '../engine/pass.js';
import { Sweeper } from '../engine/sweeper.js';
import type { Guard } from '../guard/guard.js';
import type { Inbound } from '../inbound/inbound.js';
import type { Links } from '../links/links.js';
import { silent } from '../log/log.js';
import type { Messages } from '../messages/messages.js';
import type { Events } from '../notifications/events.js';
import type { Subscriptions } from '../notifications/subscriptions.js';
import type { Outbox } from '../outbox/outbox.js';
import type { PersonHash } from '../privacy/person-hash.js';
import type { Privacy } from '../privacy/privacy.js';
import type { Sequences } from '../sequences/sequences.js';
import { openStore } from '../store/open.js';
import { ensureWorkspace } from '../store/scripts/accounts.js';
import { clockOf, productOf } from '../store/scripts/product.js';
import { refuseElsewhere } from '../store/scripts/restoration.js';
import type { Store } from '../store/store.js';
import type { Suppressions } from '../suppressions/suppressions.js';
import type { Templates } from '../templates/templates.js';
import { openBrokerage, type Brokerage } from './brokerage.js';
import { ProcessCourier, type Condition } from './courier.js';
import {
  CONCURRENCY,
  LEASE_SECONDS,
  refuseUnknownOptions,
  type Options,
  type PillarboxOptions,
} from './options.js';
import { ownVersion } from './version.js';
import { defaultAccount, Workspace } from './workspace.js';

const PASS_LIMITS: OptionNames<PassLimits> = { limit: true, seconds: true, seen: true };

const DAY_MS = 24 * 3_600_000;
/** Of a pass; the rest is for the answers. */
const SHARE_FOR_CLAIMS = 0.75;

export interface PassLimits {
  /** How many messages to take at most. Default 1000. */
  readonly limit?: number | undefined;
  /** How long it may take. Default 20. */
  readonly seconds?: number | undefined;
  /** Whether it counts as a worker until the next one is overdue. Default true; false if there will be none. */
  readonly seen?: boolean | undefined;
}

/** Opens the database, brings its schema up to date, and makes the workspace and its default account if needed. */
export async function createPillarbox(options: PillarboxOptions): Promise<Pillarbox> {
  refuseUnknownOptions(options);
  const log = options.log ?? silent;
  const leaseMs = (options.leaseSeconds ?? LEASE_SECONDS) * 1_000;
  const from = options.from === undefined ? undefined : parseMailbox('from', options.from);
  const { databaseUrl, databaseDirectUrl, clock, schema } = options;
  const store = await openStore({
    databaseUrl,
    databaseDirectUrl,
    leaseMs,
    clock,
    log,
    ...(schema !== undefined && { schema }),
  });
  try {
    const courier = new ProcessCourier(store, { ...options, log });
    const now = await store.now();
    const account = await store.transaction(() =>
      homeAccount(store, options.workspace ?? 'default', from, now),
    );
    const home = new Workspace(store, account, courier.workspaceOptions);
    await home.outbox.prepare();
    return new Pillarbox(
      store,
      home,
      courier,
      { ...options, log },
      await openBrokerage(store, { ...options, log }),
    );
  } catch (error) {
    await store.close();
    throw error;
  }
}

function* homeAccount(store: Store, workspace: string, from: Mailbox | undefined, now: number) {
  const workspaceId = yield* ensureWorkspace(store, workspace, now);
  return yield* defaultAccount(store, workspaceId, from, now);
}

/** A durable mail engine. Mail goes in once and leaves once. */
export class Pillarbox {
  readonly outbox: Outbox;
  readonly messages: Messages;
  readonly suppressions: Suppressions;
  readonly contacts: Contacts;
  /** Who is written to, what, from which accounts, and when. */
  readonly campaigns: Campaigns;
  /** What happened, and who is told of it. */
  readonly events: Events;
  /** Who wants to be told of what. */
  readonly subscriptions: Subscriptions;
  /** What comes back: replies, bounces, complaints, acceptances, automatic answers. */
  readonly inbound: Inbound;
  /** What accounts may send, and what is planned against it. */
  readonly guard: Guard;
  readonly privacy: Privacy;
  /** What people are written to, step by step. */
  readonly sequences: Sequences;
  /** What notifications say. */
  readonly templates: Templates;
  readonly #workspaces = new Map<number, Promise<Workspace>>();
  #engine: Engine | undefined;
  readonly #sweeper: Sweeper;
  readonly #housekeeping: Housekeeping;
  readonly #imports: ImportWatch;
  #closed: Promise<void> | undefined;

  constructor(
    /** For the service around it; not part of what the library promises. */
    readonly store: Store,
    /** The workspace that `outbox` and `messages` belong to. */
    readonly home: Workspace,
    private readonly courier: ProcessCourier,
    private readonly options: Options,
    /** How it stands with the broker, for the service around it. Undefined: there is none. */
    readonly broker?: Brokerage,
  ) {
    this.outbox = home.outbox;
    this.messages = home.messages;
    this.suppressions = home.suppressions;
    this.contacts = home.contacts;
    this.campaigns = home.campaigns;
    this.events = home.events;
    this.subscriptions = home.subscriptions;
    this.inbound = home.inbound;
    this.guard = home.guard;
    this.privacy = home.privacy;
    this.sequences = home.sequences;
    this.templates = home.templates;
    const { retentionDays = RETENTION_DAYS, log } = options;
    this.#sweeper = new Sweeper(store, retentionDays * DAY_MS, log);
    this.#housekeeping = new Housekeeping(this.#sweeper, log);
    this.#housekeeping.start();
    const runnerOf = async (id: number) => (await this.workspace(id)).contacts.runner;
    this.#imports = new ImportWatch(store, runnerOf, log);
    this.#imports.start();
  }

  /** Another workspace of this installation, which must be there. Its default account is made if needed. */
  workspace(id: number): Promise<Workspace> {
    let workspace = this.#workspaces.get(id);
    if (!workspace) {
      workspace = this.#openWorkspace(id);
      this.#workspaces.set(id, workspace);
      // What failed for want of a database is tried again by the next who asks.
      workspace.catch(() => this.#workspaces.delete(id));
    }
    return workspace;
  }

  async #openWorkspace(id: number): Promise<Workspace> {
    if (id === this.home.id) return this.home;
    const { store, courier } = this;
    const from = this.options.from === undefined ? undefined : parseMailbox('from', this.options.from);
    const now = await store.now();
    const account = await store.transaction(() => defaultAccount(store, id, from, now));
    const workspace = new Workspace(store, account, courier.workspaceOptions);
    await workspace.outbox.prepare();
    return workspace;
  }

  /** What the links of mails say. For the service around it. */
  get links(): Links {
    return this.courier.links;
  }

  /** Makes hashes of addresses that must not be kept. For the service around it. */
  get personHash(): PersonHash {
    return this.courier.hash;
  }

  /** What the worker in this process has done so far. */
  get totals(): Readonly<Totals> | undefined {
    return this.#engine?.totals;
  }

  /** How what sends in this process is; undefined if it sends nothing. */
  get condition(): Condition | undefined {
    return this.courier.condition;
  }

  /** Starts a worker in this process. */
  async start(): Promise<void> {
    await this.#refuseIfUnfit();
    if (this.#engine) return;
    // The worker does the chores, every second.
    await this.#housekeeping.stop();
    this.#refuseStopped();
    const {
      concurrency = CONCURRENCY,
      leaseSeconds = LEASE_SECONDS,
      retentionDays = RETENTION_DAYS,
      log,
    } = this.options;
    this.#engine = new Engine({
      store: this.store,
      dispatch: this.courier.dispatch,
      concurrency,
      leaseMs: leaseSeconds * 1_000,
      retentionMs: retentionDays * DAY_MS,
      dispatcher: this.broker?.dispatcher(),
      heartbeat: this.#signOfLife(),
      chores: [this.courier.planning.chore, this.courier.fanOut.chore],
      log,
    });
    await this.#engine.start();
  }

  /** Starts a relay in this process: it passes due mail on to the broker. Not beside a worker: two objects are for two. */
  async startRelay(): Promise<void> {
    const { broker } = this;
    if (!broker) throw new PillarboxError('invalid_config', 'amqpUrl: is needed by a relay');
    if (this.#engine)
      throw new PillarboxError('invalid_config', 'a worker runs here; make another Pillarbox for a relay');
    await this.#refuseElsewhere();
    await broker.startRelay();
  }

  /**
   * One bounded round of a worker's work in this process, for places where only a timer starts things. Safe beside
   * workers and beside itself. What has not ended in time goes on under its lease.
   */
  async pass(limits: PassLimits = {}): Promise<PassReport> {
    knownOptions(limits, PASS_LIMITS);
    const { limit = 1_000, seconds = 20, seen = true } = limits;
    await this.#refuseIfUnfit();
    const { store } = this;
    const { concurrency = CONCURRENCY, log } = this.options;
    const claimMs = seconds * 1_000 * SHARE_FOR_CLAIMS;
    const waitMs = seconds * 1_000 - claimMs;
    const { dispatch } = this.courier;
    // Where only a timer starts things this is all the worker there is: it counts as one until the next is overdue.
    if (seen) await this.#signOfLife().beat();
    return makePass({ store, dispatch, sweeper: this.#sweeper, log, concurrency, limit, claimMs, waitMs });
  }

  #signOfLife(): Heartbeat {
    const { store, courier, options } = this;
    const { worker: name } = courier.dispatch;
    const worker = { name, kind: 'worker', host: hostname(), version: ownVersion() } as const;
    const { counters } = courier.dispatch;
    const nothing = { queued: 0, published: 0, again: 0, returned: 0, away: false };
    let said = 0;
    return new Heartbeat(store, worker, options.log, {
      work: () => ({
        places: options.concurrency ?? CONCURRENCY,
        done: counters.totals.sent,
        leasesLost: counters.totals.leasesLost,
        confirmMs: null,
      }),
      relay: () => ({ ...nothing, dropped: counters.dropped - said }),
      relayed: ({ dropped }) => (said += dropped),
    });
  }

  /** Without the key to their credentials a worker would take every account for broken; in a copy, sent mail for due. */
  async #refuseIfUnfit(): Promise<void> {
    await this.#refuseElsewhere();
    await this.store.read(refuseUnknownSecrets(this.store, this.courier.secrets));
    this.#refuseStopped();
  }

  async #refuseElsewhere(): Promise<void> {
    this.#refuseStopped();
    const residence = await this.store.residence();
    await this.store.transaction(() => refuseElsewhere(this.store, residence));
  }

  #refuseStopped(): void {
    if (this.#closed) throw new PillarboxError('stopped', 'this Pillarbox was stopped; make a new one');
  }

  /** What time it is by the database's clock, virtual if so configured: what every instant is measured by. */
  now(): Promise<number> {
    return this.store.now();
  }

  /** Whether the database answers, what it is, how fast, and by how much its clock is ahead of ours if it has one. */
  async ping(): Promise<{ product: string; roundTripMs: number; skewMs: number | undefined }> {
    const { store } = this;
    const started = performance.now();
    const startedAt = Date.now();
    const clock = await store.read(clockOf(store));
    const roundTripMs = performance.now() - started;
    const skewMs = clock === undefined ? undefined : clock - (startedAt + roundTripMs / 2);
    return { product: await store.read(productOf(store)), roundTripMs, skewMs };
  }

  /** Hands back what has not left, waits for what is leaving, and closes the database. Safe to call twice. */
  stop(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#housekeeping.stop();
      await this.#imports.stop();
      await this.#stopRunners();
      await this.#engine?.stop();
      await this.broker?.stop();
      await this.courier.stop();
      await this.store.close();
    })();
    return this.#closed;
  }

  async #stopRunners(): Promise<void> {
    const opened = await Promise.allSettled(this.#workspaces.values());
    const others = opened.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    for (const { contacts } of [this.home, ...others]) await contacts.runner.stop();
  }

  pause(reason: string): Promise<void> {
    return this.home.pause(reason);
  }

  resume(): Promise<void> {
    return this.home.resume();
  }

  suppress(address: string): Promise<void> {
    return this.home.suppress(address);
  }

  unsuppress(address: string): Promise<boolean> {
    return this.home.unsuppress(address);
  }
}
