import { expect, test } from 'vitest';
import { rulesFor } from '../../test/sending-world.js';
import { dayLoads, fullest, periodUses, type NearFacts } from './nearness.js';
import { PACE_DAYS, paceOf } from './pace.js';
import { NOTHING_TAKEN } from './plan/taken.js';

const HOUR = 3_600_000;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
const TEN = MONDAY + 10 * HOUR;
const RAMP = { dailyQuota: 1_000, rampUpEnabled: true, rampUp: { start: 5, step: 5 } };

const pace = (daysSent: number, past: number, waiting: number, used = 0) => {
  const days = [{ day: '2026-11-16', counts: { email: used } }];
  return paceOf({
    ...{ account: 1, action: 'email', rules: rulesFor(TEN, RAMP, { dailyLimitEmails: 30 }) },
    use: { now: TEN, taken: { ...NOTHING_TAKEN, daysSent, days }, totals: new Map() },
    past: Array.from({ length: past }, (_, n) => ({
      day: `2026-11-${String(13 - n).padStart(2, '0')}`,
      left: 5 - n,
    })),
    due: Array.from({ length: waiting }, () => 0),
  });
};

test('an account that begins comes up to its limit day by day', () => {
  const { number, days, planned, next } = pace(0, 0, 40);
  expect(number).toBe(1);
  expect(days).toHaveLength(PACE_DAYS);
  expect(days.map(({ quota }) => quota).slice(0, 7)).toEqual([5, 10, 15, 20, 25, 30, 30]);
  expect(days.map((day) => day.planned).slice(0, 5)).toEqual([5, 10, 15, 10, 0]);
  expect(planned).toHaveLength(5);
  expect(next).toBe(TEN);
  expect(days[5]?.date).toBe('2026-11-23');
});

test('days that were come first, today has what left and what is to come', () => {
  const { days, number } = pace(7, 5, 3, 4);
  expect(number).toBe(8);
  expect(days.slice(0, 6)).toEqual([
    { number: 3, date: '2026-11-09', sent: 1, planned: 0, quota: 15 },
    { number: 4, date: '2026-11-10', sent: 2, planned: 0, quota: 20 },
    { number: 5, date: '2026-11-11', sent: 3, planned: 0, quota: 25 },
    { number: 6, date: '2026-11-12', sent: 4, planned: 0, quota: 30 },
    { number: 7, date: '2026-11-13', sent: 5, planned: 0, quota: 30 },
    { number: 8, date: '2026-11-16', sent: 4, planned: 3, quota: 30 },
  ]);
});

test('nothing waits: nothing is to come', () => {
  expect(pace(0, 0, 0)).toMatchObject({ planned: [], next: null });
});

const near = (over: Partial<NearFacts> = {}): NearFacts => ({
  ...{ accountId: 1, action: 'email', late: 0, grains: [] },
  rules: rulesFor(TEN, { dailyQuota: 25 }, { limits: [{ action: 'email', period: 'week', max: 30 }] }),
  use: {
    now: TEN,
    taken: { ...NOTHING_TAKEN, days: [{ day: '2026-11-16', counts: { email: 8 } }] },
    totals: new Map(),
  },
  ...over,
});

test('how near: what is planned counts whole, what is late only as far as there is room', () => {
  const tomorrow = { at: TEN + 24 * HOUR, count: 26 };
  const uses = periodUses(near({ grains: [{ at: TEN + HOUR, count: 2 }, tomorrow], late: 100 }));
  expect(uses).toEqual({
    ...{ hour: null, month: null },
    day: { used: 8, planned: 12, max: 20 },
    week: { used: 8, planned: 28, max: 30 },
  });
  expect(fullest(uses)).toBeCloseTo(1.2);
});

test('what all have by day, and what they may', () => {
  const grains = [{ at: TEN + 24 * HOUR, count: 26 }];
  expect(dayLoads([near({ grains }), near({ accountId: 2, late: 3 })], 9)).toEqual([
    { date: '2026-11-16', planned: 19, room: 25 },
    { date: '2026-11-17', planned: 26, room: 25 },
  ]);
});
