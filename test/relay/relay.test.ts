import { beforeEach, describe, expect, test } from 'vitest';
import type { PillarboxOptions } from 'pillarbox';
import { QUEUES } from '#pillarbox/core/dispatch-message';
import { databases } from '../databases.js';
import { BUSY, Carrier, failed, TOO_LARGE } from '../engine/carrier.js';
import { FAST, type Post } from '../engine/post.js';
import { postsOn, type Posts } from '../engine/posts.js';
import { useBroker } from './broker.js';

/** What a worker makes of deliveries, as it counts them. */
class Verdicts {
  readonly counts: Record<string, number> = {};
  direct = 0;
  readonly observer = {
    delivered: (verdict: string, count: number) => {
      this.counts[verdict] = (this.counts[verdict] ?? 0) + count;
    },
    claimedDirectly: (count: number) => {
      this.direct += count;
    },
  };
}

describe('through a broker', () => {
  const broker = useBroker();
  beforeEach(() => broker.stranger.purge());
  const through = () => ({ amqpUrl: broker.url });

  const startRelay = async (posts: Posts, options: Partial<PillarboxOptions> = {}): Promise<Post> => {
    const post = await posts.open(undefined, { ...through(), ...options });
    await post.box.startRelay();
    return post;
  };

  describe.each(databases)('on $name', (database) => {
    const withPosts = postsOn(database);

    test(
      'what is due is published as it is documented, and shown as queued',
      withPosts(async (posts) => {
        const relay = await startRelay(posts);
        const id = await relay.put({ idempotencyKey: 'booking-1' });
        const letter = await broker.stranger.takeNext(QUEUES.send);
        expect(letter).toEqual({
          body: { emailId: id, messageKey: 'booking-1', attempt: 1 },
          messageId: `${id}:1`,
          headers: { channel: expect.any(Number) as number },
          // The row is kept, not the hint: what a broker loses is passed on anew.
          persistent: false,
        });
        expect(await relay.becomes('queued', id)).toMatchObject({ attempts: 0 });
        const { reason, sentence } = await relay.box.messages.explain(id);
        expect({ reason, sentence }).toEqual({
          reason: 'queued',
          sentence: 'It is in the broker and waits for a sender.',
        });
      }),
    );

    test(
      'what nobody takes is published again when its mark is over',
      withPosts(async (posts) => {
        const relay = await startRelay(posts, { leaseSeconds: 0.5 });
        const id = await relay.put();
        await broker.stranger.takeNext(QUEUES.send);
        const { queuedAt } = await relay.get(id);
        expect((await broker.stranger.takeNext(QUEUES.send)).messageId).toBe(`${id}:1`);
        expect((await relay.get(id)).queuedAt).toBe(queuedAt);
      }),
    );

    test(
      'a retry is published when its wait is over, for the next try',
      withPosts(async (posts) => {
        await startRelay(posts, FAST);
        const carrier = new Carrier((_, __, nth) => (nth === 1 ? failed(BUSY) : undefined));
        const sender = await posts.start(carrier, { ...FAST, ...through() });
        const id = await sender.put({ retryPolicy: 'dispatcher' });
        expect(await sender.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 2, maxAttempts: 8 });
      }),
    );

    test(
      'every message three times and in any order is sent once',
      withPosts(async (posts) => {
        const relay = await startRelay(posts);
        // No more than one account may have in the broker.
        const ids = await relay.putMany(40);
        const letters: unknown[] = [];
        while (letters.length < ids.length) letters.push((await broker.stranger.takeNext(QUEUES.send)).body);
        for (const letter of [...letters, ...letters.toReversed(), ...letters])
          broker.stranger.put(letter as object);
        const verdicts = new Verdicts();
        const sender = await posts.start(new Carrier(), { ...through(), observer: verdicts.observer });
        for (const id of ids) await sender.becomes('sent', id);
        expect(ids.map((id) => sender.carrier.copiesOf(id))).toEqual(ids.map(() => 1));
        await expect.poll(() => broker.stranger.count(QUEUES.send)).toBe(0);
        expect(verdicts.counts['claimed']).toBe(40);
      }),
    );

    test(
      'stale, forged and foreign messages are dropped, and unreadable ones set aside with the reason',
      withPosts(async (posts) => {
        await startRelay(posts);
        const verdicts = new Verdicts();
        const sender = await posts.start(new Carrier(), { ...through(), observer: verdicts.observer });
        const id = await sender.put();
        await sender.settled(id);
        const { stranger } = broker;
        stranger.put({ emailId: id, messageKey: id, attempt: 1 });
        stranger.put({ emailId: id, messageKey: id, attempt: 2 }, { channel: 999_999 });
        stranger.put({ emailId: 'msg_zzzzzz', messageKey: 'x', attempt: 1 }, { channel: 'none' });
        stranger.put('{"emailId":');
        stranger.put(Buffer.from([0xff, 0x00, 0xfe]));
        stranger.put({ emailId: 'acc_1', attempt: 1 });
        stranger.put('x'.repeat(10_000));
        await expect.poll(() => verdicts.counts['dropped']).toBe(3);
        await expect.poll(() => verdicts.counts['rejected']).toBe(4);
        const rejected = [];
        for (let n = 0; n < 4; n += 1) rejected.push(await stranger.takeNext(QUEUES.rejected));
        expect(rejected.map(({ headers }) => headers['reason']).sort()).toEqual(
          ['no_email_id', 'not_json', 'not_json', 'too_long'].sort(),
        );
        expect(rejected.map(({ body }) => body)).toContain('x'.repeat(10_000));
        expect(sender.carrier.copiesOf(id)).toBe(1);
        await expect.poll(() => stranger.count(QUEUES.send)).toBe(0);
      }),
    );

    test(
      'exactly those that died are announced, also if no relay was there when they did',
      withPosts(async (posts) => {
        const relay = await startRelay(posts);
        const carrier = new Carrier((message) =>
          message.mail.to.email.startsWith('bad') ? failed(TOO_LARGE) : undefined,
        );
        const sender = await posts.start(carrier, through());
        const first = await sender.put({ to: 'bad1@example.org', idempotencyKey: 'k1' });
        const good = await sender.put();
        await sender.settled(good);
        const letter = await broker.stranger.takeNext(QUEUES.dead);
        expect(letter).toMatchObject({
          messageId: `dead:${first}`,
          persistent: true,
          body: {
            emailId: first,
            messageKey: 'k1',
            deadReason: 'permanent_error',
            lastError: { code: '552 5.3.4', message: 'too large', class: 'permanent' },
          },
        });
        await relay.box.stop();
        const second = await sender.put({ to: 'bad2@example.org' });
        await sender.becomes('dead', second);
        expect(await broker.stranger.count(QUEUES.dead)).toBe(0);
        await startRelay(posts);
        expect((await broker.stranger.takeNext(QUEUES.dead)).body).toMatchObject({ emailId: second });
        expect(await broker.stranger.take(QUEUES.dead)).toBeUndefined();
      }),
    );

    test(
      'without a relay senders take mail themselves, at once; with one they do not',
      withPosts(async (posts) => {
        const verdicts = new Verdicts();
        const sender = await posts.start(new Carrier(), { ...through(), observer: verdicts.observer });
        const ids = await sender.putMany(5);
        await sender.allSettled(ids);
        expect(verdicts.direct).toBe(5);
        await startRelay(posts);
        // Known to the sender within seconds; then nothing is claimed past the relay.
        await expect.poll(() => passes(sender, verdicts)).toBe(true);
      }),
    );

    test(
      'a broker that is away delays mail by no more than the threshold',
      withPosts(async (posts) => {
        const nowhere = { amqpUrl: 'amqp://127.0.0.1:1' };
        await startRelay(posts, nowhere);
        const verdicts = new Verdicts();
        const options = { ...nowhere, directAfterSeconds: 1, observer: verdicts.observer };
        const sender = await posts.start(new Carrier(), options);
        const id = await sender.put();
        expect(await sender.settled(id)).toMatchObject({ state: 'sent' });
        expect(verdicts.direct).toBe(1);
        expect(sender.box.broker!.standing).toBe('down');
      }),
    );

    test(
      'one mail does not wait behind the backlog of another account',
      withPosts(async (posts) => {
        await startRelay(posts);
        let release: () => void = () => undefined;
        const held = new Promise<void>((resolve) => (release = resolve));
        const carrier = new Carrier(
          async (message) => {
            if (message.mail.subject === 'slow') await held;
            return undefined;
          },
          { capacity: 2 },
        );
        const sender = await posts.start(carrier, through());
        const other = await sender.box.workspace(await workspaceNamed(sender, 'other'));
        const slow = await sender.putMany(300, { subject: 'slow' });
        await carrier.until('a crowded account', () => carrier.inFlight >= 2);
        const { id } = await other.outbox.enqueue({ to: 'a@example.org', subject: 'quick', text: 'x' });
        await expect.poll(async () => (await other.messages.get(id)).state).toMatch(/queued|sending/);
        release();
        await sender.allSettled(slow);
        await expect.poll(async () => (await other.messages.get(id)).state).toBe('sent');
      }),
    );
  });
});

/** Whether the next mail comes by the broker. */
async function passes(sender: Post, verdicts: Verdicts): Promise<boolean> {
  const before = verdicts.direct;
  await sender.settled(await sender.put());
  return verdicts.direct === before;
}

async function workspaceNamed({ box: { store } }: Post, name: string): Promise<number> {
  const { ensureWorkspace } = await import('#pillarbox/store/scripts/accounts');
  const now = await store.now();
  return store.transaction(() => ensureWorkspace(store, name, now));
}
