import { describe, expect, test, vi } from 'vitest';
import { databases } from '../databases.js';
import { callerOf } from './caller.js';
import { Carrier } from './carrier.js';
import { aMail, FAST, type Post } from './post.js';
import { postsOn } from './posts.js';
import { barrier } from './signal.js';

describe.each(databases)('the flow of mail on $name', (database) => {
  const onPosts = postsOn(database);

  describe.concurrent('in time', () => {
    test(
      'a mail with a time of its own waits for it',
      onPosts(async (posts) => {
        const post = await posts.start(new Carrier(), FAST);
        const { createdAt } = await post.get(await post.put());
        const sendAt = createdAt + 600_000;
        const id = await post.put({ sendAt: new Date(sendAt).toISOString() });
        expect(await post.box.messages.explain(id)).toMatchObject({ reason: 'scheduled', until: sendAt });
        expect(await post.settled(id)).toMatchObject({ state: 'sent', scheduledFor: sendAt });
        const [attempt] = await post.box.messages.attempts(id);
        expect(attempt!.startedAt).toBeGreaterThanOrEqual(sendAt);
      }),
    );

    test(
      'a mail that comes too late expires, whether it waits or was never in time',
      onPosts(async (posts) => {
        const post = await posts.open(new Carrier(), FAST);
        await post.box.pause('it waits');
        const { createdAt } = await post.get(await post.put());
        const waiting = await post.put({ expiresAt: new Date(createdAt + 300_000).toISOString() });
        await post.box.start();
        const { updatedAt } = await post.becomes('expired', waiting);
        expect(updatedAt).toBeGreaterThanOrEqual(createdAt + 300_000);
        await post.box.resume();
        const late = await post.put({ expiresAt: new Date(createdAt - 1).toISOString() });
        await post.becomes('expired', late);
        expect(post.carrier.offered.map(({ id }) => id)).not.toContain(late);
        expect(post.carrier.offered.map(({ id }) => id)).not.toContain(waiting);
      }),
    );
  });

  describe('an idle worker starts a fresh mail at once', () => {
    /** With the worker's clock standing still it never looks by itself: whatever it starts, it was woken for. */
    const startsEach = async (worker: Post, put: () => Promise<unknown>) => {
      vi.useFakeTimers({ toFake: ['performance'] });
      try {
        for (let n = 1; n <= 9; n += 1) {
          await put();
          await worker.carrier.until('the mail', () => worker.carrier.left.length === n);
        }
      } finally {
        vi.useRealTimers();
      }
    };

    test(
      'put by its own process',
      onPosts(async (posts) => {
        const post = await posts.start();
        await startsEach(post, () => post.put());
      }),
    );

    test(
      'put by another',
      onPosts(async (posts) => {
        const worker = await posts.start();
        const other = await posts.open();
        await startsEach(worker, () => other.put());
      }),
    );

    test(
      "put in the caller's own transaction, once that is committed",
      onPosts(async (posts) => {
        const worker = await posts.start();
        const other = await posts.open();
        const caller = await callerOf(posts.place);
        const put = () =>
          caller.transaction(async (tx) => {
            await other.box.outbox.enqueue(aMail(), { tx });
            expect(worker.carrier.inFlight).toBe(0);
          });
        await startsEach(worker, put);
        await caller.end();
      }),
    );
  });

  describe('many at once', () => {
    /** Nobody is answered before so many are under way: it is reached, or the test waits in vain. */
    const together = (count: number, capacity = Infinity): Carrier => {
      const all = barrier();
      const carrier: Carrier = new Carrier(
        async () => {
          if (carrier.inFlight === count) all.open();
          await all.wait;
          return undefined;
        },
        { capacity },
      );
      return carrier;
    };

    test(
      'as many as the worker is allowed, and not one more',
      onPosts(async (posts) => {
        const carrier = together(7);
        const post = await posts.start(carrier, { concurrency: 7 });
        const ids = await post.putMany(60);
        await post.allSettled(ids);
        expect(carrier.mostInFlight).toBe(7);
        expect(new Set(carrier.left.map(({ id }) => id))).toEqual(new Set(ids));
        expect(carrier.left).toHaveLength(60);
      }),
    );

    test(
      'as many as the transport can, if that is less',
      onPosts(async (posts) => {
        const carrier = together(3, 3);
        const post = await posts.start(carrier, { concurrency: 7 });
        await post.allSettled(await post.putMany(40));
        expect(carrier.mostInFlight).toBe(3);
      }),
    );

    test(
      'by two workers: each mail leaves once',
      onPosts(async (posts) => {
        const [one, two] = await Promise.all([posts.start(), posts.start()]);
        const ids = await one.putMany(300);
        const left = () => [...one.carrier.left, ...two.carrier.left].map(({ id }) => id);
        await expect.poll(() => left().length, { interval: 10 }).toBe(300);
        expect(new Set(left())).toEqual(new Set(ids));
        await Promise.all([one.box.stop(), two.box.stop()]);
        expect(left()).toHaveLength(300);
      }),
    );

    test(
      'of one workspace: the mail of another does not wait behind its thousands [T20]',
      onPosts(async (posts) => {
        const gone = barrier();
        // The thousands stand still until the quiet one has left: whoever waited for them would wait for ever.
        const carrier = new Carrier(async ({ mail }) => {
          if (carrier.left.length >= 200 && mail.from.email !== 'quiet@example.org') await gone.wait;
          return undefined;
        });
        const busy = await posts.open(carrier, { workspace: 'busy', concurrency: 5 });
        const quiet = await posts.open(new Carrier(), { workspace: 'quiet', from: 'quiet@example.org' });
        await busy.putMany(2_000);
        await busy.box.start();
        await carrier.until('the backlog to move', () => carrier.left.length >= 200);
        const id = await quiet.put();
        await carrier.until('the quiet one', () => carrier.copiesOf(id) === 1);
        gone.open();
        const quietest = carrier.left.find((message) => message.id === id);
        expect(quietest).toMatchObject({ mail: { from: { email: 'quiet@example.org' } } });
      }),
    );
  });

  test(
    'a large content arrives as it was put, and so do many at a time',
    onPosts(async (posts) => {
      const post = await posts.start(new Carrier(), { concurrency: 4 });
      const text = 'Zürich – 東京 🚀 '.repeat(20_000);
      const contentBase64 = Buffer.alloc(300_000, 'pillarbox').toString('base64');
      const attachments = [{ filename: 'a.bin', contentType: 'application/octet-stream', contentBase64 }];
      const large = await post.put({ text, attachments });
      await post.allSettled([large]);
      expect(post.carrier.left[0]!.mail).toMatchObject({ text, attachments });
      const mails = Array.from({ length: 12 }, (_, n) => aMail({ text: String(n).repeat(100_000 + n) }));
      const { ids } = await post.box.outbox.enqueueMany(mails);
      await post.allSettled(ids.map((id) => id!));
      const arrived = new Map(post.carrier.left.map(({ id, mail }) => [id, mail.text]));
      for (const [n, id] of ids.entries()) expect(arrived.get(id!)).toBe(mails[n]!.text);
    }),
  );
});
