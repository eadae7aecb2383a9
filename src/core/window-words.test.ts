import { expect, test } from 'vitest';
import { weekHours, windowWords } from './window-words.js';

const WORKING = { sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 17 };
const REST = ['11:00', '17:00'] as const;

test.each([
  [WORKING, 'Mon to Fri 09:00–17:00', 40],
  [{ ...WORKING, sendingDays: [6, 7] }, 'Sat and Sun 09:00–17:00', 16],
  [{ ...WORKING, sendingDays: [3, 1, 5] }, 'Mon 09:00–17:00, Wed 09:00–17:00, Fri 09:00–17:00', 24],
  [{ sendingDays: [7, 6, 5, 4, 3, 2, 1], startHour: 0, endHour: 24 }, 'every day 00:00–24:00', 168],
  [
    {
      ...WORKING,
      hours: {
        1: [
          ['13:30', '17:00'],
          ['09:00', '12:30'],
        ],
        2: [
          ['09:00', '12:30'],
          ['13:30', '17:00'],
        ],
        5: [['09:00', '13:00']],
      },
    },
    'Mon and Tue 09:00–12:30 and 13:30–17:00, Fri 09:00–13:00',
    18,
  ],
  [
    { ...WORKING, hours: { 1: [['08:00', '09:00'], ['10:00', '10:15'], REST] } },
    'Mon 08:00–09:00, 10:00–10:15 and 11:00–17:00',
    7.25,
  ],
  [{ ...WORKING, hours: {} }, '', 0],
] as const)('%j is %s', (window, words, hours) => {
  const given = window as Parameters<typeof windowWords>[0];
  expect(windowWords(given)).toBe(words);
  expect(weekHours(given)).toBe(hours);
});
