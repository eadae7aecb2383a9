import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultsOf, rulesFor, worlds, type Placed } from '../../test/sending-world.js';
import { capacityOf, limitsAt, roomOf, type Use } from './limits.js';
import { quotaOn } from './opening.js';
import { Ledger } from './plan/ledger.js';
import { NOTHING_TAKEN, takenOn, usageOn } from './plan/taken.js';
import { Totals } from './plan/totals.js';
import { rulesOf } from './rules.js';
import { labelOf } from './zone.js';

const HOUR = 3_600_000;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
const TEN = MONDAY + 10 * HOUR;

const use = (over: Partial<Use & { planned: number; email: number }> = {}) => {
  const { email = 0, ...rest } = over;
  const taken = { ...NOTHING_TAKEN, days: [{ day: '2026-11-16', counts: { email } }] };
  return { now: TEN, taken, totals: new Map<string, number>(), planned: 0, ...rest };
};

describe('what an account may do today', () => {
  test('its own limit, what is used and planned, and what that leaves', () => {
    const rules = rulesFor(TEN, { dailyQuota: 100 });
    expect(capacityOf(rules, 'email', use({ email: 12, planned: 5 }))).toEqual({
      ...{ date: '2026-11-16', limit: 20, used: 12, planned: 5, remaining: 3 },
      binding: { kind: 'limit', period: 'day', max: 20, used: 12 },
      next: { kind: 'total', period: 'day', max: 100, used: 0 },
      opensAt: MONDAY + 9 * HOUR,
      closesAt: MONDAY + 18 * HOUR,
    });
  });

  test.each<[string, Parameters<typeof rulesFor>[1], Parameters<typeof rulesFor>[2], number, object]>([
    [
      'the hour',
      {},
      { limits: [{ action: 'email', period: 'hour', max: 4 }] },
      0,
      { kind: 'limit', period: 'hour' },
    ],
    [
      'the week',
      {},
      { limits: [{ action: 'email', period: 'week', max: 8 }] },
      5,
      { kind: 'limit', period: 'week' },
    ],
    [
      'the month',
      {},
      { limits: [{ action: 'email', period: 'month', max: 8 }] },
      5,
      { kind: 'limit', period: 'month' },
    ],
    ['ramp-up', { rampUpEnabled: true }, {}, 1, { kind: 'ramp_up', max: 5, used: 1 }],
    ['the workspace', { dailyQuota: 3 }, {}, 0, { kind: 'total', max: 3, used: 0 }],
    [
      'spacing',
      { spacing: { minSeconds: 14_400, maxSeconds: 14_400 } },
      {},
      1,
      { kind: 'spacing', max: 3, used: 1 },
    ],
  ])('%s binds if it has least room, and the day would next', (_, workspace, account, email, binding) => {
    const found = capacityOf(rulesFor(TEN, workspace, account), 'email', use({ email }));
    expect(found.binding).toMatchObject(binding);
    expect(found.next).toMatchObject({ kind: 'limit', period: 'day', max: 20 });
  });

  test('a shut window binds before everything else, and says when it opens', () => {
    const found = capacityOf(rulesFor(TEN), 'email', use({ now: MONDAY + 20 * HOUR, email: 4 }));
    expect(found).toMatchObject({ limit: 20, used: 4, remaining: 0, opensAt: MONDAY + 33 * HOUR });
    expect(found.binding).toEqual({ kind: 'window', max: 0, used: 0 });
    expect(found.next).toMatchObject({ kind: 'limit', period: 'day' });
    const early = capacityOf(rulesFor(TEN), 'email', use({ now: MONDAY + 7 * HOUR }));
    expect(early).toMatchObject({ remaining: 20, binding: { kind: 'window' } });
  });

  test('on another date: what it may do then; nothing where the window stays shut', () => {
    const rules = rulesFor(TEN, { rampUpEnabled: true, rampUp: { start: 5, step: 2 } });
    const tomorrow = capacityOf(rules, 'email', use({ email: 5 }), '2026-11-17');
    expect(tomorrow).toMatchObject({ limit: 7, used: 0, remaining: 7, opensAt: MONDAY + 33 * HOUR });
    const sunday = capacityOf(rules, 'email', use({ email: 5 }), '2026-11-22');
    expect(sunday).toMatchObject({ limit: 0, remaining: 0, binding: { kind: 'window' } });
    expect(sunday.opensAt).toBe(MONDAY + (7 * 24 + 9) * HOUR);
  });

  test('a window that never opens', () => {
    const found = capacityOf(rulesFor(TEN, { sendingDays: [] }), 'email', use());
    expect(found).toMatchObject({ limit: 0, remaining: 0, opensAt: null, closesAt: null });
  });

  test('hours bound what is left of the day', () => {
    const rules = rulesFor(TEN, {}, { limits: [{ action: 'email', period: 'hour', max: 1 }] });
    const hours = [{ hour: TEN, action: 'email' as const, count: 1 }];
    const found = capacityOf(rules, 'email', use({ taken: { ...NOTHING_TAKEN, hours } }));
    expect(found.remaining).toBe(7);
    expect(found.binding).toEqual({ kind: 'limit', period: 'hour', max: 1, used: 1 });
  });
});

describe('what is shown and what decides', () => {
  test('the account’s own limits leave as much room as the quota of the day', () => {
    fc.assert(
      fc.property(worlds, fc.nat(20), (world, email) => {
        const rules = rulesOf(world.workspace, world.account, world.now);
        const today = labelOf(rules.calendar.zone.dayOf(world.now));
        const taken = { ...world.taken, days: [{ day: today, counts: { email } }] };
        const shown = limitsAt(rules, 'email', world.now, { now: world.now, taken, totals: new Map() })
          .filter(({ kind, period }) => kind !== 'total' && period !== 'hour')
          .map(roomOf);
        const quota = quotaOn(rules, 'email', usageOn(taken, 'email', today, today));
        expect(Math.min(...shown)).toBe(Math.max(0, quota - takenOn(taken, 'email', today)));
      }),
      { numRuns: 100 },
    );
  });

  test('what is said to remain today can be sent today: no more, and without random gaps no less', () => {
    fc.assert(
      fc.property(worlds, (given) => {
        const { minSeconds } = given.workspace.spacing;
        const spacing = { minSeconds, maxSeconds: minSeconds };
        const world = { ...given, workspace: { ...given.workspace, timezone: 'UTC', spacing } };
        const account = { ...world.account, window: { ...world.account.window!, timezone: 'UTC' } };
        const rules = rulesOf(world.workspace, account, world.now);
        const today = rules.calendar.zone.dayOf(world.now);
        const { remaining } = capacityOf(rules, 'email', { ...world, totals: new Map(), planned: 0 });
        const ledger = new Ledger(rules, 1, { ...world, punctual: true }, new Totals(rules));
        const placed: Placed[] = [];
        for (let instant = ledger.place('email'); instant !== undefined; instant = ledger.place('email')) {
          if (ledger.dayOf(instant) !== today) break;
          placed.push({ action: 'email', instant });
        }
        expect(remaining).toBe(placed.length);
        expect(faultsOf({ ...world, account }, placed)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
