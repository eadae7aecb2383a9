import { describe, expect, test } from 'vitest';
import { rulesFor } from '../../test/sending-world.js';
import { accountDay, dayWords, openMinutes } from './account-day.js';
import { limitWords, spacingWords } from './limit-words.js';
import { NOTHING_TAKEN } from './plan/taken.js';

const HOUR = 3_600_000;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);
const TEN = MONDAY + 10 * HOUR;

type Over = Parameters<typeof rulesFor>[2];

const day = (
  { now = TEN, used = 0, planned = 0, daysSent = 0 },
  workspace: Parameters<typeof rulesFor>[1] = {},
  account: Over = {},
) =>
  accountDay({
    ...{ account: 1, action: 'email', planned },
    rules: rulesFor(
      now,
      { dailyQuota: 100, spacing: { minSeconds: 0, maxSeconds: 0 }, ...workspace },
      account,
    ),
    use: {
      now,
      taken: { ...NOTHING_TAKEN, daysSent, days: [{ day: '2026-11-16', counts: { email: used } }] },
      totals: new Map([['2026-11-16', used]]),
    },
  });

describe('what an account may still do today', () => {
  test('its own limit, and the workspace next', () => {
    expect(day({ used: 9, planned: 571 })).toEqual({
      ...{ action: 'email', standing: 'open', until: null, limit: 20, used: 9, planned: 11 },
      ...{ binds: '20 a day, its own', then: 'next: workspace 100 a day' },
    });
  });

  test('used up, until tomorrow at nine', () => {
    expect(day({ used: 20, planned: 5 })).toMatchObject({
      ...{ standing: 'full', until: MONDAY + 33 * HOUR, planned: 0 },
      ...{ binds: '20 a day, used up', then: 'opens Tue 17 Nov, 09:00 UTC' },
    });
  });

  test('before its hours, of which today still has all', () => {
    expect(day({ now: MONDAY + 7 * HOUR, planned: 3 })).toMatchObject({
      ...{ standing: 'shut', until: MONDAY + 9 * HOUR, limit: 20, planned: 3 },
      ...{ binds: 'outside its hours', then: 'opens 09:00 UTC' },
    });
  });

  test('ramp-up binds while it is below the limit', () => {
    expect(day({ used: 1, daysSent: 2 }, { rampUpEnabled: true })).toMatchObject({
      ...{ limit: 15, binds: 'ramp-up, day 3: 15', then: 'next: 20 a day, its own' },
    });
  });

  test('the workspace binds where it has less left, and a window that never opens has no end', () => {
    expect(day({ used: 4 }, { dailyQuota: 4 })).toMatchObject({
      ...{ standing: 'full', binds: 'workspace 4 a day, used up' },
    });
    expect(day({}, { dailyQuota: 0 })).toMatchObject({ until: null, then: 'no opening in sight' });
  });
});

test('each limit in few words', () => {
  const spaced = { spacing: { minMs: 360_000, maxMs: 1_200_000 } };
  const words = (
    limit: Parameters<typeof limitWords>[0],
    action: Parameters<typeof limitWords>[1] = 'email',
  ) => limitWords(limit, action, spaced, 5);
  expect(words({ kind: 'spacing', max: 68, used: 7 })).toBe('spacing 6 to 20 min, 61 fit today');
  expect(words({ kind: 'limit', period: 'week', max: 100, used: 82 }, 'connection_request')).toBe(
    '100 requests a week: 82 used',
  );
  expect(words({ kind: 'limit', period: 'hour', max: 12, used: 12 })).toBe('12 an hour, used up');
  expect(words({ kind: 'ramp_up', max: 30, used: 30 })).toBe('ramp-up, day 6: 30, used up');
  expect(spacingWords({ minMs: 0, maxMs: 0 })).toBe('none');
  expect(spacingWords({ minMs: 30_000, maxMs: 90_000 })).toBe('30 to 90 s');
  expect(spacingWords({ minMs: 60_000, maxMs: 60_000 })).toBe('1 min');
});

describe('the open times of a day, in minutes of its clock', () => {
  const minutes = (now: number, account: Over) => openMinutes(rulesFor(now, {}, account), now);
  const always = { sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24 };

  test('several intervals, none on a day off, all of a day', () => {
    const hours = {
      1: [
        ['13:30', '17:00'],
        ['09:00', '12:30'],
      ],
    } as const;
    const window = { ...always, timezone: 'UTC', hours };
    expect(minutes(TEN, { window })).toEqual([
      [540, 750],
      [810, 1_020],
    ]);
    expect(minutes(TEN + 24 * HOUR, { window })).toEqual([]);
    expect(minutes(TEN, { window: { ...always, timezone: 'UTC' } })).toEqual([[0, 1_440]]);
    expect(minutes(TEN, { window: { ...always, timezone: 'UTC' }, holidays: ['2026-11-16'] })).toEqual([]);
  });

  test('on the days on which clocks change, as the clock shows them', () => {
    const window = { ...always, startHour: 1, endHour: 9, timezone: 'Europe/Berlin' };
    expect(minutes(Date.UTC(2026, 2, 29, 10), { window })).toEqual([[60, 540]]);
    expect(minutes(Date.UTC(2026, 9, 25, 10), { window })).toEqual([[60, 540]]);
  });
});

describe('what is used of its limits, in a few words', () => {
  const row = (over: object = {}) =>
    ({ guarded: true, standing: 'open', limit: 20, used: 9, ...over }) as const;

  test.each([
    ['9 of 20', [row()]],
    ['20 of 20, full', [row({ used: 20, standing: 'full' })]],
    ['0 of 20, shut', [row({ used: 0, standing: 'shut' })]],
    // On a day on which its window does not open.
    ['shut today', [row({ used: 0, limit: 0, standing: 'shut' })]],
    ['may send none', [row({ used: 0, limit: 0, standing: 'full' })]],
    ['9 of 20 · 1 of 5', [row(), row({ used: 1, limit: 5 })]],
    [
      'shut today',
      [row({ used: 0, limit: 0, standing: 'shut' }), row({ used: 0, limit: 0, standing: 'shut' })],
    ],
    ['9 of 20', [row(), row({ guarded: false })]],
    ['not guarded', [row({ guarded: false, limit: 0 })]],
    ['not guarded', []],
  ])('%s', (words, rows) => {
    expect(dayWords(rows as never)).toBe(words);
  });
});
