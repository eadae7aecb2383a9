import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { silent, type Logger } from '#pillarbox/log/log';
import { readDashboard } from '#pillarbox/overview/dashboard';
import { Heartbeat } from '#pillarbox/engine/heartbeat';
import { Metrics } from '#pillarbox/overview/metrics';
import { presentDashboard } from '#pillarbox/presentation/dashboard';
import { ask } from '#pillarbox/store/script';
import { forgetWorkers, noteWorker, readWorkers } from '#pillarbox/store/scripts/workers';
import { databases } from '../databases.js';
import { Carrier } from './carrier.js';
import { FAST, type Post } from './post.js';
import { postsOn } from './posts.js';

const MINUTE_MS = 60_000;
const RELAY = { name: 'a relay', kind: 'relay', host: 'elsewhere', version: '1.2.3' } as const;

const workersOf = ({ box: { store } }: Post) => store.read(readWorkers(store));
const rowsOf = ({ box: { store } }: Post) => store.read(ask(store.db.selectFrom('workers').selectAll()));

async function dashboardOf({ box }: Post) {
  const now = await box.now();
  const dashboard = await box.store.read(readDashboard(box.store, box.home.id, '1h', now));
  return presentDashboard(dashboard, { transportKindOf: () => 'carrier', caught: null });
}

/** As if its last sign of life had been so long ago. */
async function silence({ box: { store } }: Post, ms: number, name?: string): Promise<void> {
  for (const { name: each, seen_at } of await store.read(ask(store.db.selectFrom('workers').selectAll()))) {
    if (name !== undefined && each !== name) continue;
    const past = store.db.updateTable('workers').set({ seen_at: seen_at - ms });
    await store.transaction(ask(past.where('name', '=', each)));
  }
}

