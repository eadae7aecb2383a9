import { hostname } from 'node:os';
import { refuseUnknownSecrets } from './access/sealed-transport.js';
import { SecretBox } from './access/secret-box.js';
import { RETENTION_DAYS } from './core/delivery-settings.js';
import type { Mailbox } from './core/mail.js';
import { parseMailbox } from './core/mailbox.js';
import { Dispatch } from './engine/dispatch.js';
import { Engine } from './engine/engine.js';
import { Heartbeat } from './engine/heartbeat.js';
import type { Observer, Tally } from './engine/counters.js';
import type { Probe } from './engine/fault-points.js';
import { makePass, type PassReport } from './engine/pass.js';
import { Sweeper } from './engine/sweeper.js';
import { PillarboxError } from './errors.js';
import { silent, type Logger } from './log.js';
import type { Messages } from './messages.js';
import { InlineSender } from './outbox/inline.js';
import type { Courier, Outbox } from './outbox/outbox.js';
import { openStore } from './store/open.js';
import { ensureWorkspace, type Account } from './store/scripts/accounts.js';
import { clockOf, productOf } from './store/scripts/product.js';
import type { Store } from './store/store.js';
import type { Transport } from './transport/transport.js';
import { Transports, type Confinement } from './transports.js';
import { ownVersion } from './version.js';
import { defaultAccount, Workspace, type Means } from './workspace.js';

export interface PillarboxOptions {
  /** `sqlite:./mail.db` or `postgres://…` */
  readonly databaseUrl: string;
  /** PostgreSQL only: the schema that holds all tables. Default `pillarbox`. */
  readonly schema?: string | undefined;
  /** Everything this object sees and does belongs to this workspace. Default `default`. */
  readonly workspace?: string | undefined;
  /** Who the mail is from: an address, or `Name <address>`. Default `Pillarbox <pillarbox@localhost>`. */
  readonly from?: string | undefined;
  /** How the default account sends: `smtp://user:password@host:port` or `smtps://…`. */
  readonly smtpUrl?: string | undefined;
  /** How many connections to keep to that server. Default 5. */
  readonly maxConnections?: number | undefined;
  /** Another way to send, instead of `smtpUrl`. One of the two is needed by `start`, not by those who only enqueue. */
  readonly transport?: Transport | undefined;
  /** Encrypts the credentials of stored accounts. Several: the first is used, the former ones still open. */
  readonly secret?: string | readonly string[] | undefined;
  /** May accounts that people add point to private addresses, and to directories of this machine? Default no. */
  readonly allowPrivateHosts?: boolean | undefined;
  /** While it answers something, accounts that people add reach nothing but this machine, and are told so. */
  readonly confined?: (() => Confinement | undefined) | undefined;
  /** How long a claim is held without a sign of life. At least 5 in earnest; tests use less. Default 120. */
  readonly leaseSeconds?: number | undefined;
  /** Sends at once in this process. Default 20. */
  readonly concurrency?: number | undefined;
  /** How long `outbox.send` may keep its caller waiting. Default 2. */
  readonly inlineSeconds?: number | undefined;
  /** How long `stop` waits for what has been handed over. Default 30. */
  readonly graceSeconds?: number | undefined;
  /** Contents and attempts of finished messages are forgotten after so many days. Default 30. */
  readonly retentionDays?: number | undefined;
  /** Virtual time for demos and checks: `2026-11-16T08:59:00-05:00*600`. */
  readonly clock?: string | undefined;
  /** pino, or anything like it. Nothing is logged without it. */
  readonly log?: Logger | undefined;
  /** Told of everything that is claimed and settled here; metrics hang on it. */
  readonly observer?: Observer | undefined;
  /** For crash tests only. */
  readonly probe?: Probe | undefined;
}

const DAY_MS = 24 * 3_600_000;
const LEASE_SECONDS = 120;
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
  const log = options.log ?? silent;
  const leaseMs = (options.leaseSeconds ?? LEASE_SECONDS) * 1_000;
  const from = options.from === undefined ? undefined : parseMailbox('from', options.from);
  const { databaseUrl, clock, schema } = options;
  const store = await openStore({
    databaseUrl,
    leaseMs,
    clock,
    log,
    ...(schema !== undefined && { schema }),
  });
  try {
    const courier = new ProcessCourier(store, { ...options, log });
    const account = await store.transaction(
      homeAccount(store, options.workspace ?? 'default', from, await store.now()),
    );
    const home = new Workspace(store, account, courier.means);
    await home.outbox.prepare();
    return new Pillarbox(store, home, courier, { ...options, log });
  } catch (error) {
    await store.close();
    throw error;
  }
}

