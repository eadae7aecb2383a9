import { stat } from 'node:fs/promises';
import type { Kysely } from '../../vendor/kysely.js';
import { virtualNow, type VirtualClock } from '../../core/clock.js';
import type { Residence } from '../../core/residence.js';
import { sqliteBuilder } from '../builder.js';
import type { Logger } from '../../log/log.js';
import { applyWhole, latestOf, pendingOf, prepareRecords, type MigrationReport } from '../migrate.js';
import { sqliteDefinitions } from '../migrations/dialect.js';
import { MIGRATIONS, type Migration } from '../migrations/index.js';
import { runInSteps, runSync, scriptOf, type Script, type Scripted } from '../script.js';
import type {
  Claim,
  ClaimRequest,
  Enqueued,
  GateAnswer,
  GateEntry,
  GuardedChannel,
  GuardWindow,
  LeasedEnqueue,
  LostClaim,
  NewMessage,
  OpenChannel,
  RenewalAccess,
  Scrubbed,
  SettleEntry,
  Store,
} from '../store.js';
import type { Tables } from '../tables.js';
import { claim, openChannels, renewStatement, takeOver, type Instant } from './claim.js';
import { enqueueLeased, enqueueMessages } from './enqueue.js';
import { gate } from './gate.js';
import { claimGuarded, openGuarded } from './guarded-claim.js';
import { gateGuarded } from './guarded-gate.js';
import { settleGuarded } from './guarded-settle.js';
import { isBusy, SqliteHandle } from './handle.js';
import { agreeOnLeaseClock } from './lease-clock.js';
import { gateNotified, settleNotified } from './notified.js';
import { SqliteRelay } from './relay.js';
import { residenceOf } from './residence.js';
import { settle } from './settle.js';
import { steadyMs } from '../steady.js';

export interface SqliteOptions {
  readonly path: string;
  readonly leaseMs: number;
  readonly log: Logger;
}

/** How often to ask whether another process has committed something. It costs a few µs. */
const LOOK_EVERY_MS = 15;

export class SqliteStore implements Store {
  readonly dialect = 'sqlite';
  readonly db: Kysely<Tables> = sqliteBuilder();
  readonly at = sqliteDefinitions.at;
  installation = '';
  speed = 1;
  readonly pooler = 'none';
  readonly relay: SqliteRelay;
  readonly #handle: SqliteHandle;
  #virtual: VirtualClock | undefined;
  /** What makes the steady clock the lease clock. */
  #leaseOffsetMs = Date.now() - steadyMs();
  #wakeUp: (channelId: number | undefined) => void = () => undefined;
  #look: NodeJS.Timeout | undefined;

  constructor(private readonly options: SqliteOptions) {
    const handle = new SqliteHandle(options.path);
    this.#handle = handle;
    const { leaseMs } = options;
    this.relay = new SqliteRelay({
      ...{ handle, leaseMs },
      instant: () => this.#instant(),
      speed: () => this.speed,
    });
  }

  get renewal(): RenewalAccess {
    return {
      dialect: 'sqlite',
      path: this.#handle.path,
      statement: renewStatement(this.options.leaseMs),
      clockOffsetMs: this.#leaseOffsetMs,
    };
  }

  useVirtualClock(clock: VirtualClock): void {
    this.speed = clock.speed;
    this.#virtual = clock;
  }

  setClock(now: number): Promise<void> {
    this.useVirtualClock({ startMs: now, speed: 1, anchorMs: Date.now() });
    return Promise.resolve();
  }

  /** From here on `now` is this instant, and stands still until it is told another one. */
  standAt(now: number): void {
    this.useVirtualClock({ startMs: now, speed: 0, anchorMs: 0 });
  }

  async migrate(migrations: readonly Migration[] = MIGRATIONS): Promise<MigrationReport> {
    const applied: string[] = [];
    for (;;) {
      try {
        const name = await this.transaction(() => nextMigration(migrations, Date.now()));
        if (name === undefined) return { version: latestOf(migrations), applied };
        applied.push(name);
      } catch (error) {
        if (!isBusy(error)) throw error;
        this.options.log.info(
          {},
          'another process holds the database, and may be migrating it; waiting for it',
        );
      }
    }
  }

  residence(): Promise<Residence> {
    return this.#read(() => residenceOf(this.#handle.path));
  }

  /** Before any lease is touched. */
  async agreeOnLeaseClock(): Promise<void> {
    this.#leaseOffsetMs = await this.transaction(agreeOnLeaseClock(this, this.options.leaseMs));
  }

