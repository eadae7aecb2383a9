import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { FanOut } from '#pillarbox/notifications/fan-out';
import { insertMany } from '#pillarbox/store/bulk';
import { openStore } from '#pillarbox/store/open';
import { ensureChannel } from '#pillarbox/store/scripts/accounts';
import {
  cancelEvent,
  publishEvent,
  readEvent,
  readEventCounts,
  type NewEvent,
} from '#pillarbox/store/scripts/events';
import { hasFanOuts, stepNextFanOut } from '#pillarbox/store/scripts/fan-outs';
import { askCompiled } from '#pillarbox/store/script';
import type { Store } from '#pillarbox/store/store';
import { anAccount } from '../contract/fixture.js';
import { databases } from '../databases.js';
import { inFewFiles } from './in-few-files.js';
import type { TellerOptions } from './teller.mjs';
import { telling } from './told-store.mjs';

const TELLER = await inFewFiles('teller.mjs');
const NOW = 1_800_000_000_000;
const WINDOW_MS = 180_000;
/** More than one step of either database, and more than one step of a cancellation. */
const MANY = 3_500;
/** So many processes at once: they wait for the database more than for a core. */
const AT_ONCE = 4;

type Point = TellerOptions['at'];
/** Of every seven: who does not want to know, who wants one at most, who is quiet for a while, who is not active. */
const KINDS = ['plain', 'notify_on', 'limited', 'plain', 'snoozed', 'paused', 'plain'] as const;
const kindOf = (n: number) => KINDS[n % KINDS.length]!;
const isTold = (n: number) => !['notify_on', 'paused'].includes(kindOf(n));
const toldAmong = (count: number) => Array.from({ length: count }, (_, n) => n).filter(isTold).length;

describe.each(databases)('whoever tells an event is killed on $name', ({ ready }) => {
  const onWorld = (act: (world: World) => Promise<void>) => async () => {
    const database = await ready();
    const store = await openStore({ databaseUrl: database.url, leaseMs: 60_000, log: silent });
    try {
      await act(await World.make(database.url, store));
    } finally {
      await store.close();
      await database.drop();
    }
  };

  test(
    'at every statement of a step: each active subscription has exactly one message',
    onWorld(async (world) => {
      await world.subscribe(MANY);
      const points = await world.pointsOf(async (store) => {
        await world.publish(store);
        await store.transaction(() => stepNextFanOut(store, 100, NOW));
      });
      // Those of the one that was counted by are told as well.
      const [counted] = await world.events();
      const eventId = await world.publish();
      await world.dieAt(points, { tell: true });
      await world.tellAll();
      for (const id of [counted!, eventId]) await world.everybodyIsToldOnce(id);
    }),
  );

  test(
    'while he publishes: all of it is there or nothing, and whoever tries again tells everybody once',
    onWorld(async (world) => {
      await world.subscribe(70);
      const points = await world.pointsOf((store) => world.publish(store, { dedupeKey: 'counted' }));
      const before = (await world.events()).length;
      const event = world.event({ dedupeKey: 'k' });
      const unfinished = points.filter((point) => point !== 'committed');
      await world.dieAt(everyThird(unfinished), { publish: event });
      expect(await world.events()).toHaveLength(before);
      await world.dieAt(['committed'], { publish: event });
      const published = await world.store.transaction(() =>
        publishEvent(world.store, event, NOW + 1, WINDOW_MS),
      );
      expect(published.duplicate).toBe(true);
      await world.everybodyIsToldOnce(published.eventId, 70);
    }),
  );

  test(
    'while it is cancelled in the middle: nobody more is told, everything that waited is stopped once',
    onWorld(async (world) => {
      const { store, workspaceId } = world;
      await world.subscribe(MANY);
      const cancel = (of: Store, id: number) =>
        of.transaction(() => cancelEvent(of, workspaceId, id, 'mara', NOW));
      // Most are told, in steps, and more than one step of a cancellation can stop.
      const halfTold = async () => {
        const id = await world.publish();
        for (let steps = 0; steps < 6; steps += 1)
          expect(await store.transaction(() => stepNextFanOut(store, 450, NOW))).toMatchObject({
            ...{ eventId: id, seen: 450, done: false },
          });
        return id;
      };
      const counted = await halfTold();
      const points = await world.pointsOf((of) => cancel(of, counted));
      await world.tellAll();
      const eventId = await halfTold();
      const made = (await world.messagesOf(eventId)).length;

      const unfinished = points.filter((point) => point !== 'committed');
      await world.dieAt(everyThird(unfinished), { cancel: eventId, workspaceId });
      expect(await store.read(readEvent(store, workspaceId, eventId))).toMatchObject({ cancelled_at: null });
      await world.dieAt(['committed'], { cancel: eventId, workspaceId });
      // The rest of it is stopped in steps, and these die as well.
      await world.dieAt([3, 'commits'], { tell: true });
      // One step is all there is left: whoever does it comes last, or the others would find nothing to die of.
      await world.dieAt(['committed'], { tell: true });
      await world.tellAll();

      for (const id of [counted, eventId]) {
        const messages = await world.messagesOf(id);
        expect(messages).toHaveLength(made);
        expect(new Set(messages.map(({ subscription }) => subscription)).size).toBe(made);
        expect(messages.every(({ due, state }) => due === 0 && state === 'cancelled')).toBe(true);
        const counts = (await store.read(readEventCounts(store, [id]))).get(id);
        expect(counts).toEqual({
          accepted: made,
          ended: [{ state: 'cancelled', reason: 'event_cancelled', count: made }],
        });
      }
      // What did not leave is given back.
      expect(await world.notified()).toBe(0);
    }),
  );
});

