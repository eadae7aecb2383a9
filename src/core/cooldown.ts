/** How long an account rests after 1, 2, 3 … rate limits in a row, when the provider does not say. */
const STEPS_MINUTES = [15, 30, 60, 120, 240];
const MINUTE_MS = 60_000;
const LONGEST_MS = 24 * 60 * MINUTE_MS;

export interface Cooling {
  readonly cooldownUntil: number;
  readonly cooldowns: number;
}

/**
 * What a rate-limited answer does to its account. Many sends of one burst are refused together: they are one
 * cool-down, so while an account is cooling only a longer wait asked for by the provider moves it on.
 */
export function coolDown(account: Cooling, now: number, retryAfterSeconds: number | undefined): Cooling {
  const asked = retryAfterSeconds === undefined ? 0 : Math.min(retryAfterSeconds * 1_000, LONGEST_MS);
  if (account.cooldownUntil > now) {
    return { cooldowns: account.cooldowns, cooldownUntil: Math.max(account.cooldownUntil, now + asked) };
  }
  const step = STEPS_MINUTES[Math.min(account.cooldowns, STEPS_MINUTES.length - 1)] ?? 0;
  return { cooldowns: account.cooldowns + 1, cooldownUntil: now + (asked > 0 ? asked : step * MINUTE_MS) };
}
