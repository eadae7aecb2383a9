import { describe, expect, test } from 'vitest';
import { startOfDay } from './day.js';

describe('startOfDay', () => {
  test.each([
    ['UTC', '2026-11-16T14:00:00Z', '2026-11-16T00:00:00Z'],
    ['America/New_York', '2026-11-16T14:00:00Z', '2026-11-16T05:00:00Z'],
    ['America/New_York', '2026-11-16T04:59:59.999Z', '2026-11-15T05:00:00Z'],
    ['Asia/Kolkata', '2026-11-16T18:29:59Z', '2026-11-15T18:30:00Z'],
    ['Asia/Kolkata', '2026-11-16T18:30:00Z', '2026-11-16T18:30:00Z'],
    ['Pacific/Kiritimati', '2026-11-16T12:00:00Z', '2026-11-16T10:00:00Z'],
    ['a zone that is none', '2026-11-16T14:00:00Z', '2026-11-16T00:00:00Z'],
  ])('in %s, of %s, is %s', (zone, instant, start) => {
    expect(startOfDay(Date.parse(instant), zone)).toBe(Date.parse(start));
  });

  test('on the days when clocks change is the midnight of that day, not 24 hours before the next', () => {
    const zone = 'America/New_York';
    expect(startOfDay(Date.parse('2026-03-08T20:00:00Z'), zone)).toBe(Date.parse('2026-03-08T05:00:00Z'));
    expect(startOfDay(Date.parse('2026-11-01T20:00:00Z'), zone)).toBe(Date.parse('2026-11-01T04:00:00Z'));
  });

  test('where clocks jump over midnight is one o’clock', () => {
    // Beirut, 29 March 2026: 00:00 becomes 01:00.
    const start = startOfDay(Date.parse('2026-03-29T12:00:00Z'), 'Asia/Beirut');
    expect(new Date(start).toISOString()).toBe('2026-03-28T22:00:00.000Z');
  });
});
