import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { parseClockSetting } from '#pillarbox/core/clock';
import type { AttemptOutcome } from '#pillarbox/core/message';
import { labelOf, Zone } from '#pillarbox/core/zone';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { askCompiled } from '#pillarbox/store/script';
import { ensureChannel } from '#pillarbox/store/scripts/accounts';
import type { Store } from '#pillarbox/store/store';
import { until } from '../../scripts/services/waiting.mjs';
import { grouped } from '../crash/census.js';
import type { Scene } from '../crash/scene.js';
import type { WorkerOptions, WorkerProcess } from '../crash/worker-process.js';
import { PATIENCE_MS } from '../patience.js';
import { judge, type Evidence, type Findings, type Left, type Try } from './judge.js';
import { Timeline } from './timeline.js';
import { aMail, lift, MANY, populate, type Errand, type World } from './world.js';

/** As it is written down, whatever the store makes of it. */
interface TryRow {
  readonly message_id: number;
  readonly outcome: AttemptOutcome;
  readonly handed_at: number | null;
  readonly finished_at: number;
}

/** Asks again and again; in tests that run side by side `expect` itself does not. */
const eventually = (met: () => Promise<void>): Promise<void> =>
  until('what must happen', met, { timeoutMs: PATIENCE_MS, everyMs: 20 });

/** How many work on a database: on PostgreSQL eight, two in each process. */
const CREWS = { sqlite: { processes: 4, loops: 1 }, postgres: { processes: 4, loops: 2 } } as const;

/** How long it takes a machine with nothing else to do to load them all. */
const QUICK_MS = 2_000;
const SLOWEST = 2.5;

/** The workers of a race, in processes of their own. */
export class Crew {
  /** How many times longer everything takes here and now than on a machine with nothing else to do. */
  slowness = 1;

  constructor(
    private readonly race: Race,
    private readonly options: Partial<WorkerOptions>,
  ) {}

  /** All begin together, when all are loaded: the clock starts to run with them. */
  async start(clock: string): Promise<void> {
    const { race } = this;
    const { processes } = CREWS[race.store.dialect];
    const launchedAt = performance.now();
    const workers = Array.from({ length: processes }, () => this.#launch(clock, true));
    await Promise.all(workers.map((worker) => worker.loaded()));
    this.slowness = Math.min(SLOWEST, Math.max(1, (performance.now() - launchedAt) / QUICK_MS));
    await race.agreeOn(clock);
    for (const worker of workers) worker.begin();
    await Promise.all(workers.map((worker) => worker.started()));
  }

  /** One of those that work: one that is still loading has nothing to lose. */
  anyone(random: (below: number) => number): WorkerProcess | undefined {
    const working = [...this.race.workers].filter(({ ready }) => ready);
    return working[Math.floor(random(working.length))];
  }

  async replace(worker: WorkerProcess, clock: string): Promise<void> {
    this.race.workers.delete(worker);
    await worker.kill();
    this.#launch(clock);
  }

  async stall(worker: WorkerProcess, ms: number): Promise<void> {
    await this.race.scene.standStill(worker);
    await sleep(ms);
    worker.goOn();
  }

  #launch(clock: string, waits = false): WorkerProcess {
    const { loops } = CREWS[this.race.store.dialect];
    return this.race.launch({ ...this.options, clock, loops, waits });
  }
}

/** The world of many accounts, its workers in processes, and what left of it by virtual clocks. */
export class Race {
  readonly timeline = new Timeline();
  readonly workers = new Set<WorkerProcess>();
  readonly #errands: ReadonlyMap<string, Errand & { readonly id: number }>;

  private constructor(
    readonly scene: Scene,
    readonly store: Store,
    private readonly world: World,
    errands: readonly (Errand & { readonly id: number })[],
  ) {
    this.#errands = new Map(errands.map((errand) => [errand.to, errand]));
    for (const { to, id } of errands) scene.accepted.push({ id: String(id), number: id, to });
  }

  /** With so many mails for each thing that an account can do. */
  static async prepare(scene: Scene, mails: number, world = MANY): Promise<Race> {
    const store = await openStore({ databaseUrl: scene.url, leaseMs: 60_000, log: silent });
    return new Race(scene, store, world, await populate(store, world, mails));
  }

  /** From now on everybody may send what he likes. */
  lift(): Promise<void> {
    return lift(this.store, this.world);
  }

  crewOf(options: Partial<WorkerOptions>): Crew {
    return new Crew(this, options);
  }

  launch(options: Partial<WorkerOptions>): WorkerProcess {
    const worker = this.scene.launch(options);
    this.workers.add(worker);
    return worker;
  }

