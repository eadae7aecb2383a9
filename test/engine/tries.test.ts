import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { afterTheGate, BUSY, Carrier, failed, inDoubt, TOO_LARGE } from './carrier.js';
import { clockAt, FAST } from './post.js';
import { postsOn } from './posts.js';

describe.concurrent.each(databases)('a try on $name', (database) => {
  const onPosts = postsOn(database);

  test(
    'that succeeds ends the message, and the history says how',
    onPosts(async (posts) => {
      const post = await posts.start();
      const id = await post.put({
        to: { email: 'ada@example.org', name: 'Ada' },
        idempotencyKey: 'booking-7',
      });
      const message = await post.settled(id);
      expect(message).toMatchObject({ state: 'sent', attempts: 1, lastError: null, lockedBy: null });
      const attempts = await post.box.messages.attempts(id);
      expect(attempts).toMatchObject([
        {
          number: 1,
          outcome: 'success',
          errorCode: null,
          providerMessageId: `<${id}@carrier.example>`,
          workerId: expect.stringContaining(`${hostname()}:${process.pid}:`) as string,
        },
      ]);
      expect(message.sentAt).toBe(attempts[0]!.finishedAt);
      expect(post.carrier.left).toMatchObject([
        {
          id,
          action: 'email',
          dedupeKey: `${post.box.store.installation}:${post.box.home.id}:outbox:booking-7`,
          messageId: message.messageId,
          mail: {
            from: { email: 'box@example.org' },
            to: { email: 'ada@example.org', name: 'Ada' },
            subject: 'Hello',
            text: 'See you on Monday.',
          },
        },
      ]);
    }),
  );

  test.each([
    ['as clocks do', {}],
    ['six hundred times as fast', FAST],
  ])('is started, handed over and finished in this order, when time runs %s', (_, clock) =>
    onPosts(async (posts) => {
      const post = await posts.start(new Carrier(), { ...clock, concurrency: 4 });
      const ids = await post.putMany(60);
      await post.allSettled(ids);
      for (const id of ids) {
        const { createdAt } = await post.get(id);
        const [attempt] = await post.box.messages.attempts(id);
        const { startedAt, handedOverAt, finishedAt } = attempt!;
        const instants = [createdAt, startedAt!, handedOverAt!, finishedAt];
        expect(instants).toEqual([...instants].sort((a, b) => a - b));
      }
    })(),
  );

  test(
    'has the same Date, Message-ID and key as every other try of its message',
    onPosts(async (posts) => {
      const conduct = [() => failed(BUSY), afterTheGate(() => inDoubt()), () => undefined] as const;
      const carrier = new Carrier((message, gate, nth) => conduct[nth - 1]!(message, gate, nth), {});
      const post = await posts.start(carrier, FAST);
      const id = await post.put({ onDoubt: 'resend' });
      expect(await post.settled(id, 3)).toMatchObject({ state: 'sent', attempts: 3 });
      const attempts = await post.box.messages.attempts(id);
      expect(attempts.map(({ outcome }) => outcome)).toEqual(['failed', 'in_doubt', 'success']);
      const [first, ...others] = carrier.offered;
      expect(others).toEqual([first, first]);
      expect(first!.date).toBeLessThanOrEqual(attempts[0]!.startedAt!);
      expect(first).toMatchObject({
        dedupeKey: `${post.box.store.installation}:${id}`,
        messageId: (await post.get(id)).messageId,
      });
    }),
  );

  test(
    'that fails is followed by the next one exactly when the policy says, and the fifth is the last',
    onPosts(async (posts) => {
      const carrier = new Carrier(() => failed(BUSY));
      const waits = [60, 120, 240, 480, undefined];
      const first = await posts.start(carrier, clockAt(Date.UTC(2031, 0, 1)));
      const id = await first.put();
      let post = first;
      for (const [index, wait] of waits.entries()) {
        const message = await post.settled(id);
        const attempts = await post.box.messages.attempts(id);
        expect(attempts).toHaveLength(index + 1);
        const { finishedAt } = attempts[index]!;
        expect(message).toMatchObject({
          attempts: index + 1,
          lastError: { class: 'retryable', code: '451 4.3.0', message: 'busy' },
          ...(wait === undefined
            ? { state: 'dead', deadReason: 'max_attempts', nextAttemptAt: null }
            : { state: 'retry_scheduled', deadReason: null, nextAttemptAt: finishedAt + wait * 1_000 }),
        });
        // Nobody waits for eight minutes: a worker whose clock starts a moment before the next try goes on.
        await post.box.stop();
        if (message.nextAttemptAt === null) continue;
        post = await posts.start(carrier, clockAt(message.nextAttemptAt - 50));
        expect((await post.settled(id)).attempts).toBe(index + 2);
        const { startedAt } = (await post.box.messages.attempts(id))[index + 1]!;
        expect(startedAt).toBeGreaterThanOrEqual(message.nextAttemptAt);
      }
      expect(carrier.offered).toHaveLength(5);
      expect(carrier.left).toEqual([]);
    }),
  );

  test(
    'goes through all waits of the policy by itself',
    onPosts(async (posts) => {
      const carrier = new Carrier(() => failed(BUSY));
      const post = await posts.start(carrier, FAST);
      const id = await post.put();
      expect(await post.settled(id, 5)).toMatchObject({ state: 'dead', deadReason: 'max_attempts' });
      const attempts = await post.box.messages.attempts(id);
      expect(attempts.map(({ number, outcome }) => [number, outcome])).toEqual(
        [1, 2, 3, 4, 5].map((number) => [number, 'failed']),
      );
      for (const [index, wait] of [60, 120, 240, 480].entries()) {
        const due = attempts[index]!.finishedAt + wait * 1_000;
        expect(attempts[index + 1]!.startedAt).toBeGreaterThanOrEqual(due);
      }
      expect(post.box.totals).toMatchObject({ claimed: 5, retried: 4, dead: 1, sent: 0 });
    }),
  );

  test(
    'is given the time that the far side asks for, if that is longer than the policy',
    onPosts(async (posts) => {
      const post = await posts.start(new Carrier(() => failed({ ...BUSY, retryAfterSeconds: 300 })));
      const id = await post.put();
      const { nextAttemptAt } = await post.settled(id);
      const [attempt] = await post.box.messages.attempts(id);
      expect(nextAttemptAt).toBe(attempt!.finishedAt + 300_000);
    }),
  );

  test(
    'with a permanent error is the last; its cause is one group, and one retry delivers the group',
    onPosts(async (posts) => {
      const carrier = new Carrier(({ mail }) =>
        failed({
          ...TOO_LARGE,
          message: `too large for ${mail.to.email} (queue id ${mail.to.email.length}AF)`,
        }),
      );
      const post = await posts.start(carrier);
      const ids = await post.putMany(12);
      await post.allSettled(ids);
      for (const id of ids) {
        expect(await post.get(id)).toMatchObject({
          state: 'dead',
          attempts: 1,
          deadReason: 'permanent_error',
          lastError: { class: 'permanent', code: '552 5.3.4' },
          nextAttemptAt: null,
        });
      }
      const groups = await post.box.messages.deadGroups();
      expect(groups).toMatchObject([
        { count: 12, code: '552 5.3.4', transport: 'carrier', class: 'permanent' },
      ]);
      carrier.conduct = () => undefined;
      expect(await post.box.messages.retryGroup(groups[0]!.fingerprint)).toBe(12);
      await carrier.until('all of them', () => carrier.left.length === 12);
      expect(await post.settled(ids[0]!, 2)).toMatchObject({ state: 'sent', attempts: 1, lastError: null });
      expect(await post.box.messages.deadGroups()).toEqual([]);
    }),
  );

  test(
    'whose transport throws before the gate is an ordinary failure; after the gate it is in doubt',
    onPosts(async (posts) => {
      const carrier = new Carrier(async (message, gate) => {
        if (message.mail.subject === 'after') await gate();
        throw new Error('out of memory');
      });
      const post = await posts.start(carrier);
      const before = await post.put({ subject: 'before' });
      const after = await post.put({ subject: 'after', onDoubt: 'hold' });
      const lastError = { code: 'transport_threw', message: 'out of memory' };
      expect(await post.settled(before)).toMatchObject({
        state: 'retry_scheduled',
        lastError: { ...lastError, class: 'retryable' },
      });
      expect(await post.settled(after)).toMatchObject({
        state: 'held',
        attempts: 1,
        lastError: { ...lastError, class: 'in_doubt' },
      });
      expect(carrier.left.map(({ id }) => id)).toEqual([after]);
    }),
  );

  test(
    'that could not even be made is no try: the message waits a moment and is not the poorer',
    onPosts(async (posts) => {
      const notMade = { ...BUSY, code: 'ESTOPPED', attempted: false } as const;
      const carrier = new Carrier((_message, _gate, nth) => (nth === 1 ? failed(notMade) : undefined));
      const post = await posts.start(carrier, FAST);
      const id = await post.put();
      expect(await post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1 });
      expect(await post.box.messages.attempts(id)).toMatchObject([{ outcome: 'success' }]);
    }),
  );

  test(
    'is written down whatever bytes the far side has put into its answer',
    onPosts(async (posts) => {
      const text = 'a\0b \ud800 \u0007 c';
      const carrier = new Carrier(({ mail }) => {
        if (mail.subject === 'threw') throw new Error(text);
        return failed({ ...BUSY, code: text, message: text, retryAfterSeconds: 0.0015 });
      });
      const post = await posts.start(carrier);
      const ids = [await post.put({ subject: 'threw' }), await post.put({ subject: 'said' })];
      await post.allSettled(ids);
      for (const id of ids) {
        const { state, lastError } = await post.get(id);
        expect(state).toBe('retry_scheduled');
        expect(lastError!.message).toMatch(/^a.?b .* c$/);
      }
    }),
  );
});
