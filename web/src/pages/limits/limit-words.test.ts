import { expect, test } from 'vitest';
import { byDay, limitWords, moveWords, whenOf, withMoves } from './limit-words';

test.each([
  [{ limit: 'day', max: 40, action: 'email' }, '40 emails a day'],
  [{ limit: 'hour', max: 1, action: 'email' }, '1 email an hour'],
  [{ limit: 'week', max: 100, action: 'connection_request' }, '100 requests a week'],
  [{ limit: 'month', max: 1_200, action: 'inmail' }, '1,200 InMails a month'],
  [{ limit: 'ramp_up', max: 5, action: 'email' }, 'ramp-up, 5 emails'],
  [{ limit: 'total', max: 260, action: 'email' }, '260 a day, all accounts'],
  [{ limit: 'window', max: 0, action: 'email' }, 'its hours'],
  [{ limit: 'spacing', max: 0, action: 'email' }, 'its spacing'],
] as const)('which limit it is: %j', (violation, words) => {
  expect(limitWords(violation)).toBe(words);
});

test.each([
  [{ limit: 'day', when: '2026-11-17' }, 'Tue 17 Nov'],
  [{ limit: 'week', when: '2026-11-16' }, 'Mon 16 to Sun 22 Nov'],
  [{ limit: 'week', when: '2026-11-30' }, 'Mon 30 Nov to Sun 6 Dec'],
  [{ limit: 'month', when: '2026-11' }, 'November 2026'],
  [{ limit: 'hour', when: '2026-11-17T08:00:00.000Z' }, 'Tue 17 Nov, 09:00'],
] as const)('when it is: %j', (violation, words) => {
  expect(whenOf(violation, 'Europe/Berlin')).toBe(words);
});

const MOVES = [
  { from: '2026-11-17', to: '2026-11-18', count: 9 },
  { from: '2026-11-17', to: '2026-11-17', count: 2 },
  { from: '2026-11-18', to: '2026-11-18', count: 1 },
  { from: '2026-11-18', to: null, count: 4 },
];

test('where they would go, each day once', () => {
  expect(moveWords(MOVES)).toEqual(['9 to Wed 18 Nov', '3 later that day', '4 find no room in sight']);
});

test('what leaves a day and what comes to it; what finds no room stays', () => {
  expect(byDay([{ moves: MOVES }])).toEqual([
    { date: '2026-11-17', now: 11, then: 2 },
    { date: '2026-11-18', now: 5, then: 14 },
  ]);
});

test('a whole day as it is and as it would be, with room; also one that had nothing', () => {
  const loads = [
    { date: '2026-11-16', planned: 4, room: 10 },
    { date: '2026-11-17', planned: 20, room: 12 },
  ];
  expect(withMoves(loads, [{ moves: MOVES }])).toEqual([
    { date: '2026-11-16', now: 4, then: 4, room: 10 },
    { date: '2026-11-17', now: 20, then: 11, room: 12 },
    { date: '2026-11-18', now: 0, then: 9 },
  ]);
});
