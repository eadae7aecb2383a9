import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rulesFor, worlds } from '../../test/sending-world.js';
import { explainGuard, type GuardStanding } from './explain-guard.js';
import type { PeriodLimit } from './sending.js';
import { NOTHING_TAKEN, type Taken } from './plan/taken.js';
import { rulesOf } from './rules.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
const TEN = MONDAY + 10 * HOUR;

const standing = (over: Partial<GuardStanding> = {}): GuardStanding => ({
  ...{ now: TEN, timezone: 'UTC', action: 'email', seed: 1, before: 0, waitsSince: TEN - HOUR },
  account: { number: 1, name: 'main' },
  rules: rulesFor(TEN),
  holidays: [],
  taken: NOTHING_TAKEN,
  totals: new Map(),
  ...over,
});
const used = (email: number, over: Partial<Taken> = {}): Taken => ({
  ...NOTHING_TAKEN,
  days: [{ day: '2026-11-16', counts: { email } }],
  ...over,
});
const limited = (period: PeriodLimit['period'], max: number) =>
  rulesFor(TEN, {}, { limits: [{ action: 'email', period, max }] });
const NEXT_MORNING = MONDAY + 33 * HOUR;

describe('why the guard does not let a message go', () => {
  test.each<[string, Partial<GuardStanding>, string, number | null, string]>([
    [
      'the window is shut',
      { now: MONDAY + 20 * HOUR },
      'outside_window',
      NEXT_MORNING,
      'The window of account main is shut; next slot Tue 17 Nov, 09:00 UTC.',
    ],
    [
      'a holiday',
      { rules: rulesFor(TEN, { holidays: ['2026-11-16'] }), holidays: ['2026-11-16'] },
      'holiday',
      NEXT_MORNING,
      'Today is a holiday of account main; next slot Tue 17 Nov, 09:00 UTC.',
    ],
    [
      'the day is used up',
      { taken: used(20) },
      'daily_limit',
      NEXT_MORNING,
      'Account main has used 20 of 20 today; next slot Tue 17 Nov, 09:00 UTC.',
    ],
    [
      'the day will be used up by others before it',
      { taken: used(18), before: 3 },
      'daily_limit',
      NEXT_MORNING,
      'Account main has used 18 of 20 today, and 3 are before it; next slot Tue 17 Nov, 09:00 UTC.',
    ],
    [
      'the hour is used up',
      { rules: limited('hour', 2), taken: used(2, { hours: [{ hour: TEN, action: 'email', count: 2 }] }) },
      'hourly_limit',
      TEN + HOUR,
      'Account main has used 2 of 2 this hour; next slot 11:00 UTC.',
    ],
    [
      'the week is used up, and so is the day',
      { rules: limited('week', 20), taken: used(20) },
      'weekly_limit',
      MONDAY + 7 * DAY + 9 * HOUR,
      'Account main has used 20 of 20 this week; next slot Mon 23 Nov, 09:00 UTC.',
    ],
    [
      'the month is used up',
      { rules: limited('month', 5), taken: used(5) },
      'monthly_limit',
      Date.UTC(2026, 11, 1, 9),
      'Account main has used 5 of 5 this month; next slot Tue 1 Dec, 09:00 UTC.',
    ],
    [
      'it is ramping up',
      { rules: rulesFor(TEN, { rampUpEnabled: true }), taken: used(5) },
      'ramp_up',
      NEXT_MORNING,
      'Account main is ramping up and has used 5 of 5 today; next slot Tue 17 Nov, 09:00 UTC.',
    ],
    [
      'the workspace has used its day up',
      { rules: rulesFor(TEN, { dailyQuota: 100 }), totals: new Map([['2026-11-16', 100]]) },
      'workspace_quota',
      NEXT_MORNING,
      'The workspace has used 100 of 100 today; next slot Tue 17 Nov, 09:00 UTC.',
    ],
    [
      'one has just left',
      {
        rules: rulesFor(TEN, { spacing: { minSeconds: 30, maxSeconds: 90 } }),
        taken: used(1, { freeAt: TEN + 12_000 }),
      },
      'spacing',
      TEN + 12_000,
      'Account main leaves at least 30 s between two sends; next slot 10:00:12 UTC.',
    ],
    [
      'others are before it',
      { rules: rulesFor(TEN, { spacing: { minSeconds: 60, maxSeconds: 60 } }), before: 1, waitsSince: TEN },
      'spacing',
      TEN + 60_000,
      'Account main leaves at least 60 s between two sends, and 1 is before it; next slot 10:01:00 UTC.',
    ],
    [
      'it may never leave',
      { rules: rulesFor(TEN, {}, { dailyLimitEmails: 0 }) },
      'daily_limit',
      null,
      'Account main has used 0 of 0 today; no slot is in sight.',
    ],
  ])('%s', (_, over, reason, until, sentence) => {
    expect(explainGuard(standing(over))).toEqual({ reason, until, sentence });
  });

  test('where the guard would let it go, it has nothing to say', () => {
    expect(explainGuard(standing())).toBeUndefined();
    expect(explainGuard(standing({ taken: used(19, { freeAt: TEN }) }))).toBeUndefined();
  });

  test('a window is told before a quota, a quota before the workspace, that before spacing', () => {
    const rules = rulesFor(TEN, { dailyQuota: 20, spacing: { minSeconds: 60, maxSeconds: 60 } });
    const all = { rules, taken: used(20, { freeAt: TEN + 1 }), totals: new Map([['2026-11-16', 20]]) };
    const reason = (over: Partial<GuardStanding>) => explainGuard(standing({ ...all, ...over }))?.reason;
    expect(reason({ now: MONDAY + 8 * HOUR })).toBe('outside_window');
    expect(reason({})).toBe('daily_limit');
    expect(reason({ taken: used(19, { freeAt: TEN + 1 }) })).toBe('workspace_quota');
    expect(reason({ taken: used(19, { freeAt: TEN + 1 }), totals: new Map() })).toBe('spacing');
  });

  test('all accounts at their cap over night: the next morning, in the words of its own place', () => {
    const rules = rulesFor(TEN, { timezone: 'America/New_York' });
    const over = { rules, timezone: 'America/New_York', now: MONDAY + 16 * HOUR, taken: used(20) };
    expect(explainGuard(standing(over))?.sentence).toBe(
      'Account main has used 20 of 20 today; next slot Tue 17 Nov, 09:00 EST.',
    );
  });
});

