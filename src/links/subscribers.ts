import { canonicalAddress } from '../core/address.js';
import type { Link } from '../core/link-token.js';
import type { DailyWindow } from '../core/preferences.js';
import type { SubscriptionStatus } from '../core/subscription.js';
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
  | { readonly do: 'stop' | 'everything' | 'undo' }
  | {
      readonly do: 'save';
      /** Those that he wants to be told of and was not, or the other way round. */
      readonly topics: readonly { readonly id: number; readonly on: boolean }[];
      /** Of all his topics that go on; left out: as it is. */
      readonly window?: DailyWindow | null;
      /** The same; null: no break any more. */
      readonly breakDays?: number | null;
      /** Of the topic whose link he followed: none is everything. */
      readonly notifyOn: readonly string[];
      readonly maxNotifications: number | null;
    };

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
    const { id } = subscription;
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
      case 'save':
        yield* this.#save(before, choice, now);
    }
  }

  /** What somebody has changed, and only of topics that are his. */
  *#save(
    before: Subscriber,
    { topics, window, breakDays, notifyOn, maxNotifications }: Extract<SubscriberChoice, { do: 'save' }>,
    now: number,
  ): Script<void> {
    const { store } = this;
    const { workspaceId, subscription, all, stopped } = before;
    if (stopped !== 'no') return;
    const by = { actor: ACTOR, now };
    const shared = {
      ...(window !== undefined && { deliveryWindow: window }),
      ...(breakDays !== undefined && { snoozeUntil: breakDays === null ? null : now + breakDays * DAY_MS }),
    };
    // In the order of their ids, as everybody locks them.
    for (const each of all) {
      const wish = topics.find(({ id }) => id === each.id);
      const status = wish ? statusWished(each, wish.on, now) : undefined;
      if (status !== undefined) yield* changeSubscriptionStatus(store, workspaceId, each.id, status, by);
      const goesOn = (status ?? each.status) !== 'unsubscribed';
      const isOwn = each.id === subscription.id;
      if (!isOwn && (!goesOn || Object.keys(shared).length === 0)) continue;
      // Only what the page has offered: whatever else is posted is nobody's choice.
      const chosen = before.statuses.filter((one) => notifyOn.includes(one));
      const own = isOwn && { notifyOn: chosen.length === 0 ? null : chosen, maxNotifications };
      const preferences = { ...(goesOn && shared), ...own };
      yield* updateSubscription(store, workspaceId, each.id, { preferences }, by);
    }
  }

  *#subscriber({ workspaceId, subject }: Link, now: number): Script<Subscriber | undefined> {
    const { store } = this;
    const subscription = yield* readSubscription(store, workspaceId, subject);
    if (!subscription) return undefined;
    const { contact, contactGiven, topic, preferences } = subscription;
    const told = yield* statusesOf(store, workspaceId, topic, STATUSES_SHOWN);
    const known = yield* findSuppression(store, workspaceId, canonicalAddress(contact));
    const isStopped = known && (known.lanes === null || known.lanes.includes('notification'));
    const stopped = !isStopped ? 'no' : known.reason === 'unsubscribed' ? 'by himself' : 'by others';
    const first = yield* subscriptionsOf(store, workspaceId, contact, SHOWN);
    const isAmong = first.some(({ id }) => id === subject);
    return {
      ...{ workspaceId, subscription, stopped, address: contactGiven ?? contact },
      all: isAmong ? first : [...first.slice(0, -1), subscription],
      statuses: [...new Set([...(preferences.notifyOn ?? []), ...told])],
      canUndo: stopped === 'by himself' || (stopped === 'no' && isSlip(subscription, now)),
    };
  }
}

const isSlip = ({ status, updatedAt }: Subscription, now: number): boolean =>
  status === 'unsubscribed' && now - updatedAt < SLIP_MS;

/** Whether he has to confirm by mail that he wants to be told of it again. */
export const needsConfirmation = (known: Subscription, now: number): boolean =>
  known.status === 'unsubscribed' && !isSlip(known, now);

/** Undefined: it stays as it is, or takes a confirmation. */
function statusWished(known: Subscription, on: boolean, now: number): SubscriptionStatus | undefined {
  if (known.status === 'suppressed') return undefined;
  if (!on) return 'unsubscribed';
  return known.status === 'paused' || isSlip(known, now) ? 'active' : undefined;
}

/** Whoever has ended it since is not brought back by an older mail. */
const isOpen = ({ subscription: { status } }: Subscriber): boolean =>
  status === 'pending' || status === 'active';
