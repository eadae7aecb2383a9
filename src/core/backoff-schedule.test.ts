import { describe, expect, test } from 'vitest';
import { dispatcherPolicy, parseBackoffSchedule } from './backoff-schedule.js';
import { RETRY_POLICIES, writeRetryPolicy } from './retry.js';

describe('a back-off schedule', () => {
  test('is waits with units', () => {
    expect(parseBackoffSchedule('1m 5m 15m 1h 3h 6h 12h 24h')).toEqual(
      RETRY_POLICIES.dispatcher.delaysSeconds,
    );
    expect(parseBackoffSchedule(' 0s, 30s,2d ')).toEqual([0, 30, 172_800]);
  });

  test.each(['', ' ', '5', 'm', '-1m', '1.5m', '1w', '1m;5m', '31d', '99999999s', '1m '.repeat(51)])(
    '"%s" is none',
    (text) => {
      expect(() => parseBackoffSchedule(text)).toThrow(/should be waits such as/);
    },
  );

  test('what an operator leaves unsaid is as it was', () => {
    expect(dispatcherPolicy({})).toBeUndefined();
    expect(dispatcherPolicy({ maxAttempts: 3 })).toEqual({
      maxAttempts: 3,
      delaysSeconds: RETRY_POLICIES.dispatcher.delaysSeconds,
    });
    expect(dispatcherPolicy({ delaysSeconds: [1] })).toEqual({ maxAttempts: 8, delaysSeconds: [1] });
  });

  test('it is stored by value, and only where it was asked for', () => {
    const dispatcher = { maxAttempts: 2, delaysSeconds: [1] };
    expect(writeRetryPolicy('dispatcher', dispatcher)).toBe(JSON.stringify(dispatcher));
    expect(writeRetryPolicy('outbox', dispatcher)).toBe('outbox');
    expect(writeRetryPolicy('dispatcher')).toBe('dispatcher');
  });
});
