import { expect, test } from 'vitest';
import { countries, publicHolidays, statesOf } from './countries';

test('the holidays of a country, from a date to the end of the next year', () => {
  const germany = publicHolidays('DE', undefined, '2026-12-01');
  expect(germany.slice(0, 3)).toEqual([
    { date: '2026-12-25', name: 'Christmas Day' },
    { date: '2026-12-26', name: 'Boxing Day' },
    { date: '2027-01-01', name: "New Year's Day" },
  ]);
  expect(germany.map(({ date }) => date)).toContain('2027-03-26');
  expect(germany.at(-1)?.date).toBe('2027-12-26');
});

test('a part of a country has its own beside them', () => {
  const dates = (state?: string) => publicHolidays('DE', state, '2026-01-01').map(({ date }) => date);
  expect(statesOf('DE').find(({ name }) => name === 'Bayern')?.code).toBe('BY');
  expect(dates('BY')).toContain('2026-01-06');
  expect(dates()).not.toContain('2026-01-06');
  expect(statesOf('JP')).toEqual([]);
});

test('countries by their names', () => {
  expect(countries().length).toBeGreaterThan(150);
  expect(countries()).toContainEqual({ code: 'US', name: 'United States of America' });
});
