import { expect, test } from 'vitest';
import { instantOf, localOf } from './local';

const iso = (local: string, zone: string) => {
  const instant = instantOf(local, zone);
  return instant === undefined ? undefined : new Date(instant).toISOString();
};

test('a time of a clock is an instant, there and back', () => {
  expect(iso('2026-11-16T09:00', 'America/New_York')).toBe('2026-11-16T14:00:00.000Z');
  expect(iso('2026-07-16T09:00', 'America/New_York')).toBe('2026-07-16T13:00:00.000Z');
  expect(iso('2026-11-16T00:15', 'Asia/Kathmandu')).toBe('2026-11-15T18:30:00.000Z');
  expect(localOf(Date.parse('2026-11-15T18:30:00Z'), 'Asia/Kathmandu')).toBe('2026-11-16T00:15');
});

test('of a time that comes twice the first, of one that is skipped what it would have been', () => {
  expect(iso('2026-11-01T01:30', 'America/New_York')).toBe('2026-11-01T05:30:00.000Z');
  expect(iso('2026-03-08T02:30', 'America/New_York')).toBe('2026-03-08T07:30:00.000Z');
  expect(iso('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
});

test('what is no time is none', () => {
  expect(iso('', 'UTC')).toBeUndefined();
  expect(iso('2026-11', 'UTC')).toBeUndefined();
});
