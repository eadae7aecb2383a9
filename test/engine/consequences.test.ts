import { describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { suppress } from '#pillarbox/store/scripts/suppressions';
import { databases } from '../databases.js';
import { Carrier, failed, FULL, NOBODY, sent, TOO_FAST, WRONG_PASSWORD } from './carrier.js';
import { clockAt, FAST } from './post.js';
import { postsOn } from './posts.js';
import { refuse } from './triggers.js';

const MINUTE_MS = 60_000;

describe.concurrent.each(databases)('an error that speaks of more than its message, on $name', (database) => {
  const onPosts = postsOn(database);

  describe('of the recipient', () => {
    test(
      'suppresses the address: the next mail to it is skipped, also a transactional one',
      onPosts(async (posts) => {
        const carrier = new Carrier(({ mail }) =>
          mail.to.email === 'gone@example.org' ? failed(NOBODY) : undefined,
        );
        const post = await posts.start(carrier);
        const bounced = await post.put({ to: 'gone@example.org' });
        expect(await post.settled(bounced)).toMatchObject({ state: 'dead', deadReason: 'permanent_error' });
        const next = await post.put({ to: 'gone@example.org' });
        const transactional = await post.put({ to: 'gone@example.org', transactional: true });
        const other = await post.put({ to: 'here@example.org' });
        expect(await post.settled(next)).toMatchObject({
          state: 'skipped',
          reason: 'suppressed',
          attempts: 0,
        });
        expect(await post.settled(transactional)).toMatchObject({ state: 'skipped' });
        expect(await post.settled(other)).toMatchObject({ state: 'sent' });
        expect(carrier.offered.map(({ id }) => id)).toEqual([bounced, other]);
        expect(await post.box.messages.attempts(next)).toEqual([]);
      }),
    );

    test(
      'pauses the account itself when there are too many of them, with the reason',
      onPosts(async (posts) => {
        const carrier = new Carrier(({ mail }) =>
          mail.to.email.startsWith('gone') ? failed(NOBODY) : undefined,
        );
        const told: object[] = [];
        const log = { ...silent, error: (fields: object, text: string) => told.push({ ...fields, text }) };
        const post = await posts.start(carrier, { log });
        await post.allSettled(await post.putMany(57));
        // The third of sixty is the first that is five in a hundred and no accident any more.
        for (const n of [1, 2, 3]) await post.settled(await post.put({ to: `gone${n}@example.org` }));
        const next = await post.put();
        const why = await post.box.messages.explain(next);
        expect(why).toMatchObject({ reason: 'account_paused' });
        const reason = 'it stopped itself: 3 bounces of 60 mails in 7 days';
        expect(why.sentence).toContain(reason);
        expect(told).toEqual([
          {
            accountId: 1,
            reason: expect.stringContaining(reason) as string,
            text: 'paused an account; its mail waits for a person',
          },
        ]);
      }),
    );

    test(
      'an unsubscription stops ordinary mail and lets transactional mail pass',
      onPosts(async (posts) => {
        const post = await posts.start();
        const store = await openStore({ ...posts.place, leaseMs: 1_000, log: silent });
        await store.transaction(suppress(store, 1, 'left@example.org', 'unsubscribed', await store.now()));
        await store.close();
        const ordinary = await post.put({ to: 'left@example.org' });
        const transactional = await post.put({ to: 'left@example.org', transactional: true });
        expect(await post.settled(ordinary)).toMatchObject({ state: 'skipped' });
        expect(await post.settled(transactional)).toMatchObject({ state: 'sent' });
        expect(post.carrier.left.map(({ id }) => id)).toEqual([transactional]);
      }),
    );

    test(
      'a suppression taken back lets mail go again',
      onPosts(async (posts) => {
        const post = await posts.start();
        await post.box.suppress('ada@example.org');
        const stopped = await post.put();
        expect(await post.settled(stopped)).toMatchObject({ state: 'skipped' });
        expect(await post.box.unsuppress('ada@example.org')).toBe(true);
        const free = await post.put();
        expect(await post.settled(free)).toMatchObject({ state: 'sent' });
      }),
    );

    test(
      'full mailboxes add up: the third mail that finds one suppresses it',
      onPosts(async (posts) => {
        const carrier = new Carrier(() => failed(FULL));
        const post = await posts.start(carrier, FAST);
        // Tried three times, a message is still one soft bounce.
        const first = await post.put({ retryPolicy: { maxAttempts: 3, delaysSeconds: [1] } });
        expect(await post.settled(first, 3)).toMatchObject({ state: 'dead', deadReason: 'max_attempts' });
        const once = { retryPolicy: { maxAttempts: 1, delaysSeconds: [1] } };
        for (const subject of ['second', 'third']) {
          expect(await post.settled(await post.put({ ...once, subject }))).toMatchObject({ state: 'dead' });
        }
        expect(await post.settled(await post.put(once))).toMatchObject({ state: 'skipped' });
        expect(carrier.offered).toHaveLength(5);
      }),
    );

    test(
      'one of several recipients: the mail is sent, the history names him, and he is suppressed [D9] [F61]',
      onPosts(async (posts) => {
        const refused = [{ address: 'gone@example.org', error: NOBODY }];
        const carrier = new Carrier(async (message, gate) => {
          await gate();
          return { ...sent(message), refused };
        });
        const post = await posts.start(carrier);
        const id = await post.put({ cc: 'gone@example.org' });
        expect(await post.settled(id)).toMatchObject({ state: 'sent', attempts: 1, lastError: null });
        expect(await post.box.messages.attempts(id)).toMatchObject([
          {
            outcome: 'success',
            errorMessage: expect.stringContaining('gone@example.org: 550 5.1.1') as string,
          },
        ]);
        const next = await post.put({ to: 'gone@example.org' });
        expect(await post.settled(next)).toMatchObject({ state: 'skipped' });
      }),
    );
  });

  describe('of the account', () => {
    test(
      'pauses it: no other mail is tried, none has burnt a try, and resuming delivers them all',
      onPosts(async (posts) => {
        const carrier = new Carrier(() => failed(WRONG_PASSWORD), { capacity: 1 });
        const post = await posts.open(carrier);
        const ids = await post.putMany(5);
        await post.box.start();
        await post.allSettled(ids);
        expect(carrier.offered).toHaveLength(1);
        for (const id of ids) {
          expect(await post.get(id)).toMatchObject({ state: 'scheduled', attempts: 0 });
          expect(await post.box.messages.explain(id)).toMatchObject({
            reason: 'account_paused',
            sentence: expect.stringContaining('535 5.7.8 wrong password') as string,
          });
        }
        expect(await post.box.messages.attempts(ids[0]!)).toMatchObject([{ outcome: 'failed' }]);

        carrier.conduct = () => undefined;
        await post.box.resume();
        await carrier.until('all of them', () => carrier.left.length === ids.length);
        for (const id of ids) {
          expect(await post.settled(id, 2)).toMatchObject({ state: 'sent', attempts: 1, lastError: null });
        }
        expect(carrier.closed).toBe(0);
        await post.box.stop();
        expect(carrier.closed).toBe(1);
      }),
    );

    test(
      'that the database does not let pause it does not go round as fast as the database allows',
      onPosts(async (posts) => {
        const post = await posts.start(new Carrier(() => failed(WRONG_PASSWORD)));
        const allow = await refuse(posts.place, {
          ...{ table: 'accounts', on: 'update', when: 'new.paused_at is not null' },
        });
        const id = await post.put();
        await post.settled(id, 2);
        await allow();
        const [first, second] = await post.box.messages.attempts(id);
        expect(second!.startedAt! - first!.finishedAt).toBeGreaterThanOrEqual(1_000);
      }),
    );

    test(
      'that names a time is a rest and not a pause',
      onPosts(async (posts) => {
        const carrier = new Carrier((_message, _gate, nth) =>
          nth === 1 ? failed({ ...WRONG_PASSWORD, retryAfterSeconds: 60 }) : undefined,
        );
        const post = await posts.start(carrier, FAST);
        expect(await post.settled(await post.put(), 2)).toMatchObject({ state: 'sent', attempts: 1 });
      }),
    );
  });

  describe('a rate limit', () => {
    test(
      'lets the account rest: no other mail is tried, none has burnt a try, until the time is over',
      onPosts(async (posts) => {
        const carrier = new Carrier(() => failed({ ...TOO_FAST, retryAfterSeconds: 120 }), { capacity: 1 });
        const post = await posts.open(carrier, clockAt(Date.UTC(2031, 0, 1)));
        const ids = await post.putMany(5);
        await post.box.start();
        await post.allSettled(ids);
        expect(carrier.offered).toHaveLength(1);
        const [attempt] = await post.box.messages.attempts(ids[0]!);
        expect(attempt).toMatchObject({ outcome: 'rate_limited', errorCode: '421 4.7.0' });
        const untils = [];
        for (const id of ids) {
          expect(await post.get(id)).toMatchObject({ state: 'scheduled', attempts: 0 });
          const { reason, until, sentence } = await post.box.messages.explain(id);
          expect(reason).toBe('account_cooling');
          expect(sentence).toContain('421 4.7.0 slow down');
          untils.push(until);
        }
        const [until] = untils;
        expect(new Set(untils).size).toBe(1);
        expect(attempt!.finishedAt + 120_000 - until!).toBeGreaterThanOrEqual(0);
        expect(attempt!.finishedAt + 120_000 - until!).toBeLessThan(5_000);

        carrier.conduct = () => undefined;
        await post.box.stop();
        const later = await posts.start(carrier, clockAt(until! - 50));
        await later.allSettled(ids);
        for (const id of ids) {
          const tries = await later.box.messages.attempts(id);
          expect(tries.at(-1)!.outcome).toBe('success');
          expect(tries.at(-1)!.startedAt).toBeGreaterThanOrEqual(until!);
        }
      }),
    );

    test(
      'of one recipient lets only that message wait',
      onPosts(async (posts) => {
        const carrier = new Carrier(({ mail }) =>
          mail.to.email === 'busy@example.org' ? failed({ ...TOO_FAST, scope: 'recipient' }) : undefined,
        );
        const post = await posts.start(carrier);
        const limited = await post.put({ to: 'busy@example.org' });
        const { nextAttemptAt, attempts } = await post.settled(limited);
        const [attempt] = await post.box.messages.attempts(limited);
        expect(nextAttemptAt).toBe(attempt!.finishedAt + 15 * MINUTE_MS);
        expect(attempts).toBe(0);
        expect(await post.settled(await post.put())).toMatchObject({ state: 'sent' });
      }),
    );

    test(
      'after rate limit rests twice as long, and a success makes it start small again',
      onPosts(async (posts) => {
        const carrier = new Carrier(() => failed(TOO_FAST));
        let clock = Date.UTC(2031, 0, 1);
        /** How long the account rests after this mail, in minutes; undefined if it does not. */
        const restAfter = async (id: string) => {
          const post = await posts.start(carrier, clockAt(clock));
          await post.settled(id);
          const { until } = await post.box.messages.explain(id);
          const finishedAt = (await post.box.messages.attempts(id)).at(-1)!.finishedAt;
          clock = until ?? finishedAt;
          await post.box.stop();
          return until === null ? undefined : Math.round((until - finishedAt) / MINUTE_MS);
        };
        const front = await posts.open();
        const first = await front.put();
        expect(await restAfter(first)).toBe(15);
        expect(await restAfter(first)).toBe(30);
        expect(await restAfter(first)).toBe(60);
        carrier.conduct = () => undefined;
        expect(await restAfter(first)).toBeUndefined();
        carrier.conduct = () => failed(TOO_FAST);
        expect(await restAfter(await front.put())).toBe(15);
      }),
    );

    test(
      'is forgotten by the worker that heard it as soon as that one has a success',
      onPosts(async (posts) => {
        const carrier = new Carrier((_message, _gate, nth) =>
          nth === 1 ? failed({ ...TOO_FAST, retryAfterSeconds: 1 }) : undefined,
        );
        const post = await posts.start(carrier, FAST);
        expect(await post.settled(await post.put(), 2)).toMatchObject({ state: 'sent' });
        carrier.conduct = () => failed(TOO_FAST);
        const next = await post.put();
        await post.settled(next);
        const { until } = await post.box.messages.explain(next);
        const [attempt] = await post.box.messages.attempts(next);
        // A quarter of an hour from the moment it was told, which lies in the try.
        expect(until! - 15 * MINUTE_MS).toBeGreaterThanOrEqual(attempt!.startedAt!);
        expect(until! - 15 * MINUTE_MS).toBeLessThanOrEqual(attempt!.finishedAt);
      }),
    );
  });
});
