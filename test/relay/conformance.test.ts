import { beforeEach, describe, expect, test } from 'vitest';
import type { PillarboxOptions } from 'pillarbox';
import { databases } from '../databases.js';
import { afterTheGate, BUSY, Carrier, failed, inDoubt, TOO_FAST, TOO_LARGE } from '../engine/carrier.js';
import { aMail, FAST, type Post } from '../engine/post.js';
import { postsOn, type Posts } from '../engine/posts.js';
import { useBroker } from './broker.js';

/** The same behaviour, whoever tells the workers what to send: they themselves, or a broker. */
const KINDS = databases.flatMap((database) => [
  { name: database.name, database, relayed: false },
  { name: `${database.name} with RabbitMQ`, database, relayed: true },
]);

describe('mail is sent the same way', () => {
  const broker = useBroker();
  beforeEach(() => broker.stranger.purge());

  describe.each(KINDS)('on $name', ({ database, relayed }) => {
    const withPosts = postsOn(database);

    /** A worker, and a relay if one is needed, on the same tables. */
    const open = async (
      posts: Posts,
      carrier = new Carrier(),
      options: Partial<PillarboxOptions> = {},
    ): Promise<Post> => {
      const through = relayed ? { amqpUrl: broker.url } : {};
      if (relayed) await (await posts.open(undefined, { ...options, ...through })).box.startRelay();
      return posts.start(carrier, { ...options, ...through });
    };

    test(
      'each mail leaves once',
      withPosts(async (posts) => {
        const post = await open(posts);
        const ids = await post.putMany(120);
        await post.allSettled(ids);
        expect(ids.map((id) => post.carrier.copiesOf(id))).toEqual(ids.map(() => 1));
        expect(await post.get(ids[0]!)).toMatchObject({ state: 'sent', attempts: 1, queuedAt: null });
      }),
    );

    test(
      'what failed for now is tried again after its wait, until no tries are left',
      withPosts(async (posts) => {
        const post = await open(posts, new Carrier(() => failed(BUSY)), FAST);
        const id = await post.put({ retryPolicy: { maxAttempts: 3, delaysSeconds: [60, 120] } });
        const dead = await post.settled(id, 3);
        expect(dead).toMatchObject({ state: 'dead', deadReason: 'max_attempts', attempts: 3 });
        const log = await post.box.messages.attempts(id);
        const waits = log.slice(1).map((each, n) => each.startedAt! - log[n]!.finishedAt);
        expect(waits[0]).toBeGreaterThanOrEqual(60_000);
        expect(waits[1]).toBeGreaterThanOrEqual(120_000);
      }),
    );

    test(
      'a permanent error ends it, and a person can ask for another round',
      withPosts(async (posts) => {
        const carrier = new Carrier((_, __, nth) => (nth === 1 ? failed(TOO_LARGE) : undefined));
        const post = await open(posts, carrier);
        const id = await post.put();
        expect(await post.settled(id)).toMatchObject({ state: 'dead', deadReason: 'permanent_error' });
        await post.box.messages.retry(id);
        expect(await post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
      }),
    );

    test(
      'what may have left is held, and sent again only when a person says so',
      withPosts(async (posts) => {
        const carrier = new Carrier((message, gate, nth) =>
          nth === 1 ? afterTheGate(() => inDoubt())(message, gate, nth) : undefined,
        );
        const post = await open(posts, carrier);
        const id = await post.put({ onDoubt: 'hold' });
        expect(await post.settled(id)).toMatchObject({ state: 'held' });
        await post.box.messages.resolve(id, 'unsent');
        expect(await post.settled(id, 2)).toMatchObject({ state: 'sent' });
      }),
    );

    test(
      'what is cancelled, suppressed or too late does not leave',
      withPosts(async (posts) => {
        const post = await open(posts, undefined, FAST);
        const inAWhile = new Date((await post.box.now()) + 600_000).toISOString();
        const cancelled = await post.put({ sendAt: inAWhile });
        await post.box.messages.cancel(cancelled);
        await post.box.suppress('grace@example.org');
        const suppressed = await post.put({ to: 'grace@example.org' });
        const last = await post.put({ sendAt: inAWhile });
        expect(await post.settled(suppressed)).toMatchObject({ state: 'skipped' });
        expect(await post.settled(last)).toMatchObject({ state: 'sent' });
        expect(post.carrier.left.map(({ id }) => id)).toEqual([last]);
        expect((await post.get(cancelled)).state).toBe('cancelled');
      }),
    );

    test(
      'mail of a paused account waits, and goes on when the account does',
      withPosts(async (posts) => {
        const post = await open(posts);
        await post.box.pause('a person');
        const id = await post.put();
        await post.box.resume();
        expect(await post.settled(id)).toMatchObject({ state: 'sent', attempts: 1 });
      }),
    );

    test(
      'an account that is asked to slow down rests, and no try is used up',
      withPosts(async (posts) => {
        const carrier = new Carrier((_, __, nth) => (nth === 1 ? failed(TOO_FAST) : undefined));
        const post = await open(posts, carrier, FAST);
        const id = await post.put();
        expect(await post.settled(id)).toMatchObject({ attempts: 0, rescheduleReason: 'account_cooling' });
        expect(await post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
      }),
    );

    test(
      'a worker that stops hands back what it has not begun, and another one sends it',
      withPosts(async (posts) => {
        let release: () => void = () => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        const slow = new Carrier(
          async () => {
            await held;
            return undefined;
          },
          { capacity: 1 },
        );
        const first = await open(posts, slow);
        const ids = await first.putMany(5);
        await slow.until('a mail under way', () => slow.inFlight === 1);
        const stopping = first.box.stop();
        release();
        await stopping;
        const second = await posts.start(new Carrier(), relayed ? { amqpUrl: broker.url } : {});
        const copies = (id: string) => slow.copiesOf(id) + second.carrier.copiesOf(id);
        for (const id of ids) await second.becomes('sent', id);
        expect(ids.map(copies)).toEqual(ids.map(() => 1));
      }),
    );

    test(
      'a key is one mail, whatever carries it',
      withPosts(async (posts) => {
        const post = await open(posts);
        const ids = await Promise.all(
          Array.from({ length: 10 }, () => post.put({ ...aMail(), idempotencyKey: 'booking-1' })),
        );
        expect(new Set(ids).size).toBe(1);
        await post.settled(ids[0]!);
        expect(post.carrier.copiesOf(ids[0]!)).toBe(1);
      }),
    );
  });
});
