import { describe, expect, test } from 'vitest';
import { limitsFault, SENDING_DEFAULTS, sendingFault, type PeriodLimit } from './sending.js';

test.each([
  {},
  { sendingDays: [7], startHour: 23, endHour: 24 },
  { timezone: 'America/New_York' },
  { timezone: 'Europe/Kyiv' },
  { spacing: { minSeconds: 60, maxSeconds: 60 } },
  { holidays: ['2028-02-29'] },
  { hours: { 6: [['00:00', '24:00']] } },
  {
    hours: {
      1: [],
      2: [
        ['13:30', '18:00'],
        ['09:00', '12:30'],
      ],
    },
  },
  {
    hours: {
      1: [
        ['09:00', '12:00'],
        ['12:00', '12:01'],
      ],
    },
  },
] satisfies Parameters<typeof sendingFault>[0][])('what can be kept is kept: %j', (over) => {
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
  [{ hours: {} }, 'hours'],
  [{ hours: { 1: [], 7: [] } }, 'hours'],
  [{ hours: { 1: [['9:00', '12:00']] } }, 'hours.1.0.0'],
  [{ hours: { 1: [['09:00', '12:60']] } }, 'hours.1.0.1'],
  [{ hours: { 1: [['09:00', '24:01']] } }, 'hours.1.0.1'],
  [{ hours: { 1: [['09:00', '12:00']], 2: [['24:00', '24:00']] } }, 'hours.2.0.1'],
  [{ hours: { 3: [['12:00', '09:00']] } }, 'hours.3.0.1'],
  [
    {
      hours: {
        3: [
          ['09:00', '12:00'],
          ['11:59', '13:00'],
        ],
      },
    },
    'hours.3.1',
  ],
  [
    {
      hours: {
        3: [
          ['09:00', '12:00'],
          ['08:00', '09:01'],
        ],
      },
    },
    'hours.3.1',
  ],
  [
    {
      hours: {
        3: [
          ['09:00', '12:00'],
          ['13:00', '14:00'],
          ['09:00', '12:00'],
        ],
      },
    },
    'hours.3.2',
  ],
  // They count again when the hours are taken away.
  [{ hours: { 1: [['09:00', '12:00']] }, startHour: 18, endHour: 9 }, 'endHour'],
] satisfies [Parameters<typeof sendingFault>[0], string][])(
  'what can not is refused, with the field: %j',
  (over, field) => {
    expect(sendingFault({ ...SENDING_DEFAULTS, ...over })?.field).toBe(field);
  },
);

describe('limits of an account', () => {
  const email = (period: PeriodLimit['period'], max: number) => ({ action: 'email', period, max }) as const;

  test('may be of every period, and of none', () => {
    expect(limitsFault([], ['email'])).toBeUndefined();
    expect(limitsFault([email('hour', 0), email('day', 5), email('week', 20)], ['email'])).toBeUndefined();
  });

  test('are of what it can do, each once', () => {
    const invitations = { action: 'connection_request', period: 'week', max: 100 } as const;
    expect(limitsFault([email('day', 1), invitations], ['email'])?.field).toBe('limits.1.action');
    expect(limitsFault([email('day', 1), email('day', 2)], ['email'])?.field).toBe('limits.1');
  });
});
