import type { SubscriptionStatus } from './mail-job.js';
import type { Preferences } from './preferences.js';

/** Is this person told, and if not, why not. */
export function subscriptionSentence({
  status,
  preferences: { maxNotifications },
  notified,
}: {
  readonly status: SubscriptionStatus;
  readonly preferences: Preferences;
  readonly notified: number;
}): { readonly level: 'fine' | 'look'; readonly sentence: string } {
  switch (status) {
    case 'pending':
      return { level: 'fine', sentence: 'Not confirmed yet. Nothing is sent before.' };
    case 'paused':
      return { level: 'fine', sentence: 'Paused. Nothing is sent.' };
    case 'suppressed':
      return { level: 'look', sentence: 'Suppressed. Nothing is sent.' };
    case 'unsubscribed':
      return { level: 'fine', sentence: 'Ended by the person. Coming back needs a confirmation.' };
    case 'active':
      return { level: 'fine', sentence: limited(maxNotifications, notified) };
  }
}

function limited(most: number | null, notified: number): string {
  if (most === null) return 'Told whenever it happens.';
  const left = Math.max(0, most - notified);
  return left === 0
    ? `Told ${String(notified)} of ${String(most)} times. No further ones.`
    : `Told ${String(notified)} of ${String(most)} times. ${String(left)} more, then no further ones.`;
}
