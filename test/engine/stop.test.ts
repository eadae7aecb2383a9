import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { databases } from '../databases.js';
import { Carrier, failed, sent, WRONG_PASSWORD } from './carrier.js';
import { postsOn } from './posts.js';
import { barrier } from './signal.js';

describe.concurrent.each(databases)('a worker that is told to stop, on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'under load finishes what is leaving and puts the rest back where it was [D20]',
    onPosts(async (posts) => {
      const carrier = new Carrier(async (message, gate) => {
        await sleep(2);
        const passed = await gate();
        await sleep(5);
        return passed ? sent(message) : undefined;
      });
      const post = await posts.start(carrier, { concurrency: 10, graceSeconds: 20 });
      const front = await posts.open();
      const ids = await front.putMany(300);
      await carrier.until('a part of them', () => carrier.left.length >= 60);
      await post.box.stop();
      const leftBefore = carrier.left.length;
      expect(leftBefore).toBeLessThan(300);

      const left = new Set(carrier.left.map(({ id }) => id));
      for (const id of ids) {
        const { state, attempts, nextAttemptAt, scheduledFor, leaseLosses } = await front.get(id);
        expect({ state, attempts, nextAttemptAt, leaseLosses }).toEqual(
          left.has(id)
            ? { state: 'sent', attempts: 1, nextAttemptAt: null, leaseLosses: 0 }
            : { state: 'scheduled', attempts: 0, nextAttemptAt: scheduledFor, leaseLosses: 0 },
        );
      }
      expect(carrier.closed).toBe(1);

      const next = await posts.start();
      const rest = ids.filter((id) => !left.has(id));
      await next.allSettled(rest);
      expect(next.carrier.left.map(({ id }) => id).sort()).toEqual([...rest].sort());
      expect(carrier.left).toHaveLength(leftBefore);
    }),
  );

  test(
    'twice stops once, and does not start again',
    onPosts(async (posts) => {
      const post = await posts.start();
      await post.settled(await post.put());
      await Promise.all([post.box.stop(), post.box.stop()]);
      await post.box.stop();
      await expect(post.box.start()).rejects.toMatchObject({ name: 'PillarboxError', code: 'stopped' });
      expect(post.carrier.closed).toBe(1);
    }),
  );

  test(
    'before it was started has nothing to do',
    onPosts(async (posts) => {
      const post = await posts.open();
      await post.box.stop();
      await expect(post.box.start()).rejects.toMatchObject({ code: 'stopped' });
    }),
  );

  test(
    'while a mail has not asked the gate gives it back at once, and the gate stays shut for it',
    onPosts(async (posts) => {
      const go = barrier();
      let answer: boolean | undefined;
      const carrier = new Carrier(async (_message, gate) => {
        await go.wait;
        answer = await gate();
        return undefined;
      });
      const post = await posts.start(carrier, { graceSeconds: 20 });
      const front = await posts.open();
      const id = await post.put();
      await carrier.until('the offer', () => carrier.triesOf(id) === 1);
      const stopped = post.box.stop();
      await front.becomes('scheduled', id);
      go.open();
      await stopped;
      await carrier.until('its end', () => carrier.inFlight === 0);
      expect({ answer, left: carrier.left }).toEqual({ answer: false, left: [] });
      expect(await front.get(id)).toMatchObject({ state: 'scheduled', attempts: 0 });
      expect(await front.box.messages.attempts(id)).toEqual([]);
    }),
  );

  test(
    'while a mail that failed on its way to the gate is written down waits until it is',
    onPosts(async (posts) => {
      const carrier = new Carrier(() => failed(WRONG_PASSWORD));
      const told = barrier();
      let stopped: Promise<void> | undefined;
      // Between the pause of the account, which is written first, and the result.
      const error = () => {
        stopped = post.box.stop();
        told.open();
      };
      const post = await posts.start(carrier, { graceSeconds: 20, log: { ...silent, error } });
      const front = await posts.open();
      const id = await front.put();
      await told.wait;
      await stopped;
      expect(await front.get(id)).toMatchObject({ state: 'scheduled', leaseLosses: 0 });
      expect(await front.box.messages.attempts(id)).toMatchObject([{ outcome: 'failed' }]);
    }),
  );

  test(
    'while the answer to a mail does not come declares it in doubt when its grace is over',
    onPosts(async (posts) => {
      const reply = barrier();
      const carrier = new Carrier(async (message, gate) => {
        await gate();
        await reply.wait;
        return sent(message);
      });
      const post = await posts.start(carrier, { graceSeconds: 0.3 });
      const front = await posts.open();
      const ids = [await post.put({ onDoubt: 'hold' }), await post.put({ onDoubt: 'resend' })] as const;
      await carrier.until('the hand-over', () => carrier.left.length === 2);
      const stopping = performance.now();
      await post.box.stop();
      expect(performance.now() - stopping).toBeGreaterThanOrEqual(290);
      const lastError = { class: 'in_doubt', code: 'stopped_waiting' };
      expect(await front.get(ids[0])).toMatchObject({ state: 'held', attempts: 1, lastError });
      expect(await front.get(ids[1])).toMatchObject({ state: 'retry_scheduled', attempts: 1, lastError });
      // What comes now comes too late: the database is closed, and nothing changes any more.
      reply.open();
      await carrier.until('the end', () => carrier.inFlight === 0);
      expect(await front.get(ids[0])).toMatchObject({ state: 'held' });
    }),
  );

  test(
    'without any grace, in the very moment of asking, lets nothing leave that it puts back',
    onPosts(async (posts) => {
      const [asked, reply] = [barrier(), barrier()];
      const carrier = new Carrier(async (message, gate) => {
        const answer = gate();
        asked.open();
        if (await answer) await reply.wait;
        return sent(message);
      });
      const post = await posts.start(carrier, { graceSeconds: 0 });
      const front = await posts.open();
      const ids = await front.putMany(8, { onDoubt: 'hold' });
      await asked.wait;
      await post.box.stop();
      for (const id of ids) {
        const { state } = await front.get(id);
        expect({ id, state }).toEqual({ id, state: carrier.copiesOf(id) === 1 ? 'held' : 'scheduled' });
      }
      reply.open();
    }),
  );
});
