import { RETRY_LIMITS, RETRY_POLICIES, type RetryPolicy } from './retry.js';

const SECONDS = { s: 1, m: 60, h: 3_600, d: 24 * 3_600 } as const;

/** `1m 5m 15m 1h`: the waits after failure 1, 2, 3 … in seconds. Throws with what it should be. */
export function parseBackoffSchedule(text: string): readonly number[] {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const waits = words.map((word) => {
    const [, count, unit] = /^(\d{1,7})([smhd])$/.exec(word) ?? [];
    return count === undefined ? NaN : Number(count) * SECONDS[unit as keyof typeof SECONDS];
  });
  const usable = waits.every((wait) => wait >= 0 && wait <= RETRY_LIMITS.delaySeconds);
  if (!usable || waits.length === 0 || waits.length > RETRY_LIMITS.maxAttempts)
    throw new Error(
      `should be waits such as "1m 5m 15m 1h 3h 6h 12h 24h", at most ${String(RETRY_LIMITS.maxAttempts)} of them and none above 30d`,
    );
  return waits;
}

/** The policy `dispatcher` as an operator has set it; undefined: as it is. */
export function dispatcherPolicy(set: {
  readonly maxAttempts?: number | undefined;
  readonly delaysSeconds?: readonly number[] | undefined;
}): RetryPolicy | undefined {
  if (set.maxAttempts === undefined && set.delaysSeconds === undefined) return undefined;
  const { dispatcher } = RETRY_POLICIES;
  return {
    maxAttempts: set.maxAttempts ?? dispatcher.maxAttempts,
    delaysSeconds: set.delaysSeconds ?? dispatcher.delaysSeconds,
  };
}
