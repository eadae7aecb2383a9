import { describe, expect, test } from 'vitest';
import { coolAccount, pauseAccount, resumeAccount } from '#pillarbox/store/scripts/accounts';
import { readAttempts, readContent, readMessages } from '#pillarbox/store/scripts/messages';
import { cancel } from '#pillarbox/store/scripts/cancel';
import { suppress } from '#pillarbox/store/scripts/suppressions';
import type { GateAnswer } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import {
  aMessage,
  anAccount,
  asking,
  failedTry,
  letLeasesRunOut,
  nothingToTake,
  put,
  result,
  rows,
  take,
  useFixture,
} from './fixture.js';

/** What every database must do with the moves that every message makes. */
describe.each(databases)('the queue on $name', ({ ready }) => {
  const fixture = useFixture(ready);

  const shown = async (id: number) => {
    const [message] = await fixture.store.read(readMessages(fixture.store, fixture.workspaceId, [id]));
    return message!;
  };

  /** Every message is in exactly one of the three places. */
  const places = async (id: number) => {
    const at = fixture.store.at;
    const member =
      fixture.store.dialect === 'postgres'
        ? `${id} = any(ids)`
        : `exists (select 1 from json_each(ids) where value = ${id})`;
    const [row] = await rows<{ due: number; leases: number; outcomes: number }>(
      fixture,
      `select (select count(*) from ${at('due')} where message_id = ${id}) as due,
        (select count(*) from ${at('leases')} where ${member}) as leases,
        (select count(*) from ${at('outcomes')} where message_id = ${id}) as outcomes`,
    );
    return row!;
  };

  describe('enqueue', () => {
    test('a message waits, with its content, until it is claimed', async () => {
      const id = await put(fixture, { mail: '{"subject":"Hello"}' });
      expect(await shown(id)).toMatchObject({
        state: 'scheduled',
        attempts: 0,
        maxAttempts: 5,
        lockedBy: null,
      });
      expect(await fixture.store.read(readContent(fixture.store, id))).toBe('{"subject":"Hello"}');
      expect(await places(id)).toEqual({ due: 1, leases: 0, outcomes: 0 });
    });

    test('a key keeps its first message, whatever comes second', async () => {
      const message = aMessage(fixture, { idempotencyKey: 'k1', bodyHash: 'h1' });
      const [first] = await fixture.store.enqueue([message]);
      const [second] = await fixture.store.enqueue([{ ...message, subject: 'Other', bodyHash: 'h2' }]);
      expect(first).toMatchObject({ duplicate: false });
      expect(second).toEqual({ id: first!.id, duplicate: true, bodyHash: 'h1' });
      expect((await shown(first!.id)).subject).toBe('Hello');
    });

    test('the same key twice in one batch is one message', async () => {
      const message = aMessage(fixture, { idempotencyKey: 'k1', bodyHash: 'h1' });
      const enqueued = await fixture.store.enqueue([message, aMessage(fixture), message]);
      expect(enqueued.map(({ duplicate }) => duplicate)).toEqual([false, false, true]);
      expect(enqueued[2]!.id).toBe(enqueued[0]!.id);
    });

    test('the same key from many callers at once is one message [D16] [F40]', async () => {
      const callers = Array.from({ length: 20 }, (_, n) =>
        fixture.store.enqueue([
          aMessage(fixture, { idempotencyKey: n % 2 ? 'a' : 'b' }),
          aMessage(fixture, { idempotencyKey: n % 2 ? 'b' : 'a' }),
        ]),
      );
      const enqueued = (await Promise.all(callers)).flat();
      expect(enqueued.filter(({ duplicate }) => !duplicate)).toHaveLength(2);
      expect(new Set(enqueued.map(({ id }) => id)).size).toBe(2);
    });

    test('a key is per workspace and per lane', async () => {
      const other = { ...fixture, ...(await fixture.store.transaction(anAccount(fixture.store, 'other'))) };
      await put(fixture, { idempotencyKey: 'k' });
      const again = await fixture.store.enqueue([
        aMessage(other, { idempotencyKey: 'k' }),
        aMessage(fixture, { idempotencyKey: 'k', lane: 'notification' }),
      ]);
      expect(again.map(({ duplicate }) => duplicate)).toEqual([false, false]);
    });

    test('answers in the order of the question, a thousand at a time', async () => {
      const messages = Array.from({ length: 1_000 }, (_, n) =>
        aMessage(fixture, { subject: `#${n}`, idempotencyKey: `key-${(n * 7_919) % 1_000}` }),
      );
      const enqueued = await fixture.store.enqueue(messages);
      const first = await shown(enqueued[0]!.id);
      const last = await shown(enqueued[999]!.id);
      expect([first.subject, last.subject]).toEqual(['#0', '#999']);
    });
  });

  describe('claim', () => {
    test('takes the oldest due first, up to the share, and only what is due', async () => {
      const now = await fixture.store.now();
      const late = await put(fixture, { dueAt: now - 1_000 });
      const later = await put(fixture, { dueAt: now - 500 });
      const latest = await put(fixture);
      const future = await put(fixture, { dueAt: now + 3_600_000 });
      const claim = await take(fixture, 2);
      expect(claim.messages.map(({ id }) => id)).toEqual([late, later]);
      expect((await take(fixture)).messages.map(({ id }) => id)).toEqual([latest]);
      expect(await nothingToTake(fixture)).toBe(true);
      expect(await shown(future)).toMatchObject({ state: 'scheduled', nextAttemptAt: now + 3_600_000 });
      expect(await shown(late)).toMatchObject({ state: 'sending', lockedBy: 'worker' });
      expect(await places(late)).toEqual({ due: 0, leases: 1, outcomes: 0 });
    });

    test('gives every message to exactly one of many claimers', async () => {
      await fixture.store.enqueue(Array.from({ length: 300 }, () => aMessage(fixture)));
      const shares = [{ channelId: fixture.channelId, limit: 20 }];
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, n) => fixture.store.claim({ owner: `w${n}`, shares, alone: false })),
      );
      const ids = claims.flatMap((claim) => claim?.messages.map(({ id }) => id) ?? []);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBe(300);
      const fences = claims.flatMap((claim) => claim?.lease ?? []);
      expect(new Set(fences).size).toBe(fences.length);
    });

    test('a paused channel gives nothing and is not among the open ones; resuming opens it', async () => {
      const { store, accountId } = fixture;
      await put(fixture);
      expect(await store.openChannels()).toMatchObject([
        { id: fixture.channelId, together: true, alone: false },
      ]);
      await store.transaction(pauseAccount(store, accountId, 'a reason', await store.now()));
      expect(await store.openChannels()).toEqual([]);
      expect(await nothingToTake(fixture)).toBe(true);
      await store.transaction(resumeAccount(store, accountId, await store.now()));
      expect(await store.openChannels()).toHaveLength(1);
      expect((await take(fixture)).messages).toHaveLength(1);
    });

    test('a large content does not come along, a small one does', async () => {
      await put(fixture, { mail: 'x'.repeat(70_000) });
      await put(fixture, { mail: 'small' });
      const [large, small] = (await take(fixture)).messages;
      expect(large).toMatchObject({ mail: null, bytes: 70_000 });
      expect(small).toMatchObject({ mail: 'small', bytes: 5 });
    });

    test('says who is suppressed', async () => {
      const { store, workspaceId } = fixture;
      await store.transaction(suppress(store, workspaceId, 'no@example.org', 'hard_bounce', 1));
      await put(fixture, { recipient: 'no@example.org' });
      await put(fixture);
      expect((await take(fixture)).messages.map(({ suppressed }) => suppressed)).toEqual([true, false]);
    });
  });

  describe('the gate', () => {
    const refusal = (answer: GateAnswer | undefined) => (answer?.passed ? undefined : answer?.refusal);

    test('marks what passes, with the time', async () => {
      await put(fixture);
      const claim = await take(fixture);
      const before = await fixture.store.now();
      const [answer] = await fixture.store.gate([asking(claim, claim.messages[0]!)]);
      expect(answer).toMatchObject({ passed: true });
      expect((answer as { handedAt: number }).handedAt).toBeGreaterThanOrEqual(before);
    });

    test('refuses one message of a group and lets the others pass', async () => {
      const { store, workspaceId } = fixture;
      const soon = (await store.now()) + 30;
      const expiring = await put(fixture, { recipient: 'late@example.org', expiresAt: soon });
      const suppressed = await put(fixture, { recipient: 'no@example.org' });
      const cancelled = await put(fixture, { recipient: 'stop@example.org' });
      const fine = await put(fixture);
      const claim = await take(fixture);
      await store.transaction(suppress(store, workspaceId, 'no@example.org', 'complaint', 1));
      const actor = { workspaceId, now: await store.now() };
      expect(await store.transaction(cancel(store, cancelled, actor))).toBeUndefined();
      while ((await store.now()) <= soon);
      const answers = await store.gate(claim.messages.map((message) => asking(claim, message)));
      const byId = new Map(claim.messages.map(({ id }, n) => [id, refusal(answers[n])]));
      expect(byId.get(expiring)).toBe('expired');
      expect(byId.get(suppressed)).toBe('suppressed');
      expect(byId.get(cancelled)).toBe('cancelled');
      expect(byId.get(fine)).toBeUndefined();
    });

    test('a pause that comes after the claim is seen here', async () => {
      const { store, accountId } = fixture;
      await put(fixture);
      const claim = await take(fixture);
      await store.transaction(pauseAccount(store, accountId, 'stop', await store.now()));
      expect(refusal((await store.gate([asking(claim, claim.messages[0]!)]))[0])).toBe('paused');
    });

    test('says until when an account rests; when a pause ends, nobody knows', async () => {
      const { store, accountId } = fixture;
      await put(fixture);
      const claim = await take(fixture);
      const ask = async () => (await store.gate([asking(claim, claim.messages[0]!)]))[0];
      const until = await store.transaction(
        coolAccount(store, accountId, '421 slow down', await store.now(), 600),
      );
      expect(await ask()).toEqual({ passed: false, refusal: 'paused', until });
      await store.transaction(pauseAccount(store, accountId, 'stop', await store.now()));
      expect(await ask()).toEqual({ passed: false, refusal: 'paused' });
    });

    test('a transactional mail reaches someone who unsubscribed, but nobody who bounced', async () => {
      const { store, workspaceId } = fixture;
      await store.transaction(suppress(store, workspaceId, 'left@example.org', 'unsubscribed', 1));
      await store.transaction(suppress(store, workspaceId, 'gone@example.org', 'hard_bounce', 1));
      await put(fixture, { recipient: 'left@example.org', transactional: true });
      await put(fixture, { recipient: 'left@example.org' });
      await put(fixture, { recipient: 'gone@example.org', transactional: true });
      const claim = await take(fixture);
      const answers = await store.gate(claim.messages.map((message) => asking(claim, message)));
      expect(answers.map(refusal)).toEqual([undefined, 'suppressed', 'suppressed']);
    });

    test('a lease that ran out, was taken over or was never there is lost', async () => {
      const { store } = fixture;
      await put(fixture);
      const claim = await take(fixture);
      const [message] = claim.messages;
      await letLeasesRunOut(fixture);
      expect(refusal((await store.gate([asking(claim, message!)]))[0])).toBe('lost');
      await store.takeOver('other', 10);
      expect(refusal((await store.gate([asking(claim, message!)]))[0])).toBe('lost');
      expect(refusal((await store.gate([asking({ lease: 999_999 }, message!)]))[0])).toBe('lost');
    });

    test('renews the lease of what passes', async () => {
      const id = await put(fixture);
      const claim = await take(fixture);
      const before = (await shown(id)).lockedUntil!;
      await new Promise((resolve) => setTimeout(resolve, 20));
      await fixture.store.gate([asking(claim, claim.messages[0]!)]);
      expect((await shown(id)).lockedUntil).toBeGreaterThan(before);
    });

    test('a cancellation that comes after the mark is refused', async () => {
      const { store, workspaceId } = fixture;
      const id = await put(fixture);
      const claim = await take(fixture);
      await store.gate([asking(claim, claim.messages[0]!)]);
      expect(await store.transaction(cancel(store, id, { workspaceId, now: 1 }))).toBe('sending');
    });
  });

  describe('settle', () => {
    test('a success ends it, and the history has the try', async () => {
      const { store, workspaceId } = fixture;
      const id = await put(fixture);
      const claim = await take(fixture);
      const [settled] = await store.settle([
        result(claim, claim.messages[0]!, {
          attempt: {
            outcome: 'success',
            startedAt: 5,
            handedAt: 6,
            providerMessageId: '<p@x>',
            worker: 'w7',
          },
        }),
      ]);
      expect(settled).toBe(true);
      expect(await shown(id)).toMatchObject({
        state: 'sent',
        attempts: 1,
        lastError: null,
        nextAttemptAt: null,
      });
      expect(await store.read(readAttempts(store, workspaceId, id))).toMatchObject([
        {
          number: 1,
          outcome: 'success',
          startedAt: 5,
          handedOverAt: 6,
          providerMessageId: '<p@x>',
          workerId: 'w7',
        },
      ]);
      expect(await places(id)).toEqual({ due: 0, leases: 0, outcomes: 1 });
      expect(await rows(fixture, `select id from ${store.at('leases')}`)).toEqual([]);
    });

    test('a failure waits exactly as long as it should, from the end of the try', async () => {
      const { store, workspaceId } = fixture;
      const id = await put(fixture);
      const claim = await take(fixture);
      await store.settle([
        result(claim, claim.messages[0]!, { event: 'deferred', waitMs: 60_000, attempt: failedTry }),
      ]);
      const [attempt] = await store.read(readAttempts(store, workspaceId, id));
      expect(await shown(id)).toMatchObject({
        state: 'retry_scheduled',
        attempts: 1,
        nextAttemptAt: attempt!.finishedAt + 60_000,
        lastError: { class: 'retryable', code: '451', message: 'busy' },
      });
    });

    test('settles a part of a lease and leaves the rest in it', async () => {
      const { store } = fixture;
      const ids = [await put(fixture), await put(fixture), await put(fixture)];
      const claim = await take(fixture);
      expect(await store.settle([result(claim, claim.messages[1]!)])).toEqual([true]);
      expect((await Promise.all(ids.map(shown))).map(({ state }) => state)).toEqual([
        'sending',
        'sent',
        'sending',
      ]);
      expect(await store.settle(claim.messages.map((message) => result(claim, message)))).toEqual([
        true,
        false,
        true,
      ]);
    });

    test('takes results of several leases, mixed, in one go', async () => {
      const { store } = fixture;
      const ids = [await put(fixture), await put(fixture), await put(fixture), await put(fixture)];
      const first = await take(fixture, 2);
      const second = await take(fixture, 2);
      const settled = await store.settle([
        result(second, second.messages[0]!, {
          event: 'rejected',
          reason: 'permanent_error',
          attempt: failedTry,
        }),
        result(first, first.messages[0]!),
        result(first, first.messages[1]!, { event: 'deferred', waitMs: 5, attempt: failedTry }),
        result(second, second.messages[1]!, { event: 'released', attempt: undefined, attempts: 0 }),
      ]);
      expect(settled).toEqual([true, true, true, true]);
      const states = (await Promise.all(ids.map(shown))).map(({ state, attempts }) => [state, attempts]);
      expect(states).toEqual([
        ['sent', 1],
        ['retry_scheduled', 1],
        ['dead', 1],
        ['scheduled', 0],
      ]);
    });

    test('what goes back untried keeps its place in the line', async () => {
      const { store } = fixture;
      const now = await store.now();
      const first = await put(fixture, { dueAt: now - 9_000 });
      await put(fixture, { dueAt: now - 5_000 });
      const claim = await take(fixture, 1);
      await store.settle([
        result(claim, claim.messages[0]!, { event: 'released', attempt: undefined, attempts: 0 }),
      ]);
      expect((await take(fixture, 1)).messages).toMatchObject([{ id: first }]);
    });

    test('a second settlement of the same claim changes nothing', async () => {
      const { store } = fixture;
      const id = await put(fixture);
      const claim = await take(fixture);
      const [message] = claim.messages;
      await store.settle([result(claim, message!, { event: 'deferred', waitMs: 0, attempt: failedTry })]);
      const again = await take(fixture);
      expect(await store.settle([result(claim, message!)])).toEqual([false]);
      expect((await shown(id)).state).toBe('sending');
      expect(await store.settle([result(again, again.messages[0]!)])).toEqual([true]);
      expect(await shown(id)).toMatchObject({ state: 'sent', attempts: 2 });
    });

    test('a worker that lost its lease cannot settle', async () => {
      const { store } = fixture;
      const id = await put(fixture);
      const claim = await take(fixture);
      await letLeasesRunOut(fixture);
      await store.takeOver('other', 10);
      expect(await store.settle([result(claim, claim.messages[0]!)])).toEqual([false]);
      expect((await shown(id)).state).toBe('sending');
    });

    test('what was withdrawn and would go back is cancelled instead', async () => {
      const { store, workspaceId } = fixture;
      const released = await put(fixture);
      const failed = await put(fixture);
      const claim = await take(fixture);
      for (const id of [released, failed])
        await store.transaction(cancel(store, id, { workspaceId, now: 1 }));
      await store.settle([
        result(claim, claim.messages[0]!, { event: 'released', attempt: undefined, attempts: 0 }),
        result(claim, claim.messages[1]!, { event: 'deferred', waitMs: 5, attempt: failedTry }),
      ]);
      expect((await shown(released)).state).toBe('cancelled');
      expect(await shown(failed)).toMatchObject({ state: 'cancelled', attempts: 1 });
      expect(await places(failed)).toEqual({ due: 0, leases: 0, outcomes: 1 });
    });

    test('a message stays alone in its lease after two losses, and is counted apart', async () => {
      const { store } = fixture;
      const id = await put(fixture);
      await put(fixture, { recipient: 'other@example.org' });
      for (let loss = 0; loss < 2; loss += 1) {
        await take(fixture, 1);
        await letLeasesRunOut(fixture);
        const [lost] = await store.takeOver('rescuer', 10);
        const [message] = lost!.messages;
        await store.settle([
          result(lost!, message!, {
            event: 'released',
            attempt: undefined,
            attempts: 0,
            lost: true,
            alone: false,
          }),
        ]);
      }
      const together = await take(fixture);
      expect(together.messages.map((message) => message.id)).not.toContain(id);
      expect(await store.openChannels()).toMatchObject([{ together: false, alone: true }]);
      const alone = await take(fixture, 1, { alone: true });
      expect(alone.messages).toMatchObject([{ id, leaseLosses: 2, loneLosses: 0 }]);
    });
  });

  describe('taking over', () => {
    test('leaves living leases alone', async () => {
      await put(fixture);
      await take(fixture);
      expect(await fixture.store.takeOver('other', 10)).toEqual([]);
    });

    test('tells what was handed over and what was withdrawn, under a new fence', async () => {
      const { store, workspaceId } = fixture;
      const [handed, withdrawn, plain] = [await put(fixture), await put(fixture), await put(fixture)];
      const claim = await take(fixture);
      await store.gate([asking(claim, claim.messages[0]!)]);
      await store.transaction(cancel(store, withdrawn, { workspaceId, now: 1 }));
      await letLeasesRunOut(fixture);
      const [lost] = await store.takeOver('rescuer', 10);
      expect(lost!.lease).toBeGreaterThan(claim.lease);
      expect(lost).toMatchObject({ claimedAt: claim.claimedAt, handedAt: expect.any(Number) });
      expect(lost!.messages.map(({ id, handed: was, withdrawn: gone }) => [id, was, gone])).toEqual([
        [handed, true, false],
        [withdrawn, false, true],
        [plain, false, false],
      ]);
      expect((await shown(plain)).lockedBy).toBe('rescuer');
    });

    test('only one of many takes a lost lease over', async () => {
      for (let n = 0; n < 5; n += 1) await put(fixture);
      for (let n = 0; n < 5; n += 1) await take(fixture, 1);
      await letLeasesRunOut(fixture);
      const all = await Promise.all(Array.from({ length: 8 }, (_, n) => fixture.store.takeOver(`r${n}`, 2)));
      const ids = all.flat().flatMap(({ messages }) => messages.map(({ id }) => id));
      expect(ids).toHaveLength(5);
      expect(new Set(ids).size).toBe(5);
    });

    test('the history knows the lease that was lost, also after a second take-over', async () => {
      const { store } = fixture;
      const id = await put(fixture);
      const claim = await take(fixture);
      await letLeasesRunOut(fixture);
      await store.takeOver('first rescuer', 10);
      await letLeasesRunOut(fixture);
      const [lost] = await store.takeOver('second rescuer', 10);
      const attempt = { ...failedTry, outcome: 'in_doubt', errorClass: 'in_doubt' } as const;
      await store.settle([
        result(lost!, lost!.messages[0]!, { event: 'doubted', reason: 'in_doubt', attempt }),
      ]);
      const [row] = await rows<{ lease_id: number }>(fixture, `select lease_id from ${store.at('attempts')}`);
      expect(row!.lease_id).toBe(claim.lease);
      expect((await shown(id)).state).toBe('held');
    });
  });
});
