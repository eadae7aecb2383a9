import { expect, test } from 'vitest';
import {
  daysChanged,
  edgeMoved,
  hoursOf,
  isSameWeek,
  joined,
  lengthWords,
  oneMore,
  readInterval,
  weekMinutes,
  weekOf,
  type Week,
} from './week';

const WORKING = { sendingDays: [1, 2, 3, 4, 5], startHour: 9, endHour: 17 };
const SPLIT = {
  '1': [
    ['09:00', '12:30'],
    ['13:30', '17:00'],
  ],
  '5': [['09:00', '24:00']],
} as const;

test('whole hours that are the same on all days are kept as such', () => {
  expect(hoursOf(weekOf(WORKING))).toEqual({ ...WORKING, hours: null });
  const some: Week = [[[540, 1_020]], [], [[540, 1_020]], [], [], [], []];
  expect(hoursOf(some)).toEqual({ sendingDays: [1, 3], startHour: 9, endHour: 17, hours: null });
});

test('everything else is kept to the minute, and comes back as it was', () => {
  const week = weekOf({ ...WORKING, hours: SPLIT });
  expect(week[0]).toEqual([
    [540, 750],
    [810, 1_020],
  ]);
  expect(hoursOf(week)).toEqual({ hours: SPLIT });
  expect(hoursOf([[[540, 1_005]], [], [], [], [], [], []])).toEqual({ hours: { '1': [['09:00', '16:45']] } });
  expect(hoursOf([[], [], [], [], [], [], []])).toEqual({ hours: {} });
});

test('what touches is one', () => {
  const two: Week = [
    [
      [750, 1_020],
      [540, 750],
    ],
    ...Array.from({ length: 6 }, () => []),
  ];
  expect(joined(two[0] ?? [])).toEqual([[540, 1_020]]);
  expect(hoursOf(two)).toEqual({ sendingDays: [1], startHour: 9, endHour: 17, hours: null });
  expect(isSameWeek(two, [[[540, 1_020]], [], [], [], [], [], []])).toBe(true);
});

test.each([
  [0, 1, 725, [[540, 720]]],
  [0, 1, 100, [[540, 555]]],
  [0, 0, 2_000, [[735, 750]]],
  [0, 0, -5, [[0, 750]]],
] as const)('edge %i of interval %i to %i', (place, edge, minute, [moved]) => {
  const intervals = [
    [540, 750],
    [810, 1_020],
  ] as const;
  expect(edgeMoved(intervals, place, edge, minute)).toEqual([moved, intervals[1]]);
});

test('an edge goes no further than its neighbour, and past midnight nothing goes', () => {
  const intervals = [
    [540, 750],
    [810, 1_020],
  ] as const;
  expect(edgeMoved(intervals, 0, 1, 900)[0]).toEqual([540, 810]);
  expect(edgeMoved(intervals, 1, 0, 0)[1]).toEqual([750, 1_020]);
  expect(edgeMoved(intervals, 1, 1, 5_000)[1]).toEqual([810, 1_440]);
});

test('one more comes after the others, or before them, or not at all', () => {
  expect(oneMore([])).toEqual([540, 1_020]);
  expect(oneMore([[540, 750]])).toEqual([810, 930]);
  expect(oneMore([[540, 1_440]])).toEqual([360, 480]);
  expect(oneMore([[0, 1_440]])).toBeUndefined();
});

test.each([
  ['09:00–12:30', [540, 750]],
  ['9-17', [540, 1_020]],
  [' 9 to 12:30 ', [540, 750]],
  ['0900—2400', [540, 1_440]],
  ['17-9', undefined],
  ['9-25', undefined],
  ['9:70-12', undefined],
  ['nine', undefined],
] as const)('typed %s', (text, interval) => {
  expect(readInterval(text)).toEqual(interval);
});

test('how long a week is, and how many of its days differ', () => {
  expect(weekMinutes(weekOf(WORKING))).toBe(2_400);
  expect(lengthWords(2_400)).toBe('40 h');
  expect(lengthWords(1_950)).toBe('32 h 30 min');
  expect(daysChanged(weekOf(WORKING), weekOf({ ...WORKING, sendingDays: [1, 2, 3, 4, 6] }))).toBe(2);
});
