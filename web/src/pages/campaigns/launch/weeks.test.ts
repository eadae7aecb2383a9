import { expect, test } from 'vitest';
import { weeksOf } from './weeks';

const day = (date: string, accountId: string, count: number) => ({ date, accountId, count, quota: 30 });

test('weeks are whole, begin on Monday, and hold what each account would send', () => {
  const weeks = weeksOf(
    [day('2026-12-31', 'a', 3), day('2026-12-31', 'b', 4), day('2027-01-04', 'a', 1)],
    ['a', 'b'],
  );
  expect(weeks.map((week) => [week[0]?.date, week.at(-1)?.date])).toEqual([
    ['2026-12-28', '2027-01-03'],
    ['2027-01-04', '2027-01-10'],
  ]);
  expect(weeks[0]?.[3]).toEqual({ date: '2026-12-31', counts: [3, 4], total: 7 });
  expect(weeksOf([], ['a'])).toEqual([]);
});
