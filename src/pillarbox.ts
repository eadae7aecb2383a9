import type { Mailbox } from './core/mail.js';
import { parseMailbox } from './core/mailbox.js';
import { Engine } from './engine/engine.js';
import type { Tally } from './engine/counters.js';
import type { Probe } from './engine/fault-points.js';
import { PillarboxError } from './errors.js';
import { silent, type Logger } from './log.js';
import { Messages } from './messages.js';
import { Outbox } from './outbox/outbox.js';
import { openStore } from './store/open.js';
import {
  ensureAccount,
  ensureWorkspace,
  pauseAccount,
  renameSender,
  resumeAccount,
  type Account,
} from './store/scripts/accounts.js';
import { productOf } from './store/scripts/product.js';
import { suppress, unsuppress } from './store/scripts/suppressions.js';
import type { Script } from './store/script.js';
import type { Store } from './store/store.js';
import { SmtpTransport } from './transport/smtp/transport.js';
import type { Transport } from './transport/transport.js';

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
  /** How long a claim is held without a sign of life. At least 5 in earnest; tests use less. Default 120. */
  readonly leaseSeconds?: number | undefined;
  /** Sends at once in this process. Default 20. */
  readonly concurrency?: number | undefined;
  /** How long `stop` waits for what has been handed over. Default 30. */
  readonly graceSeconds?: number | undefined;
  /** Contents and attempts of finished messages are forgotten after so many days. Default 30. */
  readonly retentionDays?: number | undefined;
  /** Virtual time for demos and checks: `2026-11-16T08:59:00-05:00*600`. */
  readonly clock?: string | undefined;
  /** pino, or anything like it. Nothing is logged without it. */
  readonly log?: Logger | undefined;
  /** For crash tests only. */
  readonly probe?: Probe | undefined;
}

const DAY_MS = 24 * 3_600_000;
const NOBODY: Mailbox = { email: 'pillarbox@localhost', name: 'Pillarbox' };
/** The default account sends as this process says; its credentials are not stored. */
const FROM_PROCESS = JSON.stringify({ kind: 'process' });

/** Opens the database, brings its schema up to date, and makes the workspace and its default account if needed. */
export async function createPillarbox(options: PillarboxOptions): Promise<Pillarbox> {
  const log = options.log ?? silent;
  const leaseMs = (options.leaseSeconds ?? 120) * 1_000;
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
    const account = await store.transaction(
      defaultAccount(store, options.workspace ?? 'default', from, await store.now()),
    );
    const box = new Pillarbox(store, account, { ...options, log });
    await box.prepare();
    return box;
  } catch (error) {
    await store.close();
    throw error;
  }
}

function* defaultAccount(
  store: Store,
  workspace: string,
  from: Mailbox | undefined,
  now: number,
): Script<Account> {
  const workspaceId = yield* ensureWorkspace(store, workspace, now);
  const { email, name } = from ?? NOBODY;
  const wanted = { name: 'default', emailAddress: email, displayName: name ?? null, transport: FROM_PROCESS };
  const account = yield* ensureAccount(store, workspaceId, wanted, now);
  // A process that does not say who it writes as, such as a command that only looks, changes nobody's sender.
  return from ? yield* renameSender(store, account, from, now) : account;
}

/** A durable mail engine. Mail goes in once and leaves once. */
export class Pillarbox {
  readonly outbox: Outbox;
  readonly messages: Messages;
  #engine: Engine | undefined;
  #closed: Promise<void> | undefined;

  constructor(
    private readonly store: Store,
    private readonly account: Account,
    private readonly options: PillarboxOptions & { readonly log: Logger },
  ) {
    this.outbox = new Outbox(store, account);
    this.messages = new Messages(store, account.workspaceId);
  }

  async prepare(): Promise<void> {
    await this.outbox.prepare();
  }

  /** What the worker in this process has done so far. */
  get tally(): Readonly<Tally> | undefined {
    return this.#engine?.tally;
  }

  /** Starts a worker in this process. */
  async start(): Promise<void> {
    if (this.#closed) throw new PillarboxError('stopped', 'this Pillarbox was stopped; make a new one');
    if (this.#engine) return;
    const { concurrency = 20, leaseSeconds = 120, graceSeconds = 30, retentionDays = 30 } = this.options;
    const transport = this.#transport();
    this.#engine = new Engine({
      store: this.store,
      transports: () => transport,
      concurrency,
      leaseMs: leaseSeconds * 1_000,
      graceMs: graceSeconds * 1_000,
      retentionMs: retentionDays * DAY_MS,
      log: this.options.log,
      probe: this.options.probe,
    });
    await this.#engine.start();
  }

  #transport(): Transport {
    const { transport, smtpUrl: url, maxConnections } = this.options;
    if (transport) return transport;
    if (url === undefined) {
      throw new PillarboxError(
        'invalid_config',
        'smtpUrl or transport: is needed to send; without it this process can only enqueue',
      );
    }
    // Whoever runs the process chose this server; accounts that others add are held to public addresses.
    return new SmtpTransport({ url, maxConnections, hosts: { allowPrivate: true } });
  }

  /** What time it is by the database's clock, virtual if so configured: what every instant is measured by. */
  now(): Promise<number> {
    return this.store.now();
  }

  /** Whether the database answers, what it is, and how fast. */
  async ping(): Promise<{ product: string; roundTripMs: number }> {
    const started = performance.now();
    await this.store.now();
    const roundTripMs = performance.now() - started;
    return { product: await this.store.read(productOf(this.store)), roundTripMs };
  }

  /** Hands back what has not left, waits for what is leaving, and closes the database. Safe to call twice. */
  stop(): Promise<void> {
    this.#closed ??= (async () => {
      await this.#engine?.stop();
      await this.store.close();
    })();
    return this.#closed;
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
    const { workspaceId } = this.account;
    await this.store.transaction(suppress(this.store, workspaceId, email, 'manual', await this.store.now()));
  }

  async unsuppress(address: string): Promise<boolean> {
    const { email } = parseMailbox('address', address);
    return this.store.transaction(unsuppress(this.store, this.account.workspaceId, email));
  }
}