function* homeAccount(store: Store, workspace: string, from: Mailbox | undefined, now: number) {
  const workspaceId = yield* ensureWorkspace(store, workspace, now);
  return yield* defaultAccount(store, workspaceId, from, now);
}

type Options = PillarboxOptions & { readonly log: Logger };

/** How this process sends; made when it is first needed, because those who only enqueue need none of it. */
class ProcessCourier implements Courier {
  readonly secrets: SecretBox;
  readonly means: Means;
  readonly #transports: Transports;
  #dispatch: Dispatch | undefined;
  #inline: InlineSender | undefined;

  constructor(
    private readonly store: Store,
    private readonly options: Options,
  ) {
    const { secret = [], retentionDays } = options;
    this.secrets = new SecretBox(typeof secret === 'string' ? [secret] : secret, store.installation);
    this.#transports = new Transports(options, this.secrets);
    this.means = { courier: this, transports: this.#transports, retentionDays };
  }

  get dispatch(): Dispatch {
    const { leaseSeconds = LEASE_SECONDS, graceSeconds = 30, log, observer, probe } = this.options;
    // Whoever is to send must say how, before the first mail finds out.
    this.#transports.own();
    this.#dispatch ??= new Dispatch({
      store: this.store,
      transports: (account) => this.transportOf(account),
      leaseMs: leaseSeconds * 1_000,
      graceMs: graceSeconds * 1_000,
      log,
      observer,
      probe,
    });
    return this.#dispatch;
  }

  inline(): InlineSender {
    this.#inline ??= new InlineSender(this.store, this.dispatch, (this.options.inlineSeconds ?? 2) * 1_000);
    return this.#inline;
  }

  transportOf(account: Account): Transport {
    return this.#transports.of(account);
  }

  async stop(): Promise<void> {
    if (this.#dispatch?.stopping === false) await this.#dispatch.stop();
  }
}

/** A durable mail engine. Mail goes in once and leaves once. */
export class Pillarbox {
  readonly outbox: Outbox;
  readonly messages: Messages;
  readonly #workspaces = new Map<number, Promise<Workspace>>();
  #engine: Engine | undefined;
  #sweeper: Sweeper | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    /** For the service around it; not part of what the library promises. */
    readonly store: Store,
    /** The workspace that `outbox` and `messages` belong to. */
    readonly home: Workspace,
    private readonly courier: ProcessCourier,
    private readonly options: Options,
  ) {
    this.outbox = home.outbox;
    this.messages = home.messages;
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
    const account = await store.transaction(defaultAccount(store, id, from, await store.now()));
    const workspace = new Workspace(store, account, courier.means);
    await workspace.outbox.prepare();
    return workspace;
  }

  /** What the worker in this process has done so far. */
  get tally(): Readonly<Tally> | undefined {
    return this.#engine?.tally;
  }

  /** Starts a worker in this process. */
  async start(): Promise<void> {
    await this.#refuseIfUnfit();
    if (this.#engine) return;
    const {
      concurrency = 20,
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
      heartbeat: this.#signOfLife(),
      log,
    });
    await this.#engine.start();
  }

  /**
   * One bounded round of a worker's work in this process, for places where only a timer starts things. Safe beside
   * workers and beside itself. What has not ended in time goes on under its lease.
   */
  async pass({ limit = 1_000, seconds = 20, seen = true }: PassLimits = {}): Promise<PassReport> {
    await this.#refuseIfUnfit();
    const { store } = this;
    const { concurrency = 20, retentionDays = RETENTION_DAYS, log } = this.options;
    this.#sweeper ??= new Sweeper(store, retentionDays * DAY_MS, log);
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
    return new Heartbeat(store, worker, options.log);
  }

  /** Without the key to their credentials a worker would take every account for broken. */
  async #refuseIfUnfit(): Promise<void> {
    this.#refuseStopped();
    await this.store.read(refuseUnknownSecrets(this.store, this.courier.secrets));
    this.#refuseStopped();
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
      await this.#engine?.stop();
      await this.courier.stop();
      await this.store.close();
    })();
    return this.#closed;
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
