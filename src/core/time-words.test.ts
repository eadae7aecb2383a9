import { expect, test } from 'vitest';
import { timeWords } from './time-words.js';

const NOW = Date.UTC(2026, 10, 16, 15, 42, 7);

test.each([
  ['today', NOW + 72_000, 'America/New_York', '10:43 EST'],
  [
    'tomorrow there, though still today in UTC',
    Date.UTC(2026, 10, 16, 23),
    'Asia/Tokyo',
    'Tue 17 Nov, 08:00 GMT+9',
  ],
  ['another day', Date.UTC(2026, 10, 17, 14, 3), 'America/New_York', 'Tue 17 Nov, 09:03 EST'],
  [
    'next year, after the clocks changed',
    Date.UTC(2027, 5, 1, 13),
    'America/New_York',
    'Tue 1 Jun 2027, 09:00 EDT',
  ],
  ['midnight', Date.UTC(2026, 10, 16, 0, 0), 'UTC', '00:00 UTC'],
  ['where nobody knows the zone', NOW, 'Mars/Olympus', '15:42 UTC'],
])('%s', (_, instant, timezone, words) => {
  const now = timezone === 'Asia/Tokyo' ? Date.UTC(2026, 10, 16, 1) : NOW;
  expect(timeWords(instant, { now, timezone })).toBe(words);
});

test('seconds where they are asked for', () => {
  expect(timeWords(NOW, { now: NOW, timezone: 'UTC' }, { seconds: true })).toBe('15:42:07 UTC');
});