const everyThird = <T>(points: readonly T[]): readonly T[] =>
  points.filter((_, index) => index % 3 === 1 || index === points.length - 1);

/** A database with one account, subscriptions of one topic, and processes that die. */
class World {
  private constructor(
    private readonly url: string,
    readonly store: Store,
    readonly workspaceId: number,
    private readonly channelId: number,
  ) {}

  static async make(url: string, store: Store): Promise<World> {
    const { workspaceId, accountId } = await store.transaction(() => anAccount(store, 'default'));
    const channelId = await store.transaction(() => ensureChannel(store, accountId, 'email', 'notification'));
    return new World(url, store, workspaceId, channelId);
  }

  async subscribe(count: number): Promise<void> {
    const text = ['topic', 'contact_type', 'contact', 'status', 'notify_on'];
    const numbers = [
      'workspace_id',
      'max_notifications',
      'snooze_until',
      'limited_at',
      'created_at',
      'updated_at',
    ];
    const rows = Array.from({ length: count }, (_, n) => {
      const kind = kindOf(n);
      return [
        ...['topic', 'email', `p${String(n)}@example.org`, kind === 'paused' ? 'paused' : 'active'],
        ...[kind === 'notify_on' ? '["Closed"]' : null, this.workspaceId, kind === 'limited' ? 3 : null],
        ...[kind === 'snoozed' ? NOW + 60_000 : null, kind === 'limited' ? 1 : null, 1, 1],
      ];
    });
    await this.store.transaction(() =>
      insertMany(
        this.store,
        'subscriptions',
        [
          ...text.map((name) => ({ name, type: 'text' as const })),
          ...numbers.map((name) => ({ name, type: 'bigint' as const })),
        ],
        rows,
      ),
    );
  }

  event(over: Partial<NewEvent> = {}): NewEvent {
    return {
      ...{ workspaceId: this.workspaceId, channelId: this.channelId, type: 'open', topic: 'topic' },
      ...{ dedupeKey: null, traceId: null, templateId: 'open-seat', templateVersion: 'v1' },
      ...{ payload: '{"statusAfter":"Open"}', snapshot: null, statusAfter: 'Open', eventAt: null },
      ...{ lifeMs: 86_400_000, sender: 'box@example.org', retryPolicy: 'notification' },
      ...{ doubtPolicy: 'resend', publishedBy: 'library', ...over },
    };
  }

