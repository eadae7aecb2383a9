import { expect, test } from 'vitest';
import { STATES } from '../../api/names';
import type { Counts } from '../../api/types';
import { bodyOf, countedOf, dropped, filterOf, totalWords, withFilter } from './filters';

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

test('steps and days are asked of a campaign, and go with it', () => {
  const asked = { campaignId: 'cmp_1', step: '2', day: '2026-11-16/2026-11-22' };
  expect(filterOf(asked)).toEqual(asked);
  expect(bodyOf(asked)).toEqual({ ...asked, step: 2 });
  expect(filterOf({ ...asked, campaignId: '' })).toEqual({});
  for (const day of ['2026-02-30', '2026-11-22/2026-11-16', 'today', '2026-11-16/'])
    expect(filterOf({ ...asked, day })).toEqual({ campaignId: 'cmp_1', step: '2' });
  expect(filterOf({ ...asked, step: '0' })).not.toHaveProperty('step');
  expect(dropped(asked, 'campaignId')).toEqual({});
  expect(dropped(asked, 'step')).toEqual({ campaignId: 'cmp_1', day: asked.day });
  expect(withFilter({ ...asked, state: 'sent' }, 'campaignId', undefined)).toEqual({ state: 'sent' });
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
