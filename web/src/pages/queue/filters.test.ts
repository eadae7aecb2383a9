import { expect, test } from 'vitest';
import { STATES } from '../../api/names';
import type { Counts } from '../../api/types';
import { countedOf, filterOf, totalWords, withFilter } from './filters';

const counts = Object.fromEntries(STATES.map((state, n) => [state, n])) as Counts;

test('an address is a filter; what the API would refuse is dropped', () => {
  expect(filterOf({ state: 'held,lost,dead', lane: 'mine', q: '  ', to: 'a@b.example', tab: 'raw' })).toEqual(
    {
      state: 'held,dead',
      to: 'a@b.example',
    },
  );
  expect(filterOf({ state: 'lost' })).toEqual({});
});

test('another filter begins the list anew, and an empty one is none', () => {
  expect(withFilter({ state: 'dead', cursor: 'c' }, 'lane', 'outbox')).toEqual({
    state: 'dead',
    lane: 'outbox',
  });
  expect(withFilter({ state: 'dead', cursor: 'c' }, 'state', '')).toEqual({});
});

test('counters know a filter by state, and no other', () => {
  expect(countedOf({}, counts)).toBe(45);
  expect(countedOf({ state: 'held,dead' }, counts)).toBe(5 + 6);
  expect(countedOf({ state: 'held', lane: 'outbox' }, counts)).toBeUndefined();
  expect(countedOf({}, undefined)).toBeUndefined();
});

test.each([
  [51_084, { shown: 50, more: true, older: false }, '51,084 messages'],
  [undefined, { shown: 50, more: true, older: false }, '50+ messages'],
  [undefined, { shown: 1, more: false, older: false }, '1 message'],
  [undefined, { shown: 50, more: true, older: true }, undefined],
])('%s counted, %j seen', (counted, seen, words) => {
  expect(totalWords(counted, seen)).toBe(words);
});
