import { canonicalAddress } from '../core/address.js';
import type { Link } from '../core/link-token.js';
import type { DailyWindow } from '../core/preferences.js';
import type { Script } from '../store/script.js';
import { updateSubscription } from '../store/scripts/subscription-writes.js';
import {
  changeSubscriptionStatus,
  readSubscription,
  statusesOf,
  subscriptionsOf,
  type Subscription,
} from '../store/scripts/subscriptions.js';
import { findSuppression } from '../store/scripts/suppression-list.js';
import { suppress, unsuppress } from '../store/scripts/suppressions.js';
import type { Store } from '../store/store.js';
import type { Links } from './links.js';

/** Whoever gets notifications, as his own page shows him. */
export interface Subscriber {
  readonly workspaceId: number;
  /** The one whose link he followed. */
  readonly subscription: Subscription;
  /** As it is written to. */
  readonly address: string;
  /** All of his, this one included, the oldest first; as many as a page may hold. */
  readonly all: readonly Subscription[];
  /** What he may choose to be told of: what events of this topic tell, and what he has chosen. */
  readonly statuses: readonly string[];
  /** He wants nothing at all from this sender; or nobody writes to him for another reason. */
  readonly stopped: 'no' | 'by himself' | 'by others';
  /** What he has just stopped he may take back. */
  readonly canUndo: boolean;
}

export type SubscriberChoice =
  | { readonly do: 'stop' | 'everything' | 'undo' | 'pause' | 'resume' | 'wake' }
  | { readonly do: 'snooze'; readonly days: number }
  | { readonly do: 'window'; readonly window: DailyWindow | null }
  /** Of what he is told, none: of everything; and how often at most. */
  | { readonly do: 'what'; readonly notifyOn: readonly string[]; readonly maxNotifications: number | null };

const SHOWN = 100;
const STATUSES_SHOWN = 8;
const DAY_MS = 86_400_000;
/** For so long a press counts as a slip; after it, coming back takes a confirmation. */
const SLIP_MS = 3_600_000;
const ACTOR = 'recipient';

/** What the readers of notifications decide by their links. Undefined wherever a link is none, or leads to nobody any more. */
export class Subscribers {
  constructor(
    private readonly store: Store,
    private readonly links: Links,
  ) {}

