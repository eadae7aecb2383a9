import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  nextWaitMs,
  plannedAttempts,
  readRetryPolicy,
  RETRY_POLICIES,
  writeRetryPolicy,
  type RetryPolicy,
} from './retry.js';

/** The waits after failure 1, 2, 3 … in seconds, until no try is left. */
function waits(policy: RetryPolicy): number[] {
  const found: number[] = [];
  for (let attempts = 1; ; attempts += 1) {
    const wait = nextWaitMs(policy, attempts);
    if (wait === undefined) return found;
    found.push(wait / 1_000);
  }
}

describe('retry policies', () => {
  test.each([
    ['campaign', [60, 300, 900]],
    ['outbox', [60, 120, 240, 480]],
    ['dispatcher', [60, 300, 900, 3_600, 10_800, 21_600, 43_200]],
    ['notification', [0, 2]],
  ] as const)('%s waits exactly as promised and then gives up', (name, expected) => {
    expect(waits(RETRY_POLICIES[name])).toEqual(expected);
  });

  test('an inline try that failed is followed after 30 s by the outbox, else after the first wait', () => {
    expect(nextWaitMs(RETRY_POLICIES.outbox, 0)).toBe(30_000);
    expect(nextWaitMs({ maxAttempts: 2, delaysSeconds: [7, 9] }, 0)).toBe(7_000);
  });

  test('a provider that asks for longer is waited for, one that asks for less is not believed', () => {
    expect(nextWaitMs(RETRY_POLICIES.outbox, 1, 600)).toBe(600_000);
    expect(nextWaitMs(RETRY_POLICIES.outbox, 1, 5)).toBe(60_000);
  });

  test('the tries to come are the next one and then each after its wait, as many as are left', () => {
    const seconds = plannedAttempts(RETRY_POLICIES.outbox, 2, 10_000).map((at) => at / 1_000);
    expect(seconds).toEqual([10, 10 + 240, 10 + 240 + 480]);
    expect(plannedAttempts(RETRY_POLICIES.outbox, 5, 10_000)).toEqual([]);
    expect(plannedAttempts({ maxAttempts: 3, delaysSeconds: [7] }, 0, 0)).toEqual([0, 7_000, 14_000]);
  });

  const policy = fc.record({
    maxAttempts: fc.integer({ min: 1, max: 50 }),
    delaysSeconds: fc.array(fc.integer({ min: 0, max: 2_592_000 }), { minLength: 1, maxLength: 50 }),
  });

  test('any policy ends after exactly its tries, never waits less than it is asked to, and is never negative', () => {
    fc.assert(
      fc.property(policy, fc.integer({ min: 0, max: 100_000 }), (each, atLeast) => {
        expect(waits(each)).toHaveLength(each.maxAttempts - 1);
        for (let attempts = 1; attempts < each.maxAttempts; attempts += 1) {
          expect(nextWaitMs(each, attempts, atLeast)).toBeGreaterThanOrEqual(atLeast * 1_000);
        }
      }),
    );
  });

  test('a policy survives being stored', () => {
    fc.assert(
      fc.property(policy, (each) => {
        expect(readRetryPolicy(writeRetryPolicy(each))).toEqual(each);
      }),
    );
    expect(readRetryPolicy(writeRetryPolicy('dispatcher'))).toBe(RETRY_POLICIES.dispatcher);
  });
});