describe.each(databases)('who works on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'is seen while there is nothing to do, and gone when it was stopped',
    onPosts(async (posts) => {
      const looker = await posts.open();
      expect(await workersOf(looker)).toEqual({
        alive: 0,
        senders: 0,
        relays: 0,
        oldestSeenMs: null,
        items: [],
      });
      const [first, second] = [await posts.start(), await posts.start()];
      await expect.poll(async () => (await workersOf(looker)).alive).toBe(2);
      const rows = await rowsOf(looker);
      for (const row of rows) {
        expect(row).toMatchObject({ kind: 'worker', host: hostname() });
        expect(row.version).toMatch(/^\d+\.\d+\.\d+/);
        expect(Math.abs(Date.now() - row.started_at)).toBeLessThan(MINUTE_MS);
      }
      await first.box.stop();
      expect((await workersOf(looker)).alive).toBe(1);
      await second.box.stop();
      expect(await rowsOf(looker)).toEqual([]);
    }),
  );

  test(
    'has the name that stands in its leases',
    onPosts(async (posts) => {
      const worker = await posts.start();
      const id = await worker.put();
      await worker.settled(id);
      const [attempt] = await worker.box.messages.attempts(id);
      expect((await workersOf(worker)).items).toMatchObject([{ name: attempt!.workerId, kind: 'worker' }]);
    }),
  );

  test(
    'is taken for dead after a minute of silence, shown for a day no more, and then forgotten',
    onPosts(async (posts) => {
      const post = await posts.open();
      const { store } = post.box;
      const almostDead = async () => {
        await store.transaction(noteWorker(store, RELAY));
        await silence(post, MINUTE_MS - 5_000);
        return workersOf(post);
      };
      // A machine that takes five seconds for this once does not do so each time.
      await expect.poll(almostDead).toMatchObject({ alive: 1, senders: 0, items: [{ name: 'a relay' }] });
      expect((await rowsOf(post))[0]!.seen_at).toBeLessThanOrEqual(Date.now() - (MINUTE_MS - 5_000));
      await silence(post, 5_000);
      expect(await workersOf(post)).toMatchObject({ alive: 0, oldestSeenMs: null, items: [] });
      await store.transaction(forgetWorkers(store));
      expect(await rowsOf(post)).toHaveLength(1);
      await silence(post, 24 * 60 * MINUTE_MS);
      await store.transaction(forgetWorkers(store));
      expect(await rowsOf(post)).toEqual([]);
    }),
  );

  test(
    'lives by real time, however fast the virtual clock runs',
    onPosts(async (posts) => {
      const worker = await posts.start(undefined, { clock: '2031-03-03T09:00:00Z*100000' });
      await expect.poll(async () => (await workersOf(worker)).alive).toBe(1);
      const { items } = await workersOf(worker);
      expect(Math.abs(Date.now() - items[0]!.seenAt)).toBeLessThan(MINUTE_MS);
      // A minute of virtual time is less than a millisecond: it would be dead by now.
      expect(await worker.box.now()).toBeGreaterThan(Date.parse('2031-03-03T09:01:00Z'));
      expect((await workersOf(worker)).alive).toBe(1);
    }),
  );

  test(
    'comes back by its own sign of life, with the instant at which it began',
    onPosts(async (posts) => {
      const post = await posts.open();
      const { store } = post.box;
      const heart = new Heartbeat(store, RELAY, silent);
      await heart.beat();
      const [before] = await rowsOf(post);
      await silence(post, 5 * MINUTE_MS);
      expect((await workersOf(post)).alive).toBe(0);
      await heart.beat();
      const [after] = await rowsOf(post);
      expect(after!.started_at).toBe(before!.started_at);
      expect((await workersOf(post)).alive).toBe(1);
      await heart.stop();
      expect(await rowsOf(post)).toEqual([]);
    }),
  );

  test(
    'sends also when its signs of life can’t be written',
    onPosts(async (posts) => {
      const told: string[] = [];
      const log: Logger = {
        ...silent,
        debug: (_, text) => told.push(text),
        warn: (_, text) => told.push(text),
      };
      const setUp = await posts.open();
      const { store } = setUp.box;
      const away = store.dialect === 'postgres' ? store.at('workers') : 'workers';
      await store.transaction(rename(away, 'workers_away'));
      const worker = await posts.start(new Carrier(), { log });
      const id = await worker.put();
      expect(await worker.settled(id)).toMatchObject({ state: 'sent' });
      await worker.box.stop();
      expect(told).toContain('a heartbeat could not be written; trying again');
    }),
  );

  test(
    'is told on the dashboard, in the figures, and why a due message does not leave',
    onPosts(async (posts) => {
      const post = await posts.open(undefined, FAST);
      const id = await post.put();
      expect(await post.box.messages.explain(id)).toMatchObject({
        reason: 'no_worker',
        sentence: expect.stringContaining('no worker is running') as string,
      });
      expect(await dashboardOf(post)).toMatchObject({
        workers: { alive: 0, senders: 0, oldestSeenSeconds: null, items: [] },
        health: {
          level: 'act',
          sentence: 'No worker is running, so no mail leaves. One thing needs a person.',
          needs: [{ kind: 'no_worker' }],
        },
      });
      const { store } = post.box;
      const figures = async () => new Metrics().text(store, 5_000);
      expect(await figures()).toMatch(/^pillarbox_workers 0$/m);
      const worker = await posts.start(undefined, FAST);
      await worker.settled(id);
      await expect.poll(async () => (await workersOf(post)).alive).toBe(1);
      expect(await dashboardOf(post)).toMatchObject({
        workers: {
          alive: 1,
          senders: 1,
          oldestSeenSeconds: expect.any(Number) as number,
          items: [{ kind: 'worker', seenAt: expect.stringMatching(/Z$/) as string }],
        },
        health: { level: 'fine', evidence: 'Nothing is due. 1 worker answers.' },
      });
      expect(await figures()).toMatch(/^pillarbox_workers 1$/m);
      await store.transaction(noteWorker(store, RELAY));
      expect(await figures()).toMatch(/^pillarbox_workers 2$/m);
    }),
  );

  test(
    'a relay alone sends nothing, and a pass of a timer counts until the next is overdue',
    onPosts(async (posts) => {
      const post = await posts.open();
      const { store } = post.box;
      await store.transaction(noteWorker(store, RELAY));
      const id = await post.put({ sendAt: new Date((await post.box.now()) - 1).toISOString() });
      expect(await post.box.messages.explain(id)).toMatchObject({ reason: 'no_worker' });
      await post.box.pause('for now');
      await post.box.pass();
      await post.box.resume();
      expect(await post.box.messages.explain(id)).toMatchObject({ reason: 'waiting_for_worker' });
      await silence(post, MINUTE_MS);
      expect(await post.box.messages.explain(id)).toMatchObject({ reason: 'no_worker' });
    }),
  );
});

function* rename(table: string, to: string) {
  yield { sql: `alter table ${table} rename to ${to}`, parameters: [] };
}
