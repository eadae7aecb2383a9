import { describe, expect, test } from 'vitest';
import { Load } from './load.js';

const LIMITS = { writes: 3, bytes: 1_000, lagMs: 2_000 };
const BUSY = expect.objectContaining({ code: 'busy', retryAfterSeconds: 2 }) as Error;

describe('load', () => {
  test('has room for so many writes; one that is over makes room for one, however often that is said', () => {
    const load = new Load(LIMITS);
    const [first] = [load.take(1), load.take(1), load.take(1)];
    expect(() => load.take(1)).toThrow(BUSY);
    first();
    first();
    load.take(1);
    expect(() => load.take(1)).toThrow(BUSY);
  });

  test('has room for so many bytes, and for a single one that is larger', () => {
    const load = new Load(LIMITS);
    const large = load.take(5_000);
    expect(() => load.take(1)).toThrow(BUSY);
    large();
    const half = load.take(600);
    expect(() => load.take(401)).toThrow(BUSY);
    load.take(400);
    half();
    load.take(600);
  });

  test('is full while the process is late each time, and not for being late once', () => {
    const load = new Load(LIMITS);
    const mayTake = () => {
      try {
        load.take(0)();
        return true;
      } catch {
        return false;
      }
    };
    const after = (...lags: number[]) => {
      for (const lag of lags) load.looked(lag);
      return mayTake();
    };
    expect(after(9_000)).toBe(true);
    expect(after(9_000)).toBe(true);
    expect(after(1)).toBe(true);
    expect(after(2_001, 2_001, 2_001)).toBe(false);
    expect(after(9_000)).toBe(false);
    expect(after(2_000)).toBe(true);
  });

  test('what was refused takes nobody’s place', () => {
    const load = new Load(LIMITS);
    const ends = [load.take(1), load.take(1), load.take(1)];
    for (let n = 0; n < 10; n += 1) expect(() => load.take(1)).toThrow(BUSY);
    for (const end of ends) end();
    for (let n = 0; n < 3; n += 1) load.take(1);
  });
});
