import { beforeEach, describe, expect, test } from 'vitest';
import { ensureChannel, ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import {
  cancelEvent,
  publishEvent,
  readEvent,
  readEventCounts,
  type NewEvent,
  type Published,
} from '#pillarbox/store/scripts/events';
import { hasFanOuts, stepNextFanOut } from '#pillarbox/store/scripts/fan-outs';
import { requeueAll } from '#pillarbox/store/scripts/moves';
import { foldTallies } from '#pillarbox/store/scripts/sweep';
import { insertMany } from '#pillarbox/store/bulk';
import {
  changeSubscriptionStatus,
  readSubscription,
  subscriptionHistory,
} from '#pillarbox/store/scripts/subscriptions';
import type { ClaimedMessage, GateEntry, SettleEntry } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import {
  anAccount,
  asking,
  failedTry,
  openFixture,
  result,
  rows,
  take,
  useFixture,
  type Fixture,
} from './fixture.js';

const NOW = 1_800_000_000_000;
const WINDOW_MS = 180_000;
const TOPIC = 'section:1';

interface Preferring {
  readonly notifyOn?: readonly string[];
  readonly max?: number;
  readonly window?: readonly [number, number];
  readonly snoozeUntil?: number;
  readonly status?: string;
  readonly topic?: string;
}

describe.each(databases)('notifications on $name', ({ ready }) => {
  const opened = useFixture(ready);
  let fixture: Fixture;

  beforeEach(async () => {
    const { store, accountId } = opened;
    const channelId = await store.transaction(ensureChannel(store, accountId, 'email', 'notification'));
    fixture = { ...opened, store, channelId };
  });

  const subscribe = async (
    people: readonly Preferring[],
    of: Fixture = fixture,
  ): Promise<readonly number[]> => {
    const { store, workspaceId } = of;
    const [counted] = await rows<{ n: number }>(of, `select count(*) as n from ${store.at('subscriptions')}`);
    const columns = [
      ...['topic', 'contact_type', 'contact', 'status', 'notify_on'].map((name) => ({
        name,
        type: 'text' as const,
      })),
      ...['workspace_id', 'max_notifications', 'window_start', 'window_end'].map((name) => ({
        name,
        type: 'int' as const,
      })),
      ...['snooze_until', 'limited_at', 'created_at', 'updated_at'].map((name) => ({
        name,
        type: 'bigint' as const,
      })),
    ];
    const made = await store.transaction(
      insertMany<{ id: number }>(
        store,
        'subscriptions',
        columns,
        people.map((who, index) => [
          ...[
            who.topic ?? TOPIC,
            'email',
            `p${String((counted?.n ?? 0) + index)}@example.org`,
            who.status ?? 'active',
          ],
          ...[who.notifyOn ? JSON.stringify(who.notifyOn) : null, workspaceId, who.max ?? null],
          ...[who.window?.[0] ?? null, who.window?.[1] ?? null, who.snoozeUntil ?? null],
          ...[who.max === undefined ? null : 1, 1, 1],
        ]),
        'returning id',
      ),
    );
    return made.map(({ id }) => id).sort((a, b) => a - b);
  };

  const anEvent = (over: Partial<NewEvent> = {}, of: Fixture = fixture): NewEvent => ({
    workspaceId: of.workspaceId,
    type: 'open',
    topic: TOPIC,
    dedupeKey: null,
    traceId: 'trace',
    templateId: 'open-seat',
    templateVersion: 'v1',
    payload: '{"statusAfter":"Open"}',
    snapshot: '{"statusAfter":"Open"}',
    statusAfter: 'Open',
    eventAt: null,
    lifeMs: 86_400_000,
    channelId: of.channelId,
    sender: 'box@example.org',
    retryPolicy: 'notification',
    doubtPolicy: 'resend',
    publishedBy: 'key courses',
    ...over,
  });

  const publish = (over: Partial<NewEvent> = {}, now = NOW, of: Fixture = fixture): Promise<Published> =>
    of.store.transaction(() => publishEvent(of.store, anEvent(over, of), now, WINDOW_MS));

  const messagesOf = (eventId: number) =>
    rows<{
      id: number;
      subscription: number;
      due: number | null;
      state: string | null;
      reason: string | null;
    }>(
      fixture,
      `select m.id, m.subscription_id as subscription, d.due_at as due, o.state, o.reason
       from ${fixture.store.at('messages')} m left join ${fixture.store.at('due')} d on d.message_id = m.id
       left join ${fixture.store.at('outcomes')} o on o.message_id = m.id
       where m.event_id = ${String(eventId)} order by m.subscription_id`,
    );

  const skipsOf = async (eventId: number): Promise<unknown> => {
    const { store, workspaceId } = fixture;
    return JSON.parse((await store.read(readEvent(store, workspaceId, eventId)))?.skips ?? 'null');
  };

  const historyOf = (id: number) => fixture.store.read(subscriptionHistory(fixture.store, id, { limit: 10 }));

  const countsOf = async (eventId: number) => {
    const counts = await fixture.store.read(readEventCounts(fixture.store, [eventId]));
    return counts.get(eventId);
  };

  /** However late it is. */
  const telling = (claim: { lease: number }, message: ClaimedMessage): GateEntry =>
    asking(claim, { ...message, expiresAt: null });

  const settling = (claim: { lease: number }, message: ClaimedMessage, over: Partial<SettleEntry> = {}) =>
    result(claim, message, {
      notification: { eventId: message.eventId!, subscriptionId: message.subscriptionId! },
      ...over,
    });

  test('an event is told to every active subscription of its topic, in its own transaction, once', async () => {
    const ids = await subscribe([{}, {}, { status: 'paused' }, { topic: 'another' }, {}]);
    const published = await publish();
    expect(published).toMatchObject({ duplicate: false, matched: 3, made: 3 });
    const told = await messagesOf(published.eventId);
    expect(told.map(({ subscription }) => subscription)).toEqual([ids[0], ids[1], ids[4]]);
    expect(told.every(({ due }) => due === NOW)).toBe(true);
    expect(await fixture.store.read(hasFanOuts(fixture.store))).toBe(false);
    expect(await countsOf(published.eventId)).toEqual({ accepted: 3, ended: [] });
  });

  test('the claim brings event and subscription; what was told stands in the history, exactly once', async () => {
    const [id] = await subscribe([{}]);
    const { eventId } = await publish({}, 1_000);
    const claim = await take(fixture);
    const [message] = claim.messages as [ClaimedMessage];
    expect(message).toMatchObject({
      eventId,
      subscriptionId: id,
      lane: 'notification',
      bytes: 0,
      mail: null,
    });
    const [answer] = await fixture.store.gateNotified([telling(claim, message)], false);
    expect(answer).toMatchObject({ passed: true });
    const sent = settling(claim, message);
    expect(await fixture.store.settleNotified([sent], false)).toEqual([true]);
    expect(await fixture.store.settleNotified([sent], false)).toEqual([false]);
    const history = await fixture.store.read(subscriptionHistory(fixture.store, id!, { limit: 10 }));
    expect(history).toMatchObject([
      { kind: 'notify_sent', eventId, messageId: message.id, details: { statusAfter: 'Open' } },
    ]);
    expect(await countsOf(eventId)).toEqual({
      accepted: 1,
      ended: [{ state: 'sent', reason: '', count: 1 }],
    });
    await fixture.store.transaction(() => foldTallies(fixture.store, Date.now() + 3_600_000));
    expect(await countsOf(eventId)).toEqual({
      accepted: 1,
      ended: [{ state: 'sent', reason: '', count: 1 }],
    });
  });

  test('of many publishers of a key at the same instant one is first, and the window does not slide [F42]', async () => {
    await subscribe([{}]);
    const other = await openFixture(opened.url);
    const racing = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        publish(
          { dedupeKey: 'k' },
          NOW + (n % 3),
          n % 2 === 0 ? fixture : { ...other, channelId: fixture.channelId },
        ),
      ),
    );
    await other.store.close();
    expect(racing.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    const first = racing[0]!.eventId;
    expect(new Set(racing.map(({ eventId }) => eventId))).toEqual(new Set([first]));
    const opened_ = (
      await rows<{ at: number }>(fixture, `select opened_at as at from ${fixture.store.at('dedupe_windows')}`)
    )[0]!.at;
    expect(await publish({ dedupeKey: 'k' }, opened_ + WINDOW_MS - 1)).toEqual({
      eventId: first,
      duplicate: true,
    });
    const next = await publish({ dedupeKey: 'k' }, opened_ + WINDOW_MS);
    expect(next).toMatchObject({ duplicate: false });
    expect(await publish({ dedupeKey: 'k' }, opened_ + WINDOW_MS + 1)).toEqual({
      eventId: next.eventId,
      duplicate: true,
    });
    expect(await publish({ dedupeKey: 'other' }, opened_)).toMatchObject({ duplicate: false });
    expect(await publish()).toMatchObject({ duplicate: false });
    expect(await publish()).toMatchObject({ duplicate: false });
  });

  test('across the edge of a window, from two machines, no two events are closer than the window [F42]', async () => {
    const other = await openFixture(opened.url);
    const both = [fixture, { ...other, channelId: fixture.channelId }] as const;
    const step = WINDOW_MS / 4;
    const all: { at: number; published: Published }[] = [];
    for (let round = 0; round < 12; round += 1) {
      const at = NOW + round * step;
      const published = await Promise.all(both.map((of, n) => publish({ dedupeKey: 'edge' }, at + n, of)));
      all.push(...published.map((each, n) => ({ at: at + n, published: each })));
    }
    await other.store.close();
    const accepted = all.filter(({ published }) => !published.duplicate).map(({ at }) => at);
    expect(accepted.length).toBeGreaterThan(1);
    for (const [n, at] of accepted.slice(1).entries())
      expect(at - accepted[n]!).toBeGreaterThanOrEqual(WINDOW_MS);
  });

  /** Goes through a large fan-out in steps; `trouble` may throw inside of a step's transaction, behind all it wrote. */
  const stepThrough = async (
    size: number,
    trouble: (step: number) => boolean = () => false,
  ): Promise<number> => {
    const { store } = fixture;
    let steps = 0;
    for (;;) {
      steps += 1;
      const [now, fails] = [NOW + steps, trouble(steps)];
      const step = await store
        .transaction(function* () {
          const made = yield* stepNextFanOut(store, size, now);
          if (fails) throw new Error('the process dies here');
          return { made };
        })
        .catch((error: unknown) => {
          if (!(error instanceof Error) || error.message !== 'the process dies here') throw error;
          return undefined;
        });
      if (step && step.made === undefined) return steps;
    }
  };

  test('many are told in steps; a step that dies leaves nothing behind, and everybody is told once', async () => {
    const ids = await subscribe(Array.from({ length: 620 }, () => ({})));
    const published = await publish();
    expect(published).toMatchObject({ matched: 620, made: 0 });
    const [late] = await subscribe([{}]);
    expect(await fixture.store.read(hasFanOuts(fixture.store))).toBe(true);
    await stepThrough(100, (step) => step % 2 === 1);
    const told = await messagesOf(published.eventId);
    expect(told.map(({ subscription }) => subscription)).toEqual(ids);
    expect(told.map(({ subscription }) => subscription)).not.toContain(late);
    expect(await countsOf(published.eventId)).toMatchObject({ accepted: 620 });
    const { store, workspaceId } = fixture;
    expect(await store.read(readEvent(store, workspaceId, published.eventId))).toMatchObject({
      matched: 620,
      seen: 620,
      made: 620,
      done: 1,
    });
  });

  test('steps at the same time, by several workers, tell nobody twice', async () => {
    await subscribe(Array.from({ length: 520 }, () => ({})));
    const { eventId } = await publish();
    const other = await openFixture(opened.url);
    const work = async ({ store }: Fixture) => {
      for (let idle = 0; idle < 3;) {
        const step = await store.transaction(() => stepNextFanOut(store, 40, NOW));
        idle = step === undefined ? idle + 1 : 0;
      }
    };
    await Promise.all([work(fixture), work(other), work(fixture)]);
    await other.store.close();
    await stepThrough(100);
    const told = await messagesOf(eventId);
    expect(new Set(told.map(({ subscription }) => subscription)).size).toBe(520);
    expect(told).toHaveLength(520);
  });

  test('workspaces take turns, however many events one of them has', async () => {
    const { store } = fixture;
    await subscribe(Array.from({ length: 501 }, () => ({})));
    for (let n = 0; n < 3; n += 1) await publish();
    const second = await store.transaction(function* () {
      yield* ensureWorkspace(store, 'second', 1);
      return yield* anAccount(store, 'second');
    });
    const channelId = await store.transaction(
      ensureChannel(store, second.accountId, 'email', 'notification'),
    );
    const neighbour = { ...second, channelId, store };
    await subscribe(
      Array.from({ length: 501 }, () => ({})),
      neighbour,
    );
    const { eventId } = await publish({}, NOW, neighbour);
    const order: boolean[] = [];
    for (let n = 0; n < 6; n += 1) {
      const step = await store.transaction(() => stepNextFanOut(store, 100, NOW));
      order.push(step?.eventId === eventId);
    }
    expect(order.filter(Boolean)).toHaveLength(3);
  });

  test('preferences leave out, delay and limit; who is left out is counted, and no message is made', async () => {
    const [, wanting, , snoozed] = await subscribe([
      { notifyOn: ['Closed'] },
      { notifyOn: ['Closed', 'Open'] },
      { snoozeUntil: NOW + 90_000_000 },
      { snoozeUntil: NOW + 5_000 },
      { max: 0 },
    ]);
    const { eventId } = await publish();
    expect((await messagesOf(eventId)).map(({ subscription, due }) => [subscription, due])).toEqual([
      [wanting, NOW],
      [snoozed, NOW + 5_000],
    ]);
    expect(await skipsOf(eventId)).toEqual({ notify_on: 1, snoozed: 1, max_notifications: 1 });
  });

  test('why somebody was left out stands in his history; again for the same reason is the same line', async () => {
    const [picky, limited, plain] = (await subscribe([{ notifyOn: ['Closed'] }, { max: 1 }, {}])) as [
      number,
      number,
      number,
    ];
    const told = (await publish()).eventId;
    const closed = (await publish({ statusAfter: 'Closed' }, NOW + 1_000)).eventId;
    for (const n of [2, 3, 4]) await publish({}, NOW + n * 1_000);
    const last = (await publish({}, NOW + 5_000)).eventId;
    const skipped = { kind: 'not_told', actor: null, messageId: null };
    expect(await historyOf(limited)).toMatchObject([
      {
        ...{ ...skipped, times: 5, since: NOW + 1_000, at: NOW + 5_000, eventId: last },
        details: { state: 'skipped', reason: 'max_notifications' },
      },
    ]);
    const open = { state: 'skipped', reason: 'notify_on', statusAfter: 'Open' };
    expect(await historyOf(picky)).toMatchObject([
      { ...skipped, times: 5, since: NOW, at: NOW + 5_000, eventId: last, details: open },
    ]);
    expect(await historyOf(plain)).toEqual([]);
    // What happens between begins a new line: no line ever moves.
    await fixture.store.transaction(() =>
      changeSubscriptionStatus(fixture.store, fixture.workspaceId, picky, 'paused', {
        actor: 'a',
        now: NOW + 5_500,
      }),
    );
    await fixture.store.transaction(() =>
      changeSubscriptionStatus(fixture.store, fixture.workspaceId, picky, 'active', {
        actor: 'a',
        now: NOW + 5_600,
      }),
    );
    const next = (await publish({}, NOW + 6_000)).eventId;
    expect((await historyOf(picky)).map(({ kind, times, eventId }) => [kind, times, eventId])).toEqual([
      ['not_told', 1, next],
      ['status_changed', 1, null],
      ['status_changed', 1, null],
      ['not_told', 5, last],
    ]);
    expect(await skipsOf(told)).toEqual({ notify_on: 1 });
    expect(await skipsOf(closed)).toEqual({ max_notifications: 1 });
  });

  test('two events at once leave the same people out, whichever comes first', async () => {
    const ids = await subscribe(Array.from({ length: 40 }, () => ({ notifyOn: ['Closed'] })));
    await publish();
    await Promise.all(Array.from({ length: 8 }, (_, n) => publish({}, NOW + n + 1)));
    for (const id of ids) expect((await historyOf(id)).reduce((sum, { times }) => sum + times, 0)).toBe(9);
  });

  test('a window delays to its next opening, across midnight too', async () => {
    const midnight = Date.UTC(2027, 0, 16);
    await subscribe([{ window: [480, 540] }, { window: [1_320, 60] }, { window: [0, 1_440] }]);
    const { eventId } = await publish({}, midnight + 2 * 3_600_000);
    expect((await messagesOf(eventId)).map(({ due }) => due)).toEqual([
      midnight + 8 * 3_600_000,
      midnight + 22 * 3_600_000,
      midnight + 2 * 3_600_000,
    ]);
  });

  test('a limit holds strictly; what did not leave is given back, and a retry takes it again', async () => {
    const [id] = await subscribe([{ max: 2 }]);
    const { store, workspaceId } = fixture;
    const notified = async () => (await store.read(readSubscription(store, workspaceId, id!)))?.notified;
    const racing = await Promise.all(Array.from({ length: 5 }, () => publish({}, 2_000)));
    expect(racing.filter((each) => !each.duplicate && each.made === 1)).toHaveLength(2);
    expect(await notified()).toBe(2);
    const claim = await take(fixture);
    const [dies, leaves] = claim.messages as [ClaimedMessage, ClaimedMessage];
    await store.settleNotified(
      [
        settling(claim, dies, { event: 'rejected', attempt: failedTry, reason: 'permanent_error' }),
        settling(claim, leaves),
      ],
      false,
    );
    expect(await notified()).toBe(1);
    expect(await countsOf(dies.eventId!)).toMatchObject({
      ended: [{ state: 'dead', reason: '451', count: 1 }],
    });
    const history = await historyOf(id!);
    expect(history.filter(({ messageId }) => messageId === dies.id)).toMatchObject([
      { kind: 'not_told', eventId: dies.eventId, details: { state: 'dead', reason: '451' } },
    ]);
    // Of those that raced, each was left out because the others were told.
    const refused = history.filter(({ messageId }) => messageId === null);
    expect(refused.reduce((sum, { times }) => sum + times, 0)).toBe(3);
    expect(refused.map(({ details }) => details?.['reason'])).toContain('max_notifications');
    await store.transaction(() => requeueAll(store, [dies.id], 'dead', { workspaceId, now: 3_000 }));
    expect(await notified()).toBe(2);
    expect(await countsOf(dies.eventId!)).toMatchObject({ accepted: 1, ended: [] });
    expect(await publish({}, 3_000)).toMatchObject({ matched: 1, made: 0 });
  });

  test('a cancelled event is told to nobody more: while it is told, while it waits, and at the gate', async () => {
    await subscribe([...Array.from({ length: 600 }, () => ({})), { max: 1 }]);
    const { store, workspaceId } = fixture;
    const { eventId } = await publish({}, 1_000);
    await store.transaction(() => stepNextFanOut(store, 50, 1_000));
    const claim = await take(fixture, 5);
    const stopped = await store.transaction(() => cancelEvent(store, workspaceId, eventId, 'mara', 2_000));
    expect(stopped).toMatchObject({ eventId, seen: 50, done: true });
    expect(await store.transaction(() => cancelEvent(store, workspaceId, eventId, 'mara', 2_000))).toBe(
      false,
    );
    await stepThrough(100);
    const [message] = claim.messages as [ClaimedMessage];
    const [answer] = await store.gateNotified([telling(claim, message)], false);
    expect(answer).toEqual({ passed: false, refusal: 'ended', reason: 'event_cancelled' });
    const all = await messagesOf(eventId);
    expect(all).toHaveLength(50);
    expect(
      all.filter(({ state, reason }) => state === 'cancelled' && reason === 'event_cancelled'),
    ).toHaveLength(45);
    const stoppedOne = all.find(({ state }) => state === 'cancelled');
    expect(await historyOf(stoppedOne!.subscription)).toMatchObject([
      {
        ...{ kind: 'not_told', eventId, messageId: stoppedOne!.id },
        details: { state: 'cancelled', reason: 'event_cancelled' },
      },
    ]);
    expect(await countsOf(eventId)).toEqual({
      accepted: 50,
      ended: [{ state: 'cancelled', reason: 'event_cancelled', count: 45 }],
    });
  });

  test('the gate keeps back whose subscription has ended, and who does not want to be told now', async () => {
    const [id] = await subscribe([{}]);
    const { store, workspaceId } = fixture;
    await publish({}, 1_000);
    const claim = await take(fixture);
    const [message] = claim.messages as [ClaimedMessage];
    const entry = telling(claim, message);
    expect(await store.gateNotified([{ ...entry, closesAt: 2_000 }], false)).toEqual([
      { passed: false, refusal: 'closed' },
    ]);
    await store.transaction(() =>
      changeSubscriptionStatus(store, workspaceId, id!, 'unsubscribed', { actor: 'recipient', now: 2_000 }),
    );
    expect(await store.gateNotified([entry], false)).toEqual([
      { passed: false, refusal: 'unsubscribed', reason: 'unsubscribed' },
    ]);
    expect(await store.read(subscriptionHistory(store, id!, { limit: 10 }))).toMatchObject([
      { kind: 'status_changed', actor: 'recipient', details: { before: 'active', after: 'unsubscribed' } },
    ]);
  });

  test('what became of the account stands in the way of a notification as of any other', async () => {
    await subscribe([{}]);
    const { store } = fixture;
    await publish({}, 1_000);
    const claim = await take(fixture);
    const [message] = claim.messages as [ClaimedMessage];
    await store.transaction(function* () {
      yield { sql: `update ${store.at('channels')} set paused_at = 1`, parameters: [] };
    });
    const entry = telling(claim, message);
    expect(await store.gateNotified([entry], false)).toEqual([{ passed: false, refusal: 'paused' }]);
  });
});
