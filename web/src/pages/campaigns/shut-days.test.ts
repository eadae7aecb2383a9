import { expect, test } from 'vitest';
import { isShut } from './shut-days';

test('a day is shut where no weekday of it has hours, and on a holiday', () => {
  const week = { sendingDays: [1, 2, 3, 4, 5] };
  expect(isShut('2026-11-16', week, [])).toBe(false);
  expect(isShut('2026-11-16', week, ['2026-11-16'])).toBe(true);
  expect(isShut('2026-11-21', week, [])).toBe(true);
  expect(isShut('2026-11-22', { ...week, hours: { 7: [['09:00', '12:00']] } }, [])).toBe(false);
  expect(isShut('2026-11-16', { ...week, hours: { 7: [['09:00', '12:00']] } }, [])).toBe(true);
});
