import { expect, test } from 'vitest';
import { rulesFor } from '../../test/sending-world.js';
import { NOTHING_TAKEN } from '../core/plan/taken.js';
import { causeOf, daysLate } from './late.js';

const HOUR = 3_600_000;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 16);

const cause = (
  now: number,
  used: number,
  workspace: Parameters<typeof rulesFor>[1] = {},
  type: 'email' | 'linkedin' = 'email',
) =>
  causeOf(
    {
      account: { id: 1, name: 'jonas@', type },
      rules: rulesFor(now, { spacing: { minSeconds: 0, maxSeconds: 0 }, ...workspace }, { type }),
      use: {
        now,
        taken: { ...NOTHING_TAKEN, days: [{ day: '2026-11-16', counts: { email: used } }] },
        totals: new Map([['2026-11-16', used]]),
      },
    },
    { now, timezone: 'UTC' },
  );

test('an account that is full says until when, by day and by night what binds it', () => {
  expect(cause(MONDAY + 10 * HOUR, 20)).toBe('jonas@ is full until Tue 17 Nov, 09:00 UTC');
  expect(cause(MONDAY + 10 * HOUR, 3)).toBe('jonas@ ends it (20 a day, its own)');
  expect(cause(MONDAY + 3 * HOUR, 0)).toBe('jonas@ ends it (20 a day, its own)');
  expect(cause(MONDAY + 10 * HOUR, 3, { dailyQuota: 5 })).toBe('jonas@ ends it (workspace 5 a day)');
});

test('one that does several things, or never opens, is named and no more', () => {
  expect(cause(MONDAY + 10 * HOUR, 0, {}, 'linkedin')).toBe('jonas@ ends it');
  expect(cause(MONDAY + 10 * HOUR, 0, { sendingDays: [] })).toBe('jonas@ ends it');
});

test('late is a whole day', () => {
  expect(daysLate(MONDAY + 47 * HOUR, MONDAY)).toBe(1);
  expect(daysLate(MONDAY + 23 * HOUR, MONDAY)).toBe(0);
  expect(daysLate(MONDAY, MONDAY + 48 * HOUR)).toBe(0);
  expect(daysLate(null, MONDAY)).toBe(0);
  expect(daysLate(MONDAY, null)).toBe(0);
});