  /** From here on everybody who starts with this setting has the same clock. */
  async agreeOn(setting: string): Promise<void> {
    const { startMs, speed } = parseClockSetting(setting);
    const store = await openStore({
      databaseUrl: this.scene.url,
      leaseMs: 60_000,
      log: silent,
      clock: setting,
    });
    await store.close();
    const [row] = await this.#rows<{ anchor_ms: number }>(
      `select anchor_ms from ${this.store.at('clocks')} where setting = '${setting}'`,
    );
    const anchor = row!.anchor_ms;
    this.timeline.set({ startMs, speed, firstMs: anchor, lastMs: anchor });
  }

  /**
   * Sets the clock of everybody. For a moment they do not agree, unless all of them stand still: then whatever they do
   * next they do after it.
   */
  async setNow(now: number, { standing = false } = {}): Promise<void> {
    const firstMs = Date.now();
    await Promise.all([this.store.setClock(now), ...[...this.workers].map((worker) => worker.setNow(now))]);
    this.timeline.set({ startMs: now, speed: 1, firstMs, lastMs: standing ? firstMs : Date.now() });
  }

  /** Kills all at once, and hears what they had said before. */
  async killAll(): Promise<void> {
    await Promise.all([...this.workers].map((worker) => worker.kill()));
    this.workers.clear();
    await this.scene.farSide.untilHungUp();
  }

  /** Nothing is in flight, and nothing may leave before the clock has moved on. */
  async untilQuiet(): Promise<void> {
    for (;;) {
      const tries = await this.#count('attempts');
      const open = await this.store.openGuarded();
      // If nothing was settled meanwhile, nothing can have become free.
      if (
        open.length === 0 &&
        (await this.#count('leases')) === 0 &&
        (await this.#count('attempts')) === tries
      )
        return;
      await sleep(10);
    }
  }

  /** Nobody has anything in hand. */
  async untilSettled(): Promise<void> {
    await eventually(async () => expect(await this.#count('leases')).toBe(0));
  }

  /** Messages that have a place in a day, and those that have the turn of their account. */
  async places(): Promise<{ readonly reserved: number; readonly turns: number }> {
    const { at } = this.store;
    const [turns] = await this.#rows<{ n: number }>(`select count(holder) as n from ${at('guards')}`);
    return { reserved: await this.#count('reservations'), turns: turns!.n };
  }

  async untilPlaces(wanted: Awaited<ReturnType<Race['places']>>): Promise<void> {
    await eventually(async () => expect(await this.places()).toEqual(wanted));
  }

  /** A mail that asks no guard, due since the beginning of virtual time. */
  async putUnguarded(to: string): Promise<void> {
    const { store } = this;
    const [home] = await this.#rows<{ id: number; workspace_id: number }>(
      `select id, workspace_id from ${store.at('accounts')} order by id limit 1`,
    );
    const channelId = await store.transaction(ensureChannel(store, home!.id, 'email', 'outbox'));
    await store.enqueue([
      { ...aMail(to, 'email', 'hold'), dueAt: 0, channelId, workspaceId: home!.workspace_id },
    ]);
  }

  /** When the next account that has something to send may do so, or must be told when. */
  async nextEvent(): Promise<number> {
    const { at } = this.store;
    const rows = await this.#rows<Record<string, number>>(
      `select o.opens_at, o.open_until, g.free_at, o.quota - coalesce(a.used, 0) as room,
         coalesce(w.quota - w.used, 1) as total, case when o.hour > 0 and a.hour = o.hour then o.hour_quota - a.hour_used else 1 end as hourly
       from ${at('openings')} o join ${at('guards')} g on g.account_id = o.account_id
       left join ${at('account_days')} a on a.account_id = o.account_id and a.action = o.action and a.day = o.day
       left join ${at('workspace_days')} w on w.workspace_id = o.workspace_id and w.day = o.total_day
       where exists (select 1 from ${at('due')} d where d.channel_id = o.channel_id)`,
    );
    const events = rows.map((row) =>
      row['room']! > 0 && row['total']! > 0 && row['hourly']! > 0
        ? Math.min(Math.max(row['opens_at']!, row['free_at']!), row['open_until']!)
        : row['open_until']!,
    );
    return Math.min(...events);
  }

  /** What the far side saw, up to now. */
  left(): Left[] {
    return this.scene.farSide.delivered.map(({ to, askedAt, at }) => {
      const { account, action } = this.#errandOf(to);
      const { timeline } = this;
      return {
        ...{ to, sender: account.id, action },
        ...{
          asked: timeline.earliest(askedAt),
          earliest: timeline.earliest(at),
          latest: timeline.latest(at),
        },
      };
    });
  }

  async tries(): Promise<Try[]> {
    const byId = new Map([...this.#errands.values()].map((errand) => [errand.id, errand]));
    const rows = await this.#rows<TryRow>(
      `select message_id, outcome, handed_at, finished_at from ${this.store.at('attempts')} order by message_id, lease_id`,
    );
    return rows.map(({ message_id, outcome, handed_at, finished_at }) => {
      const { to, account } = byId.get(message_id)!;
      return { to, sender: account.id, outcome, handedAt: handed_at, finishedAt: finished_at };
    });
  }

  async evidence(): Promise<Evidence> {
    const { houses, accounts: senders } = this.world;
    return { senders, houses, left: this.left(), tries: await this.tries() };
  }

  async findings(): Promise<Findings> {
    return judge(await this.evidence());
  }

  /**
   * What the guard's own books say against what was tried: a place for everything that left or may have, on the day that
   * it left, and nothing besides; and nobody has a place or a turn who is not held.
   */
  async checkBooks(): Promise<void> {
    const { at } = this.store;
    const tries = await this.tries();
    const used = tries.filter(({ outcome }) => outcome !== 'failed');
    const days = await this.#rows<
      Record<'name' | 'action' | 'day', string> & Record<'used' | 'sent' | 'in_doubt', number>
    >(
      `select x.name, d.action, d.day, d.used, d.sent, d.in_doubt from ${at('account_days')} d
       join ${at('accounts')} x on x.id = d.account_id`,
    );
    expect(days.filter((day) => day.used !== day.sent + day.in_doubt)).toEqual([]);
    const actionOf = (to: string) => this.#errandOf(to).action;
    for (const { id, zone: zoneName, actions } of this.world.accounts) {
      const zone = new Zone(zoneName);
      for (const action of actions) {
        const own = used.filter(({ to, sender }) => sender === id && actionOf(to) === action);
        const counted = days.filter((day) => day.name === `a${id}` && day.action === action);
        const sum = counted.reduce((total, day) => total + day.used, 0);
        expect({ id, action, used: sum }).toEqual({ id, action, used: own.length });
        const left = grouped(
          own.filter(({ outcome }) => outcome === 'success'),
          ({ handedAt }) => labelOf(zone.dayOf(handedAt!)),
        );
        // A doubt that its own late reply has resolved is one more.
        for (const [day, mails] of left)
          expect(counted.find((each) => each.day === day)?.sent ?? 0).toBeGreaterThanOrEqual(mails.length);
      }
    }
    const totals = await this.#rows<{ workspace_id: number; houses: number; accounts: number }>(
      `select w.workspace_id, sum(w.used) as houses, (select sum(d.used) from ${at('account_days')} d
         join ${at('accounts')} x on x.id = d.account_id where x.workspace_id = w.workspace_id) as accounts
       from ${at('workspace_days')} w group by w.workspace_id`,
    );
    for (const total of totals) expect(total.houses).toBe(total.accounts);
    expect(
      await this.#rows(
        `select r.message_id from ${at('reservations')} r left join ${at('outcomes')} o on o.message_id = r.message_id
         where o.state is null or o.state <> 'held' or r.doubted = 0`,
      ),
    ).toEqual([]);
    expect(await this.#rows(`select account_id from ${at('guards')} where holder is not null`)).toEqual([]);
  }

  /** Figures of a run, for people. */
  async account({ left }: Evidence): Promise<Record<string, number>> {
    const tries = await this.tries();
    const doubts = tries.filter(({ outcome }) => outcome === 'in_doubt').length;
    const failed = tries.filter(({ outcome }) => outcome === 'failed').length;
    const gaps = this.world.accounts.flatMap(({ id, spacingMs }) => {
      const own = left.filter(({ sender }) => sender === id).sort((a, b) => a.latest - b.latest);
      return spacingMs > 0 ? own.slice(1).map((mail, n) => (mail.latest - own[n]!.earliest) / spacingMs) : [];
    });
    const deaths = this.scene.workers.filter(({ alive }) => !alive).length;
    return { left: left.length, doubts, failed, deaths, smallestGap: Math.min(...gaps) };
  }

  #errandOf(to: string): Errand {
    const errand = this.#errands.get(to);
    if (!errand) throw new Error(`${to} is nobody's errand`);
    return errand;
  }

  async #count(table: string): Promise<number> {
    const [row] = await this.#rows<{ n: number }>(`select count(*) as n from ${this.store.at(table)}`);
    return row!.n;
  }

  #rows<Row>(sql: string): Promise<readonly Row[]> {
    return this.store.read(askCompiled<Row>({ sql, parameters: [] }));
  }
}
