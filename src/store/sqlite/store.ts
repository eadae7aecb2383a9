import type { Kysely } from '../../vendor/kysely.js';
import { virtualNow, type VirtualClock } from '../../core/clock.js';
import { sqliteBuilder } from '../builder.js';
import { migrate, type MigrationReport } from '../migrate.js';
import { sqliteDefinitions } from '../migrations/dialect.js';
import { runSync, type Script } from '../script.js';
import type {
  Claim,
  ClaimRequest,
  Enqueued,
  GateAnswer,
  GateEntry,
  HeldEnqueue,
  LostClaim,
  NewMessage,
  OpenChannel,
  RenewalAccess,
  SettleEntry,
  Store,
} from '../store.js';
import type { Tables } from '../tables.js';
import { claim, openChannels, renewStatement, takeOver, type Instant } from './claim.js';
import { enqueueHeld, enqueueMessages } from './enqueue.js';
import { gate } from './gate.js';
import { SqliteHandle } from './handle.js';
import { settle } from './settle.js';

export interface SqliteOptions {
  readonly path: string;
  readonly leaseMs: number;
}

/** How often to ask whether another process has committed something. It costs a few µs. */
const LOOK_EVERY_MS = 15;

export class SqliteStore implements Store {
  readonly dialect = 'sqlite';
  readonly db: Kysely<Tables> = sqliteBuilder();
  readonly at = sqliteDefinitions.at;
  installation = '';
  speed = 1;
  readonly #handle: SqliteHandle;
  #virtual: VirtualClock | undefined;
  #wakeUp: (channelId: number | undefined) => void = () => undefined;
  #look: NodeJS.Timeout | undefined;

  constructor(private readonly options: SqliteOptions) {
    this.#handle = new SqliteHandle(options.path);
  }

  get renewal(): RenewalAccess {
    return { dialect: 'sqlite', path: this.#handle.path, statement: renewStatement(this.options.leaseMs) };
  }

  useVirtualClock(clock: VirtualClock): void {
    this.speed = clock.speed;
    this.#virtual = clock;
  }

  setClock(now: number): Promise<void> {
    this.useVirtualClock({ startMs: now, speed: 1, anchorMs: Date.now() });
    return Promise.resolve();
  }

  migrate(): Promise<MigrationReport> {
    return this.transaction(migrate(sqliteDefinitions, '', Date.now()));
  }

  now(): Promise<number> {
    return Promise.resolve(this.#instant().now);
  }

  read<T>(script: Script<T>): Promise<T> {
    return this.#read(() => runSync(script, (query) => this.#handle.all(query)));
  }

  transaction<T>(script: Script<T>): Promise<T> {
    return this.#handle.write(() => runSync(script, (query) => this.#handle.all(query)));
  }

  async enqueue(messages: readonly NewMessage[]): Promise<readonly Enqueued[]> {
    const enqueued = await this.#handle.write(() =>
      runSync(enqueueMessages(messages, this.#instant().now), (query) => this.#handle.all(query)),
    );
    for (const channelId of new Set(messages.map((message) => message.channelId))) this.#wakeUp(channelId);
    return enqueued;
  }

  enqueueHeld(messages: readonly NewMessage[], owner: string): Promise<HeldEnqueue> {
    const { leaseMs } = this.options;
    return this.transaction(enqueueHeld(messages, owner, this.#instant(), leaseMs));
  }

  enqueueWithin(messages: readonly NewMessage[]): Script<readonly Enqueued[]> {
    return enqueueMessages(messages, this.#instant().now);
  }

  openChannels(): Promise<readonly OpenChannel[]> {
    return this.#read(() => openChannels(this.#handle, this.#instant()));
  }

  claim(request: ClaimRequest): Promise<Claim | undefined> {
    return this.#handle.write(() => claim(this.#handle, request, this.#instant(), this.options.leaseMs));
  }

  gate(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]> {
    return this.#handle.write(() => gate(this.#handle, entries, this.#instant(), this.options.leaseMs));
  }

  settle(entries: readonly SettleEntry[]): Promise<readonly boolean[]> {
    return this.#handle.write(() => settle(this.#handle, entries, this.#instant()));
  }

  takeOver(owner: string, limit: number): Promise<readonly LostClaim[]> {
    return this.#handle.write(() =>
      takeOver(this.#handle, owner, limit, this.#instant(), this.options.leaseMs),
    );
  }

  onWake(listen: (channelId: number | undefined) => void): void {
    this.#wakeUp = listen;
  }

  /** SQLite has no NOTIFY, but a counter that moves with every commit of another connection. */
  listen(): Promise<void> {
    let seen = this.#handle.dataVersion();
    this.#look = setInterval(() => {
      const version = this.#handle.dataVersion();
      if (version === undefined || version === seen) return;
      seen = version;
      this.#wakeUp(undefined);
    }, LOOK_EVERY_MS).unref();
    return Promise.resolve();
  }

  close(): Promise<void> {
    clearInterval(this.#look);
    this.#handle.close();
    return Promise.resolve();
  }

  /** A transaction is one instant. One host, one clock: every process on this file reads the same. */
  #instant(): Instant {
    const clock = Date.now();
    return { clock, now: this.#virtual ? virtualNow(this.#virtual, clock) : clock };
  }

  #read<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      resolve(this.#handle.read(work));
    });
  }
}
