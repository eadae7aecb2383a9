import { describe, expect, test } from 'vitest';
import { shutUntil, triesLeft, WINDOW_MS, type Failures } from './log-in-throttle.js';

/** At the instants n, n - 1, … 1. */
const failed = (times: number): readonly number[] => Array.from({ length: times }, (_, n) => times - n);
const after = (given: { pair?: number; address?: number; place?: number }): Failures => {
  const { pair = 0, address = pair, place = pair } = given;
  return { ofPair: failed(pair), ofAddress: failed(address), ofPlace: failed(place) };
};

describe('log-ins for one address from one place', () => {
  test('are shut after ten failures, until the first of them is a window ago', () => {
    expect(shutUntil(after({ pair: 9 }), false)).toBeUndefined();
    expect(shutUntil(after({ pair: 10 }), false)).toBe(1 + WINDOW_MS);
    expect(shutUntil(after({ pair: 10 }), true)).toBe(1 + WINDOW_MS);
  });

  test('are not shut by what fails elsewhere: however much that is, some tries are left', () => {
    expect(shutUntil(after({ address: 99 }), false)).toBeUndefined();
    for (const address of [100, 1_000_000]) {
      expect(shutUntil(after({ address }), false)).toBeUndefined();
      expect(shutUntil(after({ pair: 2, address }), false)).toBeUndefined();
      expect(shutUntil(after({ pair: 3, address }), false)).toBe(1 + WINDOW_MS);
      expect(shutUntil(after({ pair: 9, address }), true)).toBeUndefined();
    }
  });

  test('are shut by a hundred failures from there, unless that person has logged in there before', () => {
    expect(shutUntil(after({ place: 99 }), false)).toBeUndefined();
    expect(shutUntil(after({ place: 100 }), false)).toBe(1 + WINDOW_MS);
    expect(shutUntil(after({ pair: 9, place: 100 }), true)).toBeUndefined();
    expect(shutUntil(after({ pair: 10, place: 100 }), true)).toBe(1 + WINDOW_MS);
  });

  test('what is left is what may still fail', () => {
    expect(triesLeft(after({}), false)).toBe(10);
    expect(triesLeft(after({ pair: 8 }), false)).toBe(2);
    expect(triesLeft(after({ pair: 12 }), false)).toBe(0);
    expect(triesLeft(after({ pair: 1, address: 100 }), false)).toBe(2);
    expect(triesLeft(after({ pair: 1, address: 100 }), true)).toBe(9);
  });
});
