import type { SubscriptionStatus } from './mail-job.js';

/** Only who is active is told of anything. `pending` waits for a confirmation. */
export { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './mail-job.js';

/** What mail can be sent to; others are kept, and end `skipped`. */
export const EMAIL_CONTACT = 'email';

/** What the history of a subscription tells. */
export type SubscriptionHappening =
  'created' | 'updated' | 'status_changed' | 'confirmation_sent' | 'notify_sent' | 'not_told';

/** Whether somebody speaks of one subscription that he knows, says who wants to be told, or has a list of them. */
export type Insistence = 'known' | 'said again' | 'listed';

/**
 * What a status becomes that an application asks for. Whoever has ended a subscription, or has not confirmed it, becomes
 * active by a confirmation of his own and by nothing else; and saying again who wants to be told revives nobody.
 */
export function statusAllowed(
  before: SubscriptionStatus | undefined,
  wanted: SubscriptionStatus,
  insistence: Insistence,
): SubscriptionStatus {
  const revives = wanted === 'active' || wanted === 'paused';
  if (revives && before === 'unsubscribed' && insistence === 'listed') return before;
  if (revives && (before === 'unsubscribed' || before === 'pending')) return 'pending';
  if (revives && before === 'suppressed' && insistence !== 'known') return 'suppressed';
  return wanted;
}
