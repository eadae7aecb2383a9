export const SUBSCRIPTION_STATUSES = ['pending', 'active', 'paused', 'suppressed', 'unsubscribed'] as const;

/** Only who is active is told of anything. `pending` waits for a confirmation. */
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** What mail can be sent to; others are kept, and end `skipped`. */
export const EMAIL_CONTACT = 'email';

/** What the history of a subscription tells. */
export const SUBSCRIPTION_HAPPENINGS = [
  'created',
  'updated',
  'status_changed',
  'confirmation_sent',
  'notify_sent',
] as const;
export type SubscriptionHappening = (typeof SUBSCRIPTION_HAPPENINGS)[number];

/** Whoever ended a subscription comes back by a fresh confirmation and by nothing else. */
export const statusAllowed = (
  before: SubscriptionStatus | undefined,
  wanted: SubscriptionStatus,
): SubscriptionStatus =>
  before === 'unsubscribed' && (wanted === 'active' || wanted === 'paused') ? 'pending' : wanted;
