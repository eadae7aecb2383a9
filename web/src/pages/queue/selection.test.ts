import { expect, test } from 'vitest';
import { STATES } from '../../api/names';
import type { Counts, Message } from '../../api/types';
import { sentence } from '../../parts/fault-words';
import { decisionsIn, reportWords } from './decisions';
import { countedMix, mixOf, mixWords, ranged, toggled, touchedBy } from './selection';

const of = (...states: readonly string[]) => states.map((state) => ({ state }) as Message);

test('a row is selected and let go', () => {
  expect([...toggled(toggled(new Set(), 'a'), 'b')]).toEqual(['a', 'b']);
  expect([...toggled(new Set(['a']), 'a')]).toEqual([]);
});

test('a range adds all between, in either direction', () => {
  const ids = ['a', 'b', 'c', 'd'];
  expect([...ranged(new Set(['d']), ids, 'c', 'a')].sort()).toEqual(['a', 'b', 'c', 'd']);
  expect([...ranged(new Set(), ids, undefined, 'b')]).toEqual(['b']);
  expect([...ranged(new Set(), ids, 'gone', 'b')]).toEqual(['b']);
});

test('the mix is named, what needs a person first', () => {
  const mix = mixOf(of('retry_scheduled', 'held', 'dead', 'dead'));
  expect(mixWords(mix)).toBe('2 dead, 1 held, 1 retry later');
  expect(touchedBy('retry', mix)).toBe(2);
  expect(touchedBy('dismiss', mix)).toBe(3);
  expect(touchedBy('cancel', mix)).toBe(1);
  expect(touchedBy('sent', mix)).toBe(1);
  const counts = { ...Object.fromEntries(STATES.map((state) => [state, 0])), dead: 412 } as Counts;
  expect(countedMix(['dead', 'held'], counts)).toEqual({ dead: 412 });
});

test('each state has its decisions, and a mail in flight has none', () => {
  expect(decisionsIn('dead')).toEqual(['retry', 'dismiss']);
  expect(decisionsIn('held')).toEqual(['sent', 'again', 'dismiss']);
  expect(decisionsIn('retry_scheduled')).toEqual(['cancel']);
  for (const state of ['sending', 'sent', 'skipped', 'expired', 'cancelled'] as const)
    expect(decisionsIn(state)).toEqual([]);
});

test('a report counts what was too late', () => {
  expect(reportWords('retry', 40, 1)).toBe('Retried 40. 1 had already been retried.');
  expect(reportWords('dismiss', 1_200, 0)).toBe('Dismissed 1,200.');
  expect(sentence('already retried by jonas, 3 s ago')).toBe('Already retried by jonas, 3 s ago.');
});
