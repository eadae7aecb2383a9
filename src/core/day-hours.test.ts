import { describe, expect, test } from 'vitest';
import { openHours, outlineOf } from './day-hours.js';
import { SENDING_DEFAULTS } from './sending.js';

const HOUR_MS = 3_600_000;

describe('the hours of a window', () => {
  test('are the same on every sending day unless something finer is said', () => {
    const nine = [[9 * HOUR_MS, 18 * HOUR_MS]];
    expect(openHours({ ...SENDING_DEFAULTS, sendingDays: [7, 1] })).toEqual([nine, [], [], [], [], [], nine]);
  });

  test('are in order whatever the order they were given in, and then nothing else counts', () => {
    const hours = { 2: [['13:30', '24:00'] as const, ['00:00', '00:30'] as const] };
    const tuesday = [
      [0, HOUR_MS / 2],
      [13.5 * HOUR_MS, 24 * HOUR_MS],
    ];
    expect(openHours({ ...SENDING_DEFAULTS, hours })).toEqual([[], tuesday, [], [], [], [], []]);
  });

  test('lie within the days and whole hours of their outline', () => {
    expect(outlineOf({ 1: [['09:30', '12:30']], 3: [['08:45', '09:00']], 5: [] })).toEqual({
      sendingDays: [1, 3],
      startHour: 8,
      endHour: 13,
    });
    const night = outlineOf({ 6: [['23:59', '24:00']] });
    expect(night).toEqual({ sendingDays: [6], startHour: 23, endHour: 24 });
  });
});
