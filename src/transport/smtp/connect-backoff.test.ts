import { expect, test } from 'vitest';

import { ConnectBackoff } from './connect-backoff.js';

test('a host that was never reached is tried by one at a time', () => {
  const backoff = new ConnectBackoff();
  expect(backoff.together).toBe(1);
  expect(backoff.waitMs(0)).toBe(0);
  backoff.taken();
  expect(backoff.together).toBe(Infinity);
});

test('each refusal doubles the wait, up to five seconds', () => {
  const backoff = new ConnectBackoff();
  const waits = [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000].map((now) => {
    backoff.refused(now, now);
    return backoff.waitMs(now);
  });
  expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  expect(backoff.waitMs(62_000)).toBe(3_000);
  expect(backoff.waitMs(65_001)).toBe(0);
});

test('those refused together count once', () => {
  const backoff = new ConnectBackoff();
  backoff.taken();
  for (let i = 0; i < 5; i++) backoff.refused(100, 110 + i);
  expect(backoff.waitMs(110)).toBe(250);
});

test('one connection that is taken ends the waiting', () => {
  const backoff = new ConnectBackoff();
  backoff.refused(0, 0);
  expect(backoff.together).toBe(1);
  backoff.taken();
  expect(backoff.waitMs(1)).toBe(0);
  expect(backoff.together).toBe(Infinity);
});
