import { expect, test } from 'vitest';
import { dayAfter, monthAfter, weeksOf, withDates } from './month';

test('a month is its weeks from Monday on', () => {
  const december = weeksOf('2026-12');
  expect(december).toHaveLength(5);
  expect(december[0]).toEqual([
    undefined,
    '2026-12-01',
    '2026-12-02',
    '2026-12-03',
    '2026-12-04',
    '2026-12-05',
    '2026-12-06',
  ]);
  expect(december[4]).toEqual([
    '2026-12-28',
    '2026-12-29',
    '2026-12-30',
    '2026-12-31',
    undefined,
    undefined,
    undefined,
  ]);
  expect(weeksOf('2027-02')).toHaveLength(4);
  expect(weeksOf('2026-08')[5]?.[0]).toBe('2026-08-31');
});

test('days and months after others, over the ends of years', () => {
  expect(dayAfter('2026-12-31', 1)).toBe('2027-01-01');
  expect(dayAfter('2026-03-01', -1)).toBe('2026-02-28');
  expect(monthAfter('2026-12', 1)).toBe('2027-01');
  expect(monthAfter('2026-01', -1)).toBe('2025-12');
});

test('dates are there once, in order', () => {
  expect(withDates(['2026-12-25', '2026-01-01'], ['2026-12-25', '2026-05-01'])).toEqual([
    '2026-01-01',
    '2026-05-01',
    '2026-12-25',
  ]);
});