  async publish(store: Store = this.store, over: Partial<NewEvent> = {}): Promise<number> {
    const event = this.event(over);
    return (await store.transaction(() => publishEvent(store, event, NOW, WINDOW_MS))).eventId;
  }

  /** All the points at which the last transaction of this could end. */
  async pointsOf(act: (store: Store) => Promise<unknown>): Promise<readonly Point[]> {
    let points: Point[] = [];
    await act(
      telling(this.store, (point) => {
        if (point === 1) points = [];
        points.push(point);
      }),
    );
    return points;
  }

  /** A process for each of them, a few at once. */
  async dieAt(points: readonly Point[], act: TellerOptions['act']): Promise<void> {
    const left = [...points];
    const dieInTurn = async () => {
      for (let at = left.shift(); at !== undefined; at = left.shift()) {
        const options: TellerOptions = { url: this.url, at, act, now: NOW, windowMs: WINDOW_MS };
        const child = spawn(process.execPath, [TELLER, JSON.stringify(options)], {
          stdio: ['ignore', 'inherit', 'inherit'],
        });
        expect([at, ...(await once(child, 'exit'))]).toEqual([at, null, 'SIGKILL']);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, dieInTurn));
  }

  /** By one who lives. */
  async tellAll(): Promise<void> {
    const fanOut = new FanOut(this.store, silent);
    while (await this.store.read(hasFanOuts(this.store))) {
      await fanOut.chore();
      await sleep(5);
    }
    await fanOut.stop();
  }

  events(): Promise<readonly number[]> {
    return this.#numbers(`select id as n from ${this.store.at('events')} order by id`);
  }

  async notified(): Promise<number | undefined> {
    const { at } = this.store;
    return (await this.#numbers(`select coalesce(max(notified), 0) as n from ${at('subscriptions')}`))[0];
  }

  messagesOf(
    eventId: number,
  ): Promise<
    readonly { readonly subscription: number; readonly due: number; readonly state: string | null }[]
  > {
    const { at } = this.store;
    return this.store.read(
      askCompiled({
        sql: `select m.subscription_id as subscription, o.state,
            (select count(*) from ${at('due')} d where d.message_id = m.id) as due
          from ${at('messages')} m left join ${at('outcomes')} o on o.message_id = m.id
          where m.event_id = ${String(eventId)} order by m.subscription_id`,
        parameters: [],
      }),
    );
  }

  async everybodyIsToldOnce(eventId: number, count = MANY): Promise<void> {
    const { store, workspaceId } = this;
    const { at } = store;
    const wanted = await this.#numbers(
      `select id as n from ${at('subscriptions')} where status = 'active' and notify_on is null order by id`,
    );
    const messages = await this.messagesOf(eventId);
    expect(messages.map(({ subscription }) => subscription)).toEqual(wanted);
    expect(messages.every(({ due, state }) => due === 1 && state === null)).toBe(true);
    const told = toldAmong(count);
    expect(wanted).toHaveLength(told);
    const left = Array.from({ length: count }, (_, n) => kindOf(n)).filter((kind) => kind === 'notify_on');
    expect(await store.read(readEvent(store, workspaceId, eventId))).toMatchObject({
      ...{ matched: told + left.length, seen: told + left.length, made: told, done: 1 },
      skips: JSON.stringify({ notify_on: left.length }),
    });
    expect((await store.read(readEventCounts(store, [eventId]))).get(eventId)).toEqual({
      ...{ accepted: told, ended: [] },
    });
    // One of the three that are left, for each event.
    const events = (await this.events()).length;
    expect(
      await this.#numbers(
        `select distinct notified as n from ${at('subscriptions')} where max_notifications = 3`,
      ),
    ).toEqual([events]);
  }

  async #numbers(sql: string): Promise<readonly number[]> {
    const rows = await this.store.read(askCompiled<{ n: number }>({ sql, parameters: [] }));
    return rows.map(({ n }) => n);
  }
}