describe('until when', () => {
  const spaced = rulesFor(TEN, { spacing: { minSeconds: 30, maxSeconds: 90 } });

  test('does not move while time passes and nothing is sent; once it has come, the guard has nothing to say', () => {
    const read = (now: number) =>
      explainGuard(standing({ rules: spaced, before: 5, now, waitsSince: TEN, taken: used(3) }))?.until;
    const until = read(TEN)!;
    for (const now of [TEN, TEN + 1, TEN + 60_000, until - 1]) expect(read(now)).toBe(until);
    expect(read(until)).toBeUndefined();
  });

  test('is the same whenever it is read in an hour of a window, whatever the rules', () => {
    const share = fc.double({ min: 0, max: 0.999, noNaN: true });
    fc.assert(
      fc.property(worlds, fc.nat(30), fc.array(share, { maxLength: 5 }), (world, before, later) => {
        const rules = rulesOf(world.workspace, world.account, world.now);
        const { calendar, house } = rules;
        const window = calendar.interval(world.now);
        if (!window) return;
        const edge = calendar.isOpen(world.now) ? window.closesAt : window.opensAt;
        const ends = Math.min(calendar.zone.hourEnd(world.now), house.dayEnd(world.now), edge);
        const { taken, seed } = world;
        const read = (now: number) =>
          explainGuard(standing({ rules, before, now, taken, seed, waitsSince: world.now - 5 }))?.until;
        const until = read(world.now);
        for (const part of later) {
          const now = Math.floor(world.now + part * (ends - world.now));
          expect(read(now)).toBe(typeof until === 'number' && until <= now ? undefined : until);
        }
      }),
      { numRuns: 250 },
    );
  });

  test('lies behind everything that leaves before it, and does not jump when one of them has left on time', () => {
    const until = (before: number, taken: Taken) =>
      explainGuard(standing({ rules: spaced, before, taken, waitsSince: TEN }))!.until!;
    const slots = Array.from({ length: 10 }, (_, turn) => until(turn + 1, used(1, { freeAt: TEN + 1 })));
    for (const [turn, slot] of slots.entries()) {
      if (turn > 0) expect(slot - slots[turn - 1]!).toSatisfy((ms: number) => ms >= 30_000 && ms <= 90_000);
    }
    // The first of the line has left, and its gap was the one that had been drawn.
    const then = Array.from({ length: 9 }, (_, turn) => until(turn + 1, used(2, { freeAt: slots[0]! })));
    expect(then).toEqual(slots.slice(1));
  });

  test('a line that waits since yesterday is counted from this morning on', () => {
    const now = NEXT_MORNING + 60_000;
    const over = { rules: spaced, before: 400, taken: used(20), now, waitsSince: TEN };
    expect(explainGuard(standing(over))!.until!).toBeGreaterThan(now);
  });
});
