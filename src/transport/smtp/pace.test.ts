import { expect, test } from 'vitest';

import { Pace } from './pace.js';

test('a host that was never reached is tried by one at a time', () => {
  const pace = new Pace();
  expect(pace.together).toBe(1);
  expect(pace.waitMs(0)).toBe(0);
  pace.taken();
  expect(pace.together).toBe(Infinity);
});

test('each refusal doubles the wait, up to five seconds', () => {
  const pace = new Pace();
  const waits = [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000].map((now) => {
    pace.refused(now, now);
    return pace.waitMs(now);
  });
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  expect(pace.waitMs(62_000)).toBe(3_000);
  expect(pace.waitMs(65_001)).toBe(0);
});

test('those refused together count once', () => {
  const pace = new Pace();
  pace.taken();
  for (let i = 0; i < 5; i++) pace.refused(100, 110 + i);
  expect(pace.waitMs(110)).toBe(250);
});

test('one connection that is taken ends the waiting', () => {
  const pace = new Pace();
  pace.refused(0, 0);
  expect(pace.together).toBe(1);
  pace.taken();
  expect(pace.waitMs(1)).toBe(0);
  expect(pace.together).toBe(Infinity);
});
