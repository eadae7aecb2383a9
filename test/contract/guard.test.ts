import { beforeEach, describe, expect, test } from 'vitest';
import { SENDING_DEFAULTS, type AccountSending, type SendingSettings } from '#pillarbox/core/sending';
import { coolAccount, ensureAccount, pauseAccount } from '#pillarbox/store/scripts/accounts';
import { cancel } from '#pillarbox/store/scripts/cancel';
import { confirmSent, dismiss, requeue } from '#pillarbox/store/scripts/moves';
import { ensureGuardedChannel, FOR_GOOD, reopen, rollOpenings } from '#pillarbox/store/scripts/openings';
import { giveBackLeftOver } from '#pillarbox/store/scripts/reservations';
import { writeSettings } from '#pillarbox/store/scripts/settings';
import type { Script } from '#pillarbox/store/script';
import type { Claim, ClaimedMessage, GateAnswer, SettleEntry } from '#pillarbox/store/store';
import { databases } from '../databases.js';
import { asking, letLeasesRunOut, put, result, rows, take, useFixture } from './fixture.js';

const at = (instant: string): number => Date.parse(instant);
const HOUR = 3_600_000;

/** A Monday, nine in the morning and open, in a zone without surprises. */
const MONDAY = at('2026-11-16T09:00:00Z');
const ALWAYS: Partial<SendingSettings> = {
  sendingDays: [1, 2, 3, 4, 5, 6, 7],
  startHour: 0,
  endHour: 24,
  spacing: { minSeconds: 0, maxSeconds: 0 },
};

interface DayRow {
  readonly day: string;
  readonly used: number;
  readonly sent: number;
  readonly in_doubt: number;
}

