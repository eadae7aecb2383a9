import { expect, test } from 'vitest';
import { gridOf, heatOf, spanOf } from './calendar-grid';

const day = (date: string, accountId: string, sent: number, planned: number, launched = sent + planned) => ({
  ...{ date, accountId, sent, planned, launched, quota: 30 },
});

test('every day between the first and the last is there, and sums go on through those that are empty', () => {
  const { columns, accountIds, cell } = gridOf(
    [day('2026-11-13', 'a', 20, 0), day('2026-11-16', 'a', 5, 10), day('2026-11-17', 'b', 0, 7)],
    '2026-11-16',
    'days',
  );
  expect(accountIds).toEqual(['a', 'b']);
  expect(columns.map(({ date, when }) => [date.slice(8), when])).toEqual([
    ...[
      ['13', 'past'],
      ['14', 'past'],
      ['15', 'past'],
      ['16', 'now'],
      ['17', 'future'],
    ],
  ]);
  expect(columns.map(({ sentSoFar, launchedSoFar, comesTo }) => [sentSoFar, launchedSoFar, comesTo])).toEqual(
    [
      ...[
        [20, 20, 20],
        [20, 20, 20],
        [20, 20, 20],
        [25, 35, 35],
        [25, 42, 42],
      ],
    ],
  );
  expect(cell('b', '2026-11-16')).toBeUndefined();
  expect(cell('a', '2026-11-16')).toMatchObject({ sent: 5, planned: 10 });
});

test('weeks begin on Monday, also over the end of a year and a change of the clock', () => {
  const { columns } = gridOf(
    [day('2026-10-24', 'a', 1, 0), day('2026-10-26', 'a', 2, 0), day('2027-01-01', 'a', 0, 3)],
    '2026-10-27',
    'weeks',
  );
  expect(columns[0]?.date).toBe('2026-10-19');
  expect(columns.at(-1)).toMatchObject({ date: '2026-12-28', planned: 3, when: 'future' });
  expect(columns[1]).toMatchObject({ date: '2026-10-26', sent: 2, when: 'now' });
  expect(columns).toHaveLength(11);
  expect(spanOf([day('2026-10-24', 'a', 1, 0), day('2026-10-26', 'a', 2, 0)])).toBe(3);
});

test('nothing is nothing, and what is over the quota is as hot as can be', () => {
  expect(gridOf([], '2026-11-16', 'days').columns).toEqual([]);
  expect([1, 8, 16, 30, 99].map((sent) => heatOf({ sent, quota: 30 }))).toEqual([1, 2, 3, 4, 4]);
  expect(heatOf({ sent: 1, quota: 0 })).toBe(4);
});
