/** How often and how patiently a message is tried. */
export interface RetryPolicy {
  readonly maxAttempts: number;
  /** Seconds to wait after failure 1, 2, 3 …; the last one repeats if the list is shorter than the tries. */
  readonly delaysSeconds: readonly number[];
  /** Seconds between an inline try that failed and the first of the engine's; unless said, the first delay. */
  readonly inlineDelaySeconds?: number;
}

const MINUTE = 60;
const HOUR = 3_600;

export const RETRY_POLICIES = {
  campaign: { maxAttempts: 4, delaysSeconds: [MINUTE, 5 * MINUTE, 15 * MINUTE] },
  outbox: { maxAttempts: 5, delaysSeconds: [60, 120, 240, 480], inlineDelaySeconds: 30 },
  dispatcher: {
    maxAttempts: 8,
    delaysSeconds: [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR],
  },
  notification: { maxAttempts: 3, delaysSeconds: [0, 2, 7] },
} as const satisfies Record<string, RetryPolicy>;

export type RetryPolicyName = keyof typeof RETRY_POLICIES;
export const RETRY_POLICY_NAMES = Object.keys(RETRY_POLICIES) as readonly RetryPolicyName[];

export const isRetryPolicyName = (name: string): name is RetryPolicyName =>
  Object.hasOwn(RETRY_POLICIES, name);

/** What a caller may ask for: a name, or waits of his own. */
export const RETRY_LIMITS = { maxAttempts: 50, delaySeconds: 30 * 24 * HOUR } as const;

/**
 * The wait after `attempts` completed tries, in ms; undefined when no tries are left. Exact, without jitter. After
 * none, it was the inline try that failed, which is nobody's attempt. A provider's Retry-After, or a rule's
 * minimum, wins when it is longer.
 */
export function nextWaitMs(policy: RetryPolicy, attempts: number, atLeastSeconds = 0): number | undefined {
  if (attempts >= policy.maxAttempts) return undefined;
  const { delaysSeconds, inlineDelaySeconds = delaysSeconds[0] } = policy;
  const planned =
    attempts === 0 ? inlineDelaySeconds : delaysSeconds[Math.min(attempts, delaysSeconds.length) - 1];
  return Math.max(planned ?? 0, atLeastSeconds) * 1_000;
}

/**
 * When the tries that are left would begin if each failed at once: the next one, then each after its wait. None of
 * them is a promise: a provider may ask for longer, and a try takes its time.
 */
export function plannedAttempts(policy: RetryPolicy, attempts: number, nextAt: number): readonly number[] {
  const planned: number[] = [];
  let at = nextAt;
  for (let made = attempts; made < policy.maxAttempts; made += 1) {
    planned.push(at);
    at += nextWaitMs(policy, made + 1) ?? 0;
  }
  return planned;
}

/**
 * Policies are stored with their message: a name, or waits of its own as JSON. `dispatcher`: what an operator has made of
 * the policy of that name; its waits are written down, so that a message keeps what it was accepted with.
 */
export function writeRetryPolicy(policy: RetryPolicyName | RetryPolicy, dispatcher?: RetryPolicy): string {
  const meant = policy === 'dispatcher' ? (dispatcher ?? policy) : policy;
  if (typeof meant === 'string') return meant;
  return JSON.stringify({ maxAttempts: meant.maxAttempts, delaysSeconds: meant.delaysSeconds });
}

export const readRetryPolicy = (stored: string): RetryPolicy =>
  isRetryPolicyName(stored) ? RETRY_POLICIES[stored] : (JSON.parse(stored) as RetryPolicy);