describe.each(databases)('the guard on $name', ({ ready }) => {
  const fixture = useFixture(ready);
  let channelId: number;

  beforeEach(async () => {
    const { store, accountId } = fixture;
    channelId = await store.transaction(ensureGuardedChannel(store, accountId, 'email'));
    await store.setClock(MONDAY);
    await settings({});
  });

  /** Saves what the workspace says, as its door does. */
  const settings = async (over: Partial<SendingSettings>) => {
    const { store, workspaceId } = fixture;
    await store.transaction(function* () {
      yield* writeSettings(store, workspaceId, 'sending', { ...SENDING_DEFAULTS, ...ALWAYS, ...over });
      yield* reopen(store, { workspaceId });
    });
  };

  const account = async (sending: AccountSending) => {
    const { store, accountId } = fixture;
    await rows(
      fixture,
      `update ${store.at('accounts')} set sending = '${JSON.stringify(sending)}' where id = ${accountId}`,
    );
    await store.transaction(reopen(store, { accountId }));
  };

  const guarded = (n: number, channel = channelId) =>
    Promise.all(Array.from({ length: n }, () => put(fixture, { channelId: channel, dueAt: MONDAY - HOUR })));

  /** Looks as a worker does. */
  const look = async () => {
    const { store } = fixture;
    for (const { over, accountId } of await store.openGuarded()) {
      if (over) await store.transaction(rollOpenings(store, accountId, await store.now()));
    }
    return (await store.openGuarded()).filter(({ over }) => !over);
  };

  const claim = async (limit = 100, channels = [channelId], alone = false): Promise<Claim | undefined> => {
    await look();
    return fixture.store.claimGuarded({
      owner: 'worker',
      shares: channels.map((id) => ({ channelId: id, limit })),
      alone,
    });
  };

  const gate = async ({ lease, messages }: Claim) =>
    fixture.store.gateGuarded(messages.map((message) => asking({ lease }, message)));

  const GUARD = { lane: 'outbox', draw: 0 } as const;
  const settled = (of: Pick<Claim, 'lease'>, message: ClaimedMessage, over: Partial<SettleEntry> = {}) =>
    fixture.store.settleGuarded([result(of, message, { guard: GUARD, ...over })]);
  const failed = {
    event: 'deferred',
    waitMs: 0,
    attempt: { outcome: 'failed', startedAt: 1, handedAt: 2, worker: 'worker' },
  } as const;
  const released = { event: 'released', attempt: undefined, attempts: 0 } as const;
  const doubted = {
    event: 'doubted',
    reason: 'in_doubt',
    attempt: { outcome: 'in_doubt', startedAt: 1, handedAt: 2, worker: 'worker' },
  } as const;

  const days = () =>
    rows<DayRow>(
      fixture,
      `select day, used, sent, in_doubt from ${fixture.store.at('account_days')} order by day`,
    );
  const total = async () =>
    (
      await rows<{ used: number }>(
        fixture,
        `select sum(used) as used from ${fixture.store.at('workspace_days')}`,
      )
    )[0]?.used;

  test('what is guarded is seen by the guard alone', async () => {
    const { store } = fixture;
    await guarded(2);
    await put(fixture, { dueAt: MONDAY - HOUR });
    expect((await store.openChannels()).map(({ id }) => id)).toEqual([fixture.channelId]);
    expect(await take(fixture)).toMatchObject({ messages: [{ guarded: false }] });
    const shares = [{ channelId, limit: 9 }];
    expect(await store.claim({ owner: 'w', shares, alone: false })).toBeUndefined();
    expect((await look()).map(({ id }) => id)).toEqual([channelId]);
    expect(await claim()).toMatchObject({ messages: [{ guarded: true }, { guarded: true }] });
    // Not even a rest that is over opens it for others.
    await store.transaction(coolAccount(store, fixture.accountId, 'slow down', MONDAY, 60));
    const [row] = await rows<{ blocked_until: number }>(
      fixture,
      `select blocked_until from ${store.at('channels')} where id = ${channelId}`,
    );
    expect(row).toEqual({ blocked_until: FOR_GOOD });
  });

  test('a day gives what its quota allows, and not one more, whoever asks', async () => {
    await account({ dailyLimitEmails: 5 });
    await guarded(12);
    await look();
    const shares = [{ channelId, limit: 4 }];
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        fixture.store.claimGuarded({ owner: `w${String(n)}`, shares, alone: false }),
      ),
    );
    // One who is locked out for a moment looks again.
    for (let round = 0; round < 5; round += 1) claims.push(await claim(4));
    const taken = claims.flatMap((each) => each?.messages ?? []);
    expect(taken).toHaveLength(5);
    expect(await days()).toMatchObject([{ day: '2026-11-16', used: 5, sent: 0 }]);
    expect(await look()).toEqual([]);
  });

  test('sent and in doubt are used; what failed, was refused or cancelled gives back', async () => {
    await account({ dailyLimitEmails: 6 });
    await guarded(6);
    const taken = (await claim())!;
    const [sent, doubt, tried, refused, gone] = taken.messages;
    await gate(taken);
    await settled(taken, sent!);
    await settled(taken, doubt!, doubted);
    await settled(taken, tried!, { ...failed, waitMs: HOUR });
    await settled(taken, refused!, released);
    expect(await fixture.store.transaction(cancel(fixture.store, gone!.id, actor()))).toBe('sending');
    await settled(taken, gone!, { event: 'cancelled', attempt: undefined });
    expect(await days()).toMatchObject([{ used: 3, sent: 1, in_doubt: 1 }]);
    expect(await total()).toBe(3);
    // A second settle of the same finds nothing to give back.
    expect(await settled(taken, tried!, failed)).toEqual([false]);
    expect(await days()).toMatchObject([{ used: 3 }]);
  });

  const actor = () => ({ workspaceId: fixture.workspaceId, now: MONDAY });

  test('a doubt is decided on the day that it was reserved for', async () => {
    const { store } = fixture;
    await guarded(4);
    const taken = (await claim())!;
    for (const message of taken.messages) await settled(taken, message, doubted);
    expect(await days()).toMatchObject([{ used: 4, in_doubt: 4 }]);
    await store.setClock(MONDAY + 26 * HOUR);
    const [left, unsent, dropped] = taken.messages.map(({ id }) => id);
    expect(await store.transaction(confirmSent(store, left!, actor()))).toBeUndefined();
    expect(await store.transaction(requeue(store, unsent!, 'held', actor()))).toBeUndefined();
    expect(await store.transaction(dismiss(store, dropped!, actor()))).toBeUndefined();
    expect(await days()).toEqual([{ day: '2026-11-16', used: 3, sent: 1, in_doubt: 2 }]);
    expect(await total()).toBe(3);
    expect(await rows(fixture, `select message_id from ${store.at('reservations')}`)).toHaveLength(1);
  });

  test('a lost lease before the gate gives back, after it the doubt is used', async () => {
    const { store } = fixture;
    await guarded(2);
    const taken = (await claim())!;
    await store.gateGuarded([asking(taken, taken.messages[0]!)]);
    await letLeasesRunOut(fixture);
    const [lost] = await store.takeOver('other', 5);
    expect(lost!.messages.map(({ guarded: is, handed }) => [is, handed])).toEqual([
      [true, true],
      [true, false],
    ]);
    await settled(lost!, lost!.messages[0]!, { ...doubted, lost: true });
    await settled(lost!, lost!.messages[1]!, { ...released, lost: true });
    expect(await days()).toMatchObject([{ used: 1, in_doubt: 1 }]);
    // The old owner can write no more.
    expect(await settled(taken, taken.messages[0]!)).toEqual([false]);
  });

  test('nothing leaves outside its window, and the next one is found by looking', async () => {
    const { store } = fixture;
    await settings({ sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 17, timezone: 'America/New_York' });
    await guarded(3);
    expect(await claim()).toBeUndefined();
    await store.setClock(at('2026-11-16T13:30:00Z'));
    expect(await claim()).toBeUndefined();
    await store.setClock(at('2026-11-16T14:00:00Z'));
    const first = (await claim(1))!;
    expect(await gate(first)).toMatchObject([{ passed: true }]);
    const second = (await claim(1))!;
    // It was claimed in time, and comes to its gate when the window is over.
    await store.setClock(at('2026-11-16T22:00:00Z'));
    expect(await gate(second)).toEqual([{ passed: false, refusal: 'shut' }]);
    await settled(second, second.messages[0]!, released);
    expect(await days()).toMatchObject([{ day: '2026-11-16', used: 1 }]);
    expect(await claim()).toBeUndefined();
    await store.setClock(at('2026-11-17T14:00:00Z'));
    const next = (await claim())!;
    expect(next.messages).toHaveLength(2);
    expect(await days()).toMatchObject([{ day: '2026-11-16' }, { day: '2026-11-17', used: 2 }]);
  });

  test('what was reserved yesterday does not pass today', async () => {
    const { store } = fixture;
    await guarded(1);
    const taken = (await claim())!;
    await store.setClock(MONDAY + 24 * HOUR);
    await guarded(1);
    await look();
    expect(await gate(taken)).toEqual([{ passed: false, refusal: 'shut' }]);
  });

  test('spacing is kept from the settlement on, over all actions of the account', async () => {
    const { store, accountId } = fixture;
    await rows(fixture, `update ${store.at('accounts')} set type = 'linkedin' where id = ${accountId}`);
    const message = await store.transaction(ensureGuardedChannel(store, accountId, 'message'));
    const inmail = await store.transaction(ensureGuardedChannel(store, accountId, 'inmail'));
    await settings({ spacing: { minSeconds: 3_600, maxSeconds: 3_600 } });
    for (const channel of [message, inmail])
      await put(fixture, {
        channelId: channel,
        action: channel === message ? 'message' : 'inmail',
        dueAt: MONDAY - HOUR,
      });
    const first = (await claim(5, [message, inmail]))!;
    expect(first.messages).toHaveLength(1);
    expect(await claim(5, [message, inmail])).toBeUndefined();
    await gate(first);
    await store.setClock(MONDAY + 2 * HOUR);
    await settled(first, first.messages[0]!);
    // An hour from the settlement, not from the gate. The clock runs on, so all of it is far apart.
    await store.setClock(MONDAY + 2.5 * HOUR);
    expect(await claim(5, [message, inmail])).toBeUndefined();
    await store.setClock(MONDAY + 3.5 * HOUR);
    expect((await claim(5, [message, inmail]))!.messages).toHaveLength(1);
  });

  test('who is late waits a drawn gap; who was never tried costs none', async () => {
    const { store } = fixture;
    await settings({ spacing: { minSeconds: 3_600, maxSeconds: 3 * 3_600 } });
    await guarded(3);
    const first = (await claim())!;
    await settled(first, first.messages[0]!, { guard: { lane: 'outbox', draw: 0.5 } });
    await store.setClock(MONDAY + 1.5 * HOUR);
    expect(await claim()).toBeUndefined();
    await store.setClock(MONDAY + 2.5 * HOUR);
    const second = (await claim())!;
    await settled(second, second.messages[0]!, released);
    expect((await claim())!.messages).toHaveLength(1);
  });

  test('the workspace has a day of its own, for all its accounts', async () => {
    const { store, workspaceId } = fixture;
    const { id } = await store.transaction(
      ensureAccount(
        store,
        workspaceId,
        { name: 'second', emailAddress: 'second@example.org', displayName: null, transport: '{}' },
        1,
      ),
    );
    const other = await store.transaction(ensureGuardedChannel(store, id, 'email'));
    await settings({ dailyQuota: 5 });
    await guarded(4);
    await guarded(4, other);
    const taken = (await claim(10, [channelId, other]))!;
    expect(taken.messages).toHaveLength(5);
    expect(await claim(10, [channelId, other])).toBeUndefined();
    await settled(taken, taken.messages[0]!, { ...failed, waitMs: HOUR });
    expect((await claim(10, [channelId, other]))!.messages).toHaveLength(1);
  });

  test('hours, weeks and months have limits of their own', async () => {
    const { store } = fixture;
    await account({
      dailyLimitEmails: 50,
      limits: [
        { action: 'email', period: 'hour', max: 2 },
        { action: 'email', period: 'week', max: 5 },
        { action: 'email', period: 'month', max: 6 },
      ],
    });
    await guarded(20);
    const takeAll = async () => {
      const taken = await claim();
      for (const message of taken?.messages ?? []) await settled(taken!, message);
      return taken?.messages.length ?? 0;
    };
    const used: number[] = [];
    // Two an hour; five until Sunday; one more in the month; and December is another one.
    for (const instant of [
      '2026-11-16T09:00Z',
      '2026-11-16T09:59Z',
      '2026-11-16T10:00Z',
      '2026-11-17T10:00Z',
      '2026-11-17T11:00Z',
      '2026-11-22T23:59Z',
      '2026-11-23T00:00Z',
      '2026-11-30T23:00Z',
      '2026-12-01T00:00Z',
    ]) {
      await store.setClock(at(instant));
      used.push(await takeAll());
    }
    expect(used).toEqual([2, 0, 2, 1, 0, 0, 1, 0, 2]);
  });

  test('an hour gives back to the hour, and a limit that comes later knows what has left', async () => {
    const { store } = fixture;
    await guarded(9);
    const before = (await claim(3))!;
    const handed = (await gate(before)).map((answer) => (answer.passed ? answer.handedAt : 0));
    for (const [n, message] of before.messages.entries())
      await settled(before, message, {
        attempt: { outcome: 'success', startedAt: 1, handedAt: handed[n]!, worker: 'w' },
      });
    await account({ limits: [{ action: 'email', period: 'hour', max: 4 }] });
    const taken = (await claim())!;
    expect(taken.messages).toHaveLength(1);
    await settled(taken, taken.messages[0]!, { ...failed, waitMs: HOUR });
    expect((await claim())!.messages).toHaveLength(1);
    expect(await claim()).toBeUndefined();
    expect(await store.now()).toBeLessThan(MONDAY + HOUR);
  });

  test('an hour that is limited while mail is in flight counts that too, and takes back what fails', async () => {
    await guarded(9);
    const before = (await claim(3))!;
    const [sent, tried] = before.messages;
    const [answer] = await gate(before);
    await account({ limits: [{ action: 'email', period: 'hour', max: 4 }] });
    const later = (await claim())!;
    expect(later.messages).toHaveLength(1);
    await settled(before, sent!, {
      attempt: { outcome: 'success', startedAt: 1, handedAt: handedAtOf(answer!), worker: 'w' },
    });
    expect(await claim()).toBeUndefined();
    await settled(before, tried!, { ...failed, waitMs: HOUR });
    expect((await claim())!.messages).toHaveLength(1);
    expect(await claim()).toBeUndefined();
  });

  const handedAtOf = (answer: GateAnswer): number => (answer.passed ? answer.handedAt : 0);

  test('places of two days are given back each to its own, also in one go and in one hour', async () => {
    const { store } = fixture;
    const lateEvening = at('2026-11-16T23:10:00Z');
    await store.setClock(lateEvening);
    const limits = [{ action: 'email', period: 'hour', max: 9 }] as const;
    await account({ limits });
    await guarded(6);
    const first = (await claim(2))!;
    // An hour ahead, the same hour is the first of the next day.
    const window = { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24, timezone: 'Etc/GMT-1' };
    await account({ limits, window });
    const second = (await claim(3))!;
    const give = (of: Claim) =>
      of.messages.map((message) => result(of, message, { guard: GUARD, ...released }));
    await store.settleGuarded([...give(first), ...give(second)]);
    const hours = `select day, used, hour_used from ${store.at('account_days')} order by day`;
    expect(await rows(fixture, hours)).toEqual([
      { day: '2026-11-16', used: 0, hour_used: 0 },
      { day: '2026-11-17', used: 0, hour_used: 0 },
    ]);
  });

  test('what has been due for days comes in no burst: one after the other, within the day that it is', async () => {
    const { store } = fixture;
    await settings({ spacing: { minSeconds: 420, maxSeconds: 420 } });
    await account({ dailyLimitEmails: 3 });
    await Promise.all(
      Array.from({ length: 6 }, () => put(fixture, { channelId, dueAt: MONDAY - 72 * HOUR })),
    );
    const left: string[] = [];
    for (let minutes = 0; minutes < 60; minutes += 5) {
      await store.setClock(MONDAY + minutes * 60_000);
      const taken = await claim();
      for (const message of taken?.messages ?? []) {
        left.push(`${String(minutes)} min`);
        await settled(taken!, message);
      }
    }
    expect(left).toEqual(['0 min', '10 min', '20 min']);
  });

  test('when all accounts have used up their day, the night costs nothing, and each has its next one', async () => {
    const { store, workspaceId } = fixture;
    await settings({ startHour: 9, endHour: 17 });
    const channels = [channelId];
    for (const name of ['second', 'third']) {
      const { id } = await store.transaction(
        ensureAccount(
          store,
          workspaceId,
          { name, emailAddress: `${name}@example.org`, displayName: null, transport: '{}' },
          1,
        ),
      );
      channels.push(await store.transaction(ensureGuardedChannel(store, id, 'email')));
    }
    await rows(fixture, `update ${store.at('accounts')} set sending = '{"dailyLimitEmails":1}'`);
    for (const channel of channels) await guarded(3, channel);
    const takeAll = async () => {
      const taken = await claim(9, channels);
      for (const message of taken?.messages ?? []) await settled(taken!, message);
      return taken?.messages.map((message) => message.channelId).sort() ?? [];
    };
    expect(await takeAll()).toEqual(channels);
    for (const hours of [1, 7]) {
      await store.setClock(MONDAY + hours * HOUR);
      expect(await store.openGuarded()).toEqual([]);
    }
    // When the window is over somebody looks once; then they are passed over until it opens again.
    await store.setClock(MONDAY + 9 * HOUR);
    expect(await takeAll()).toEqual([]);
    await store.setClock(MONDAY + 23 * HOUR);
    expect(await store.openGuarded()).toEqual([]);
    await store.setClock(MONDAY + 24 * HOUR);
    expect(await takeAll()).toEqual(channels);
  });

  test('a mailbox whose zone was never set keeps the usual hours, by UTC', async () => {
    const { store, workspaceId } = fixture;
    await rows(fixture, `delete from ${store.at('settings')} where workspace_id = ${workspaceId}`);
    await store.transaction(reopen(store, { workspaceId }));
    await guarded(1);
    await store.setClock(at('2026-11-16T08:59:00Z'));
    expect(await claim()).toBeUndefined();
    await store.setClock(at('2026-11-16T18:00:00Z'));
    expect(await claim()).toBeUndefined();
    await store.setClock(at('2026-11-17T09:00:00Z'));
    const taken = (await claim())!;
    await settled(taken, taken.messages[0]!);
    // One that is no zone any more counts as UTC as well, and nothing stands still because of it.
    await account({ window: { ...SENDING_DEFAULTS, timezone: 'Mars/Olympus' } });
    await store.setClock(at('2026-11-17T09:30:00Z'));
    await guarded(1);
    expect((await claim())!.messages).toHaveLength(1);
  });

  test('ramp-up grows with the days on which something was sent', async () => {
    const { store } = fixture;
    await settings({ rampUpEnabled: true, rampUp: { start: 2, step: 3 } });
    await guarded(30);
    const taken: number[] = [];
    // The third day is one on which nothing is sent: the fourth is no better for it.
    for (const day of [0, 1, 3]) {
      await store.setClock(MONDAY + day * 24 * HOUR);
      const found = (await claim())!;
      for (const message of found.messages) await settled(found, message);
      taken.push(found.messages.length);
    }
    expect(taken).toEqual([2, 5, 8]);
  });

  test('new rules hold from their commit: what is in flight and too much goes back', async () => {
    await guarded(6);
    const taken = (await claim())!;
    expect(taken.messages).toHaveLength(6);
    await account({ dailyLimitEmails: 2 });
    expect(await gate(taken)).toEqual(taken.messages.map(() => ({ passed: false, refusal: 'shut' })));
    for (const message of taken.messages) await settled(taken, message, released);
    const again = (await claim())!;
    expect(again.messages).toHaveLength(2);
    expect(await gate(again)).toMatchObject([{ passed: true }, { passed: true }]);
  });

  test('rules that are saved while an opening is being found are not covered by it', async () => {
    const { store, accountId } = fixture;
    await guarded(1);
    let saving: Promise<void> | undefined;
    /** Saves right behind the look at the old rules, and gives that time to be done if nothing holds it up. */
    function* interrupted(): Script<void> {
      const roll = rollOpenings(store, accountId, MONDAY);
      for (let step = roll.next([]); !step.done;) {
        const { sql } = step.value;
        const rows = yield step.value;
        if (!saving && sql.includes('settings')) {
          saving = Promise.resolve().then(() => settings({ dailyQuota: 0 }));
          if (store.dialect === 'postgres') yield { sql: 'select pg_sleep(0.3)', parameters: [] };
        }
        step = roll.next(rows);
      }
    }
    await store.transaction(interrupted());
    await saving;
    expect(await rows(fixture, `select open_until from ${store.at('openings')}`)).toEqual([
      { open_until: 0 },
    ]);
    expect(await claim()).toBeUndefined();
  });

  test('a pause and a rest hold at the gate and in the claim', async () => {
    const { store, accountId } = fixture;
    await guarded(3);
    const taken = (await claim(1))!;
    await store.transaction(coolAccount(store, accountId, 'slow down', MONDAY, 6_000));
    expect(await gate(taken)).toMatchObject([
      { passed: false, refusal: 'paused', until: MONDAY + 6_000_000 },
    ]);
    expect(await claim()).toBeUndefined();
    await store.setClock(MONDAY + 2 * HOUR);
    const next = (await claim(1))!;
    await store.transaction(pauseAccount(store, accountId, 'by a person', MONDAY));
    expect(await gate(next)).toMatchObject([{ passed: false, refusal: 'paused' }]);
    expect(await claim()).toBeUndefined();
  });

  test('what an older worker has recovered gives back what was left over', async () => {
    const { store } = fixture;
    await settings({ spacing: { minSeconds: 60, maxSeconds: 60 } });
    await guarded(2);
    const taken = (await claim())!;
    // It knows nothing of the guard, and settles as it does everything.
    await store.settle([
      result(taken, taken.messages[0]!, { event: 'released', attempt: undefined, attempts: 0 }),
    ]);
    expect(await claim()).toBeUndefined();
    expect(await store.transaction(giveBackLeftOver(store, 0, 10))).toBe(false);
    expect(await days()).toMatchObject([{ used: 1 }]);
    await store.transaction(giveBackLeftOver(store, MONDAY + HOUR, 10));
    expect(await days()).toMatchObject([{ used: 0 }]);
    expect((await claim())!.messages).toHaveLength(1);
  });

  test('what an older worker has put back is not counted twice, also where no spacing keeps it back', async () => {
    const { store } = fixture;
    await guarded(1);
    const taken = (await claim())!;
    await store.settle([result(taken, taken.messages[0]!, released)]);
    expect(await claim()).toBeUndefined();
    await store.transaction(giveBackLeftOver(store, MONDAY + HOUR, 10));
    expect(await days()).toMatchObject([{ used: 0 }]);
    expect((await claim())!.messages).toHaveLength(1);
    expect(await days()).toMatchObject([{ used: 1 }]);
    expect(await total()).toBe(1);
  });

  test('what an older worker holds is a doubt of its day, and no longer has the turn of its account', async () => {
    const { store } = fixture;
    await settings({ spacing: { minSeconds: 60, maxSeconds: 60 } });
    await guarded(3);
    const taken = (await claim())!;
    const held = taken.messages[0]!.id;
    await gate(taken);
    await store.settle([result(taken, taken.messages[0]!, doubted)]);
    await store.transaction(giveBackLeftOver(store, MONDAY + HOUR, 10));
    expect(await days()).toMatchObject([{ used: 1, in_doubt: 1 }]);
    // Once: the second look finds nothing to do. It may have left just now, so spacing is kept.
    expect(await store.transaction(giveBackLeftOver(store, MONDAY + HOUR, 1))).toBe(false);
    expect(await days()).toMatchObject([{ used: 1, in_doubt: 1 }]);
    expect(await claim()).toBeUndefined();
    await store.setClock(MONDAY + HOUR);
    expect((await claim())!.messages).toHaveLength(1);
    expect(await store.transaction(confirmSent(store, held, actor()))).toBeUndefined();
    expect(await days()).toMatchObject([{ used: 2, sent: 1, in_doubt: 0 }]);
  });

  test('a person decides about what an older worker holds before anybody has counted it', async () => {
    const { store } = fixture;
    await settings({ spacing: { minSeconds: 60, maxSeconds: 60 } });
    await guarded(3);
    for (const [decide, used] of [
      [(id: number) => requeue(store, id, 'held', actor()), 0],
      [(id: number) => confirmSent(store, id, actor()), 1],
      [(id: number) => dismiss(store, id, actor()), 2],
    ] as const) {
      const taken = (await claim())!;
      await store.settle([result(taken, taken.messages[0]!, doubted)]);
      expect(await store.transaction(decide(taken.messages[0]!.id))).toBeUndefined();
      expect(await days()).toMatchObject([{ used }]);
      await store.setClock((await store.now()) + HOUR);
    }
    expect(await days()).toMatchObject([{ used: 2, sent: 1, in_doubt: 1 }]);
  });

  test('a doubt that an older worker sends again is used all the same', async () => {
    const { store } = fixture;
    await guarded(1);
    const taken = (await claim())!;
    await gate(taken);
    await store.settle([
      result(taken, taken.messages[0]!, { event: 'deferred', waitMs: 0, attempt: doubted.attempt }),
    ]);
    await store.transaction(giveBackLeftOver(store, MONDAY + HOUR, 10));
    expect(await days()).toMatchObject([{ used: 1, in_doubt: 1 }]);
    expect((await claim())!.messages).toHaveLength(1);
    expect(await days()).toMatchObject([{ used: 2, in_doubt: 1 }]);
  });

  test('counts know a guarded mail by its own lane', async () => {
    const { store } = fixture;
    await guarded(1);
    const taken = (await claim())!;
    await settled(taken, taken.messages[0]!);
    expect(
      await rows(fixture, `select distinct lane, state from ${store.at('tallies')} order by state`),
    ).toEqual([
      { lane: 'outbox', state: 'accepted' },
      { lane: 'outbox', state: 'sent' },
    ]);
  });
});
