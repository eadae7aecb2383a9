/** How often and how patiently a message is tried. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  /** Seconds to wait after failure 1, 2, 3 …; the last one repeats if the list is shorter than the tries. */
  readonly delaysSeconds: readonly number[];
}

const MINUTE = 60;
const HOUR = 3_600;

export const RETRY_POLICIES = {
  campaign: { maxAttempts: 4, delaysSeconds: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
  // The 30 s before the first try stand in front of it, when the inline try has failed; they follow no attempt.
  outbox: { maxAttempts: 5, delaysSeconds: [60, 120, 240, 480] },
  dispatcher: {
    maxAttempts: 8,
    delaysSeconds: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
  },
  notification: { maxAttempts: 3, delaysSeconds: [0, 2, 7] },
} as const satisfies Record<string, RetryPolicy>;

export type RetryPolicyName = keyof typeof RETRY_POLICIES;

export const isRetryPolicyName = (name: string): name is RetryPolicyName =>
  Object.hasOwn(RETRY_POLICIES, name);

/** What a caller may ask for: a name, or waits of his own. */
export const RETRY_LIMITS = { maxAttempts: 50, delaySeconds: 30 * 24 * HOUR } as const;

/**
 * The wait after `attempts` completed tries, in ms; undefined when no tries are left. Exact, without jitter.
 * A provider's Retry-After, or a rule's minimum, wins when it is longer.
 */
export function nextWaitMs(policy: RetryPolicy, attempts: number, atLeastSeconds = 0): number | undefined {
  if (attempts >= policy.maxAttempts) return undefined;
  const planned = policy.delaysSeconds[Math.min(attempts, policy.delaysSeconds.length) - 1] ?? 0;
  return Math.max(planned, atLeastSeconds) * 1_000;
}

/** Policies are stored with their message: a name, or waits of its own as JSON. */
export const writeRetryPolicy = (policy: RetryPolicyName | RetryPolicy): string =>
  typeof policy === 'string'
    ? policy
    : JSON.stringify({ maxAttempts: policy.maxAttempts, delaysSeconds: policy.delaysSeconds });

export const readRetryPolicy = (stored: string): RetryPolicy =>
  isRetryPolicyName(stored) ? RETRY_POLICIES[stored] : (JSON.parse(stored) as RetryPolicy);
