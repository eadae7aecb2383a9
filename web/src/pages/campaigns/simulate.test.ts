import { expect, test } from 'vitest';
import { changesOf } from './simulate';

test('what is planned and what would leave stand side by side, by day and over all accounts', () => {
  expect(
    changesOf(
      [
        { date: '2026-11-17', count: 3 },
        { date: '2026-11-17', count: 4 },
        { date: '2026-11-18', count: 0 },
      ],
      [
        { date: '2026-11-19', sent: 2 },
        { date: '2026-11-17', sent: 5 },
      ],
    ),
  ).toEqual([
    { date: '2026-11-17', now: 7, then: 5 },
    { date: '2026-11-19', now: 0, then: 2 },
  ]);
});
