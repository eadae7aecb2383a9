import { expect, test } from 'vitest';
import { etaOf, paceOf } from './import-words.js';

const half = { state: 'running', startedAt: 1_000, finishedAt: null, done: 500, lines: 1_000 } as const;

test('lines a second are told once there is time to tell them by, and what is left follows from them', () => {
  expect([paceOf(half, 3_000), etaOf(half, 3_000)]).toEqual([250, 2]);
  expect([paceOf(half, 1_000), etaOf(half, 1_000)]).toEqual([null, null]);
  expect(paceOf({ ...half, done: 0 }, 3_000)).toBeNull();
  const over = { ...half, state: 'stopped', finishedAt: 2_000 } as const;
  expect([paceOf(over, 9_000), etaOf(over, 9_000)]).toEqual([500, null]);
});
