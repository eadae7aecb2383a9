import { describe, expect, test } from 'vitest';
import {
  isRetryableError,
  MAX_RETRY_ATTEMPTS,
  NON_RETRYABLE_ERROR_CODES,
  RANDOM_DELAY_RANGE,
  RETRY_BACKOFF_MINUTES,
  RETRYABLE_ERROR_CODES,
} from './scheduled-email.js';

const coded = (code: string): Error => Object.assign(new Error('it failed'), { code });

describe('what happens when a mail fails', () => {
  test('three retries, after 1, 5 and 15 minutes; 30 to 90 seconds between two mails', () => {
    expect(MAX_RETRY_ATTEMPTS).toBe(3);
    expect(RETRY_BACKOFF_MINUTES).toEqual([1, 5, 15]);
    expect(RANDOM_DELAY_RANGE).toEqual({ min: 30, max: 90 });
  });

  test.each(RETRYABLE_ERROR_CODES)('%s is tried again', (code) => {
    expect(isRetryableError(coded(code))).toBe(true);
    expect(isRetryableError(new Error(`the server said ${code}`))).toBe(true);
  });

  test.each(NON_RETRYABLE_ERROR_CODES)('%s is not', (code) => {
    expect(isRetryableError(coded(code))).toBe(false);
    expect(isRetryableError(new Error(`the server said ${code}`))).toBe(false);
  });
});
