import { expect, test } from 'vitest';
import { Lag } from './lag.js';

test('a process is behind while it is late each time, and not for being late once', () => {
  const lag = new Lag();
  const isBehindAfter = (...lags: number[]) => {
    for (const each of lags) lag.looked(each);
    return lag.isBehind;
  };
  expect(isBehindAfter(9_000)).toBe(false);
  expect(isBehindAfter(9_000)).toBe(false);
  expect(isBehindAfter(1)).toBe(false);
  expect(isBehindAfter(2_001, 2_001, 2_001)).toBe(true);
  expect(isBehindAfter(9_000)).toBe(true);
  expect(isBehindAfter(2_000)).toBe(false);
});
