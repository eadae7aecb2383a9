import { EMAIL_CONTACT } from '../core/subscription.js';
import {
  subscriptionPlate,
  subscriptionState,
  type SubscriptionFigures,
  type SubscriptionPlate,
  type SubscriptionState,
} from '../core/subscription-words.js';
import type { Suppression } from '../core/suppression.js';
import type { Script } from '../store/script.js';
import { readTimezone } from '../store/scripts/settings.js';
import { subscriptionFigures } from '../store/scripts/subscription-figures.js';
import type { Subscription } from '../store/scripts/subscriptions.js';
import { suppressionsOf } from '../store/scripts/suppression-list.js';
import type { Store } from '../store/store.js';

/** A subscription, and what became of it so far. */
export interface SubscriptionView {
  readonly subscription: Subscription;
  readonly figures: SubscriptionFigures;
  /** Stands in the way of its mails. */
  readonly suppression: Suppression | undefined;
  readonly state: SubscriptionState;
  readonly plate: SubscriptionPlate;
}

const NONE: SubscriptionFigures = {
  ...{ told: 0, lastToldAt: null, askedAt: null, dead: 0, waiting: 0, nextAt: null, others: 0 },
  ...{ changedBy: null, changedAt: null },
};

export function* subscriptionViews(
  store: Store,
  workspaceId: number,
  subscriptions: readonly Subscription[],
  now: number,
): Script<readonly SubscriptionView[]> {
  const all = yield* subscriptionFigures(
    store,
    subscriptions.map(({ id }) => id),
  );
  const addresses = subscriptions.flatMap(({ contactType, contact }) =>
    contactType === EMAIL_CONTACT ? [contact] : [],
  );
  const errand = { lane: 'notification', transactional: false } as const;
  const listed = yield* suppressionsOf(store, workspaceId, addresses, errand);
  const timezone = yield* readTimezone(store, workspaceId);
  return subscriptions.map((subscription) => {
    const figures = all.get(subscription.id) ?? NONE;
    const suppression =
      subscription.contactType === EMAIL_CONTACT ? listed.get(subscription.contact) : undefined;
    const facts = { ...subscription, ...figures, suppression };
    return {
      ...{ subscription, figures, suppression },
      state: subscriptionState(facts, now),
      plate: subscriptionPlate(facts, { now, timezone }),
    };
  });
}