  now(): Promise<number> {
    return Promise.resolve(this.#instant().now);
  }

  read<T>(script: Script<T>): Promise<T> {
    return runInSteps(script, (query) => this.#handle.read(() => this.#handle.all(query)));
  }

  transaction<T>(script: Scripted<T>): Promise<T> {
    return this.#handle.write(() => runSync(scriptOf(script), (query) => this.#handle.all(query)));
  }

  wipe<T>(script: Scripted<T>): Promise<T> {
    return this.#handle.write(() =>
      this.#handle.overwriting(() => runSync(scriptOf(script), (query) => this.#handle.all(query))),
    );
  }

  /** Overwriting what is deleted is not enough: SQLite leaves bytes behind where it moves rows to another page. */
  async scrub(largestBytes: number): Promise<Scrubbed> {
    const { path } = this.#handle;
    if (!this.#handle.truncateLog()) return 'busy';
    if ((await stat(path)).size > largestBytes) return 'left';
    return this.#handle.vacuum() && this.#handle.truncateLog() ? 'clean' : 'busy';
  }

  async enqueue(messages: readonly NewMessage[]): Promise<readonly Enqueued[]> {
    const enqueued = await this.#handle.write(() =>
      runSync(enqueueMessages(messages, this.#instant().now), (query) => this.#handle.all(query)),
    );
    for (const channelId of new Set(messages.map((message) => message.channelId))) this.#wakeUp(channelId);
    return enqueued;
  }

  enqueueLeased(messages: readonly NewMessage[], owner: string): Promise<LeasedEnqueue> {
    const { leaseMs } = this.options;
    return this.transaction(enqueueLeased(messages, owner, this.#instant(), leaseMs));
  }

  enqueueWithin(messages: readonly NewMessage[]): Script<readonly Enqueued[]> {
    return enqueueMessages(messages, this.#instant().now);
  }

  seesWriteLock(): boolean {
    return this.#handle.seesWriteLock();
  }

  openChannels(): Promise<readonly OpenChannel[]> {
    return this.#read(() => openChannels(this.#handle, this.#instant().now));
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

  openGuarded(window?: GuardWindow): Promise<readonly GuardedChannel[]> {
    return this.#read(() => openGuarded(this.#handle, this.#instant(), window));
  }

  claimGuarded(request: ClaimRequest, window?: GuardWindow): Promise<Claim | undefined> {
    return this.#handle.write(() =>
      claimGuarded(this.#handle, request, this.#instant(), this.options.leaseMs, window),
    );
  }

  gateGuarded(entries: readonly GateEntry[]): Promise<readonly GateAnswer[]> {
    return this.#handle.write(() =>
      gateGuarded(this.#handle, entries, this.#instant(), this.options.leaseMs),
    );
  }

  settleGuarded(entries: readonly SettleEntry[]): Promise<readonly boolean[]> {
    return this.#handle.write(() => settleGuarded(this.#handle, entries, this.#instant()));
  }

  gateNotified(entries: readonly GateEntry[], guarded: boolean): Promise<readonly GateAnswer[]> {
    return this.#handle.write(() =>
      gateNotified(this.#handle, entries, this.#instant(), this.options.leaseMs, guarded),
    );
  }

  settleNotified(entries: readonly SettleEntry[], guarded: boolean): Promise<readonly boolean[]> {
    return this.#handle.write(() => settleNotified(this.#handle, entries, this.#instant(), guarded));
  }

  takeOver(owner: string, limit: number): Promise<readonly LostClaim[]> {
    return this.#handle.write(() =>
      takeOver(this.#handle, owner, limit, this.#instant(), this.options.leaseMs),
    );
  }

  wake(channelId: number): void {
    this.#wakeUp(channelId);
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

  /** To the second that the two clocks are apart, so that whoever asks twice gets one answer. */
  timeOfDay(until: number): number {
    return until + Math.round((Date.now() - this.#leaseClock()) / 1_000) * 1_000;
  }

  /** A transaction is one instant. One host, one clock: every process on this file reads the same. */
  #instant(): Instant {
    const wall = Date.now();
    return {
      clock: this.#leaseClock(),
      now: this.#virtual ? virtualNow(this.#virtual, wall) : wall,
    };
  }

  #leaseClock(): number {
    return this.#leaseOffsetMs + steadyMs();
  }

  #read<T>(work: () => T): Promise<T> {
    return new Promise((resolve) => {
      resolve(this.#handle.read(work));
    });
  }
}

/** One migration, all of it or nothing. Its name; undefined: there is nothing to do. */
function* nextMigration(migrations: readonly Migration[], now: number): Script<string | undefined> {
  yield* prepareRecords(sqliteDefinitions);
  const [next] = yield* pendingOf(sqliteDefinitions, migrations);
  if (next) yield* applyWhole(sqliteDefinitions, next, now);
  return next?.name;
}
