import { expect, test } from 'vitest';
import { SENDING_DEFAULTS, sendingFault } from './sending.js';

test.each([
  {},
  { sendingDays: [7], startHour: 23, endHour: 24 },
  { timezone: 'America/New_York' },
  { timezone: 'Europe/Kyiv' },
  { spacing: { minSeconds: 60, maxSeconds: 60 } },
  { holidays: ['2028-02-29'] },
])('what can be kept is kept: %j', (over) => {
  expect(sendingFault({ ...SENDING_DEFAULTS, ...over })).toBeUndefined();
});

test.each([
  [{ sendingDays: [] }, 'sendingDays'],
  [{ sendingDays: [1, 2, 1] }, 'sendingDays'],
  [{ startHour: 9, endHour: 9 }, 'endHour'],
  [{ startHour: 18, endHour: 9 }, 'endHour'],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ timezone: '+02:00' }, 'timezone'],
  [{ timezone: '' }, 'timezone'],
  [{ spacing: { minSeconds: 61, maxSeconds: 60 } }, 'spacing.maxSeconds'],
  [{ holidays: ['2026-12-25', '2026-02-30'] }, 'holidays.1'],
  [{ holidays: ['25.12.2026'] }, 'holidays.0'],
])('what can not is refused, with the field: %j', (over, field) => {
  expect(sendingFault({ ...SENDING_DEFAULTS, ...over })?.field).toBe(field);
});