  /** Changes nothing. */
  async look(token: string): Promise<Subscriber | undefined> {
    const now = await this.store.now();
    const link = this.#read(token, 'manage', now);
    return link && this.store.read(this.#subscriber(link, now));
  }

  /** From the very next hand-over on. Safe to repeat. */
  async choose(token: string, choice: SubscriberChoice): Promise<Subscriber | undefined> {
    const now = await this.store.now();
    const link = this.#read(token, 'manage', now);
    return link && this.store.transaction(() => this.#choose(link, choice, now));
  }

  /** What a confirmation is about. Undefined also if nothing is left to be confirmed. Changes nothing. */
  async lookAtConfirmation(token: string): Promise<Subscriber | undefined> {
    const now = await this.store.now();
    const link = this.#read(token, 'confirm', now);
    const subscriber = link && (await this.store.read(this.#subscriber(link, now)));
    return subscriber && isOpen(subscriber) ? subscriber : undefined;
  }

  /** The subscription is really wanted. It is his own word, so it also takes back that he wants nothing at all. */
  async confirm(token: string): Promise<Subscriber | undefined> {
    const now = await this.store.now();
    const link = this.#read(token, 'confirm', now);
    return link && this.store.transaction(() => this.#confirm(link, now));
  }

  #read(token: string, purpose: Link['purpose'], now: number): Link | undefined {
    const link = this.links.read(token, now);
    return link?.purpose === purpose ? link : undefined;
  }

  *#confirm(link: Link, now: number): Script<Subscriber | undefined> {
    const { store } = this;
    const before = yield* this.#subscriber(link, now);
    if (!before || !isOpen(before)) return undefined;
    const { workspaceId, subject: id } = link;
    if (before.subscription.status === 'pending') {
      yield* changeSubscriptionStatus(store, workspaceId, id, 'active', { actor: ACTOR, now });
      if (before.stopped === 'by himself')
        yield* unsuppress(store, workspaceId, before.address, { evenComplaints: false });
    }
    return yield* this.#subscriber(link, now);
  }

  *#choose(link: Link, choice: SubscriberChoice, now: number): Script<Subscriber | undefined> {
    const before = yield* this.#subscriber(link, now);
    if (!before) return undefined;
    yield* this.#apply(before, choice, now);
    return yield* this.#subscriber(link, now);
  }

  *#apply(before: Subscriber, choice: SubscriberChoice, now: number): Script<void> {
    const { store } = this;
    const { workspaceId, subscription, address, canUndo } = before;
    const { id, status } = subscription;
    const by = { actor: ACTOR, now };
    switch (choice.do) {
      case 'stop':
        yield* changeSubscriptionStatus(store, workspaceId, id, 'unsubscribed', by);
        return;
      case 'everything':
        yield* suppress(store, workspaceId, address, 'unsubscribed', now, {
          ...{ lanes: null, note: 'on the page about their mails' },
        });
        return;
      case 'undo':
        if (!canUndo) return;
        if (before.stopped === 'by himself')
          yield* unsuppress(store, workspaceId, address, { evenComplaints: false });
        else yield* changeSubscriptionStatus(store, workspaceId, id, 'active', by);
        return;
      case 'pause':
      case 'resume': {
        const [from, to] =
          choice.do === 'pause' ? (['active', 'paused'] as const) : (['paused', 'active'] as const);
        if (status === from) yield* changeSubscriptionStatus(store, workspaceId, id, to, by);
        return;
      }
      case 'snooze':
      case 'wake': {
        const snoozeUntil = choice.do === 'snooze' ? now + choice.days * DAY_MS : null;
        yield* updateSubscription(store, workspaceId, id, { preferences: { snoozeUntil } }, by);
        return;
      }
      case 'window': {
        const { window: deliveryWindow } = choice;
        yield* updateSubscription(store, workspaceId, id, { preferences: { deliveryWindow } }, by);
        return;
      }
      case 'what': {
        const { maxNotifications } = choice;
        // Only what the page has offered: whatever else is posted is nobody's choice.
        const chosen = before.statuses.filter((each) => choice.notifyOn.includes(each));
        const notifyOn = chosen.length === 0 ? null : chosen;
        yield* updateSubscription(
          store,
          workspaceId,
          id,
          { preferences: { notifyOn, maxNotifications } },
          by,
        );
      }
    }
  }

  *#subscriber({ workspaceId, subject }: Link, now: number): Script<Subscriber | undefined> {
    const { store } = this;
    const subscription = yield* readSubscription(store, workspaceId, subject);
    if (!subscription) return undefined;
    const { contact, contactGiven, status, updatedAt, topic, preferences } = subscription;
    const told = yield* statusesOf(store, workspaceId, topic, STATUSES_SHOWN);
    const known = yield* findSuppression(store, workspaceId, canonicalAddress(contact));
    const isStopped = known && (known.lanes === null || known.lanes.includes('notification'));
    const stopped = !isStopped ? 'no' : known.reason === 'unsubscribed' ? 'by himself' : 'by others';
    const isSlip = status === 'unsubscribed' && now - updatedAt < SLIP_MS;
    return {
      ...{ workspaceId, subscription, stopped, address: contactGiven ?? contact },
      all: yield* subscriptionsOf(store, workspaceId, contact, SHOWN),
      statuses: [...new Set([...(preferences.notifyOn ?? []), ...told])],
      canUndo: stopped === 'by himself' || (stopped === 'no' && isSlip),
    };
  }
}

/** Whoever has ended it since is not brought back by an older mail. */
const isOpen = ({ subscription: { status } }: Subscriber): boolean =>
  status === 'pending' || status === 'active';
