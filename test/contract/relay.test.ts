import { describe, expect, test } from 'vitest';
import { coolAccount, pauseAccount, resumeAccount } from '#pillarbox/store/scripts/accounts';
import {
  announceDeaths,
  forgetAnnouncements,
  putAnnouncementsBack,
  readAnnouncements,
  readTold,
  takeAnnouncements,
} from '#pillarbox/store/scripts/announcements';
import { cancel } from '#pillarbox/store/scripts/cancel';
import { ensureChannel } from '#pillarbox/store/scripts/accounts';
import { readMessages } from '#pillarbox/store/scripts/messages';
import { oldestDue } from '#pillarbox/store/scripts/recent';
import { readUpcoming } from '#pillarbox/store/scripts/upcoming';
import type { Marked } from '#pillarbox/store/relay-moves';
import { databases } from '../databases.js';
import { failedTry, nothingToTake, openFixture, put, result, rows, take, useFixture } from './fixture.js';

const MARK_MS = 120_000;

/** What passing messages on to a broker asks of every database. */
describe.each(databases)('the relay moves on $name', ({ ready }) => {
  const fixture = useFixture(ready);

  const shown = async (id: number) => {
    const { store, workspaceId } = fixture;
    const [message] = await store.read(readMessages(store, workspaceId, [id]));
    return message!;
  };

  const mark = (limit = 10, markMs = MARK_MS): Promise<readonly Marked[]> =>
    fixture.store.relay.mark([{ channelId: fixture.channelId, limit }], markMs);

  const claimById = (...asked: { id: number; attempt: number }[]) =>
    fixture.store.relay.claimById('sender', asked);

  const dueRow = async (id: number) => {
    const [row] = await rows<{ due_at: number; queued_at: number | null }>(
      fixture,
      `select due_at, queued_at from ${fixture.store.at('due')} where message_id = ${id}`,
    );
    return row;
  };

  /** As if the time of every mark were over. */
  const letMarksRunOut = () =>
    fixture.store.transaction(
      (function* () {
        yield {
          sql: `update ${fixture.store.at('due')} set due_at = queued_at where queued_at is not null`,
          parameters: [],
        };
      })(),
    );

  test('what is due is marked once, the oldest first, and nobody else may have it', async () => {
    const now = await fixture.store.now();
    const late = await put(fixture, { dueAt: now - 5_000, idempotencyKey: 'k-late' });
    const later = await put(fixture, { dueAt: now - 9_000 });
    await put(fixture, { dueAt: now + 3_600_000 });
    expect(await fixture.store.relay.look()).toMatchObject({
      outstanding: 0,
      channels: [{ id: fixture.channelId, accountId: fixture.accountId, lane: 'outbox', outstanding: 0 }],
    });
    const marked = await mark();
    expect(marked).toMatchObject([
      { id: later, dueAt: now - 9_000, attempts: 0, idempotencyKey: null, again: false },
      { id: late, dueAt: now - 5_000, idempotencyKey: 'k-late', again: false },
    ]);
    expect(await mark()).toEqual([]);
    expect(await nothingToTake(fixture)).toBe(true);
    expect(await fixture.store.relay.look()).toEqual({ outstanding: 2, channels: [] });
    expect(await shown(late)).toMatchObject({ state: 'queued', attempts: 0 });
  });

  test('a queued message is as old as its first publication, also when it is published again', async () => {
    const id = await put(fixture);
    await mark();
    const { queuedAt, nextAttemptAt } = await shown(id);
    expect(nextAttemptAt).toBe(queuedAt);
    const { store, workspaceId } = fixture;
    expect(await store.read(oldestDue(store, workspaceId, await store.now()))).toBe(queuedAt);
    expect(await store.read(readUpcoming(store, workspaceId, await store.now()))).toEqual({
      retryAt: null,
      scheduledAt: null,
    });
    await letMarksRunOut();
    expect(await mark()).toMatchObject([{ id, again: true }]);
    expect((await shown(id)).queuedAt).toBe(queuedAt);
  });

  test('many relays at once mark every message once', async () => {
    for (let n = 0; n < 40; n += 1) await put(fixture);
    const marked = (await Promise.all(Array.from({ length: 8 }, () => mark(20)))).flat();
    expect(new Set(marked.map(({ id }) => id)).size).toBe(marked.length);
    const rest = await mark(40);
    expect(marked.length + rest.length).toBe(40);
  });

  test('what the broker did not take goes back to its old time, unless it was taken or marked again', async () => {
    const now = await fixture.store.now();
    const [back, taken, again] = [
      await put(fixture, { dueAt: now - 3_000 }),
      await put(fixture, { dueAt: now - 2_000 }),
      await put(fixture, { dueAt: now - 1_000 }),
    ];
    const marked = await mark();
    await claimById({ id: taken, attempt: 1 });
    const stale = marked.map((each) => (each.id === again ? { ...each, mark: each.mark - 1 } : each));
    expect(await fixture.store.relay.unmark(stale)).toBe(1);
    expect(await dueRow(back)).toEqual({ due_at: now - 3_000, queued_at: null });
    expect(await dueRow(taken)).toBeUndefined();
    expect((await shown(back)).state).toBe('scheduled');
    expect((await shown(again)).state).toBe('queued');
  });

  test('marks of long ago are ended: what was published then is passed on again, as old as it is', async () => {
    const { store } = fixture;
    const now = await store.now();
    const lost = await put(fixture, { dueAt: now - 3_000 });
    await mark();
    const { queuedAt } = await shown(lost);
    expect(await store.relay.endMarks(MARK_MS, 60_000)).toBe(0);
    expect(await mark()).toEqual([]);
    // As if all but half a minute of its time were over; another is marked now, and one was never marked.
    await store.transaction(
      (function* () {
        yield { sql: `update ${store.at('due')} set due_at = ${now + 30_000}`, parameters: [] };
      })(),
    );
    const published = await put(fixture, { dueAt: now - 2_000 });
    await mark();
    const later = await put(fixture, { dueAt: now + 40_000 });
    expect(await store.relay.endMarks(MARK_MS, 60_000)).toBe(1);
    expect(await dueRow(lost)).toEqual({ due_at: queuedAt, queued_at: queuedAt });
    expect(await dueRow(later)).toEqual({ due_at: now + 40_000, queued_at: null });
    expect((await store.relay.look()).outstanding).toBe(1);
    expect(await mark()).toMatchObject([{ id: lost, attempts: 0, again: true }]);
    // A copy that was not lost after all is claimed as ever.
    expect((await claimById({ id: lost, attempt: 1 }))!.messages).toMatchObject([{ id: lost }]);
    expect((await claimById({ id: published, attempt: 1 }))!.messages).toMatchObject([{ id: published }]);
  });

  test('a delivery is claimed once, by the first; copies and other tries find nothing', async () => {
    const [first, second] = [await put(fixture), await put(fixture)];
    const unmarked = await put(fixture, { dueAt: (await fixture.store.now()) + 60_000 });
    await mark();
    expect(await claimById({ id: first, attempt: 2 })).toBeUndefined();
    const claim = await claimById(
      ...[second, first, second, unmarked, 999_999].map((id) => ({ id, attempt: 1 })),
    );
    expect(claim!.messages.map(({ id }) => id)).toEqual([first, second]);
    expect(await claimById({ id: first, attempt: 1 })).toBeUndefined();
    expect(await shown(first)).toMatchObject({ state: 'sending', lockedBy: 'sender' });
    const [message] = claim!.messages;
    await fixture.store.settle([
      result(claim!, message!, { event: 'deferred', waitMs: 0, attempt: failedTry }),
    ]);
    expect(await claimById({ id: first, attempt: 2 })).toBeUndefined();
    await mark();
    expect(await claimById({ id: first, attempt: 1 })).toBeUndefined();
    expect((await claimById({ id: first, attempt: 2 }))!.messages).toMatchObject([
      { id: first, attempts: 1 },
    ]);
  });

  test('many senders at once claim each delivery once', async () => {
    const asked: { id: number; attempt: number }[] = [];
    for (let n = 0; n < 30; n += 1) asked.push({ id: await put(fixture), attempt: 1 });
    await mark(30);
    const claims = await Promise.all(Array.from({ length: 6 }, () => claimById(...asked)));
    const ids = claims.flatMap((claim) => claim?.messages.map(({ id }) => id) ?? []);
    expect(ids.sort((a, b) => a - b)).toEqual(asked.map(({ id }) => id));
  });

  test.each(['paused', 'cooling'])(
    'what is delivered while its account is %s goes back into its line',
    async (how) => {
      const { store, accountId } = fixture;
      const id = await put(fixture);
      await mark();
      const now = await store.now();
      await store.transaction(function* () {
        if (how === 'paused') yield* pauseAccount(store, accountId, 'a person', now);
        else yield* coolAccount(store, accountId, 'too many', now, 3_600);
      });
      expect(await claimById({ id, attempt: 1 })).toBeUndefined();
      expect((await shown(id)).state).toBe('scheduled');
      expect((await store.relay.look()).channels).toEqual([]);
      expect(await mark()).toEqual([]);
      await store.transaction(function* () {
        yield* resumeAccount(store, accountId, now);
        yield { sql: `update ${store.at('channels')} set blocked_until = 0`, parameters: [] };
      });
      expect(await mark()).toMatchObject([{ id, again: false }]);
    },
  );

  test('what could not be begun in time is given back, and due at once', async () => {
    const [id, taken] = [await put(fixture), await put(fixture)];
    await mark();
    await claimById({ id: taken, attempt: 1 });
    expect(await fixture.store.relay.giveBack([id, taken])).toBe(1);
    expect((await take(fixture)).messages.map((message) => message.id)).toEqual([id]);
  });

  test('what is cancelled while it is queued is gone for whoever is delivered it', async () => {
    const { store, workspaceId } = fixture;
    const id = await put(fixture);
    await mark();
    expect(await store.transaction(() => cancel(store, id, { workspaceId, now: 1 }))).toBeUndefined();
    expect((await shown(id)).state).toBe('cancelled');
    expect(await claimById({ id, attempt: 1 })).toBeUndefined();
  });

  test('what must be alone, or is guarded, is never marked nor claimed by its id', async () => {
    const { store } = fixture;
    const id = await put(fixture);
    await store.transaction(
      (function* () {
        yield { sql: `update ${store.at('due')} set alone = 1`, parameters: [] };
      })(),
    );
    expect((await store.relay.look()).channels).toEqual([]);
    expect(await mark()).toEqual([]);
    expect(await claimById({ id, attempt: 1 })).toBeUndefined();
    expect((await take(fixture, 1, { alone: true })).messages).toHaveLength(1);
  });

  test('a late claim takes what has been due for so long, queued in vain or not', async () => {
    const { store, channelId } = fixture;
    const now = await store.now();
    const late = await put(fixture, { dueAt: now - 90_000 });
    const recent = await put(fixture, { dueAt: now - 1_000 });
    const shares = [{ channelId, limit: 10 }];
    expect(await store.relay.openLate(3_600_000)).toEqual([]);
    expect(await store.relay.openLate(60_000)).toMatchObject([{ id: channelId, together: true }]);
    const claim = await store.relay.claimLate({ owner: 'w', shares, alone: false }, 60_000);
    expect(claim!.messages.map(({ id }) => id)).toEqual([late]);
    expect((await shown(recent)).state).toBe('scheduled');
  });

  test('under a virtual clock marks and lateness are real time', async () => {
    const fast = await openFixture(fixture.url, { clock: '2026-11-16T08:00:00Z*600' });
    try {
      const id = await put(fast);
      const [marked] = await fast.store.relay.mark([{ channelId: fast.channelId, limit: 1 }], MARK_MS);
      const queuedAt = (await dueRow(id))!.queued_at!;
      expect(marked!.mark - queuedAt).toBe(MARK_MS * 600);
    } finally {
      await fast.store.close();
    }
  });

  test('the window of one channel says nothing of another', async () => {
    const { store, accountId } = fixture;
    const other = await store.transaction(() => ensureChannel(store, accountId, 'email', 'notification'));
    await put(fixture);
    await put(fixture);
    await mark(1);
    await put(fixture, { channelId: other, lane: 'notification' });
    const { channels, outstanding } = await store.relay.look();
    expect(outstanding).toBe(1);
    expect(channels.map(({ id, outstanding: n }) => [id, n]).sort()).toEqual(
      [
        [fixture.channelId, 1],
        [other, 0],
      ].sort(),
    );
  });

  describe('announcements', () => {
    const die = async (over = {}): Promise<number> => {
      const id = await put(fixture, over);
      const claim = await take(fixture);
      await fixture.store.settle([
        result(claim, claim.messages[0]!, { event: 'exhausted', reason: 'max_attempts', attempt: failedTry }),
      ]);
      return id;
    };
    const wait = () => fixture.store.read(readAnnouncements(fixture.store));
    const takeSome = (holdMs = 30_000) =>
      fixture.store.transaction(() => takeAnnouncements(fixture.store, holdMs, 200));

    test('nothing piles up where nobody passes dead letters on', async () => {
      await die();
      expect(await wait()).toEqual({ waiting: 0, oldestAt: null });
    });

    test('exactly those that died are announced, with their last error, until they are told', async () => {
      const { store } = fixture;
      await store.transaction(() => announceDeaths(store));
      const id = await die({ idempotencyKey: 'booking-1' });
      await put(fixture);
      const claim = await take(fixture);
      await store.settle([result(claim, claim.messages[0]!)]);
      expect(await wait()).toMatchObject({ waiting: 1, oldestAt: expect.any(Number) as number });
      const [taken, ...others] = await takeSome();
      expect(others).toEqual([]);
      expect(taken).toEqual({
        id: expect.any(Number) as number,
        messageId: id,
        idempotencyKey: 'booking-1',
        deadReason: 'max_attempts',
        lastError: { code: '451', message: 'busy', class: 'retryable' },
      });
      expect(await takeSome()).toEqual([]);
      await store.transaction(() => putAnnouncementsBack(store, [taken!.id]));
      expect(await takeSome(0)).toEqual([taken]);
      expect(await takeSome()).toEqual([taken]);
      await store.transaction(() => forgetAnnouncements(store, [taken!]));
      expect(await store.read(readTold(store, 4))).toEqual([
        {
          ...{ messageId: id, workspaceId: fixture.workspaceId, deadReason: 'max_attempts', error: 'busy' },
          toldAt: expect.any(Number) as number,
        },
      ]);
      expect(await wait()).toEqual({ waiting: 0, oldestAt: null });
    });
  });
});
