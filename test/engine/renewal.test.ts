import type { Worker } from 'node:worker_threads';
import { describe, expect, test, vi } from 'vitest';
import { buildProbeServer } from '#pillarbox/http/probe-server';
import { Metrics } from '#pillarbox/overview/metrics';
import { ask } from '#pillarbox/store/script';
import type { Store } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import { Carrier, sent } from './carrier.js';
import type { Post } from './post.js';
import { postsOn } from './posts.js';
import { barrier } from './signal.js';

/** The threads that are started while the work goes on, in their order. */
async function watchingThreads(work: (threads: Worker[]) => Promise<void>): Promise<void> {
  const threads: Worker[] = [];
  const keep = (thread: Worker) => void threads.push(thread);
  process.on('worker', keep);
  try {
    await work(threads);
  } finally {
    process.off('worker', keep);
  }
}

/** It stumbles over a message that nobody sends, as over any bug; torn down from outside, SQLite takes all with it. */
const kill = (thread: Worker) => thread.postMessage(null);

const untilsOf = async ({ box: { store } }: Post) =>
  (await store.read(ask(store.db.selectFrom('leases').select('until')))).map(({ until }) => until);

async function readiness({ box }: Post) {
  const service = { box, metrics: new Metrics() } as unknown as Parameters<typeof buildProbeServer>[0];
  const app = buildProbeServer(service);
  const reply = await app.inject({ url: '/readyz' });
  await app.close();
  return { status: reply.statusCode, body: reply.json<unknown>() };
}

const READY = { status: 200, body: { data: { database: 'up', renewal: 'up', unstoredResults: 0 } } };
const NOT_READY = {
  status: 503,
  body: { error: { code: 'not_ready', message: expect.stringContaining('renews leases') as string } },
};

describe.each(databases)('the thread that renews leases on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'is started again when it dies, and renews what was held',
    onPosts(async (posts) => {
      await watchingThreads(async (threads) => {
        const reply = barrier();
        const carrier = new Carrier(async (message, gate) => {
          await gate();
          await reply.wait;
          return sent(message);
        });
        // So long that only a thread that renews as soon as it runs does so here, and no stall costs the lease.
        const post = await posts.start(carrier, { leaseSeconds: 3_600 });
        const id = await post.put({ onDoubt: 'hold' });
        await carrier.until('a mail in flight', () => carrier.left.length === 1);
        const [claimed] = await untilsOf(post);
        kill(threads[0]!);
        await expect.poll(() => threads.length).toBe(2);
        await expect.poll(() => readiness(post)).toMatchObject(READY);
        await expect.poll(async () => (await untilsOf(post))[0]).toBeGreaterThan(claimed!);
        reply.open();
        expect(await post.settled(id)).toMatchObject({ state: 'sent', leaseLosses: 0 });
      });
    }),
  );

  test(
    'keeps all claims back while it is down, which readiness tells, and they go on when it runs',
    onPosts(async (posts) => {
      await watchingThreads(async (threads) => {
        const post = await posts.start();
        const { store } = post.box;
        await post.settled(await post.put());
        expect(await readiness(post)).toMatchObject(READY);
        const mend = breakRenewal(store);
        kill(threads[0]!);
        await expect.poll(() => readiness(post)).toMatchObject(NOT_READY);

        const looks = vi.spyOn(store, 'openChannels');
        const claims = vi.spyOn(store, 'claim');
        const takeOvers = vi.spyOn(store, 'takeOver');
        const id = await post.put();
        // A caller's own try would need a lease as well: it is left to the workers.
        const own = await post.box.outbox.send({ to: 'eve@example.org', subject: 'Own', text: 'Hi.' });
        expect(own).toMatchObject({ delivered: false, state: 'scheduled' });
        expect(await post.box.pass({ seconds: 1, seen: false })).toMatchObject({ claimed: 0 });
        // It dies again and again, and meanwhile the claimer looks, and takes nothing.
        await expect.poll(() => threads.length).toBeGreaterThanOrEqual(4);
        await expect.poll(() => looks.mock.calls.length).toBeGreaterThanOrEqual(3);
        expect(claims).not.toHaveBeenCalled();
        expect(takeOvers).not.toHaveBeenCalled();
        expect(post.carrier.offered).toHaveLength(1);
        expect(await readiness(post)).toMatchObject(NOT_READY);

        mend();
        expect(await post.settled(id)).toMatchObject({ state: 'sent', leaseLosses: 0 });
        expect(await post.settled((own as { id: string }).id)).toMatchObject({ state: 'sent' });
        expect(await readiness(post)).toMatchObject(READY);
      });
    }),
  );
});

/** A thread that is started from now on finds nothing where the database should be. */
function breakRenewal(store: Store): () => void {
  const access = { dialect: 'sqlite', path: '/nowhere/at/all.db', statement: 'select 1' };
  Object.defineProperty(store, 'renewal', { configurable: true, get: () => access });
  return () => {
    Reflect.deleteProperty(store, 'renewal');
  };
}
