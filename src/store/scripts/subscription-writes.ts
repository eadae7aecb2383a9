import type { Preferences } from '../../core/preferences.js';
import type { Insistence, SubscriptionStatus } from '../../core/subscription.js';
import { statusAllowed } from '../../core/subscription.js';
import { sql } from '../../vendor/kysely.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import {
  findSubscription,
  noteHappening,
  readSubscription,
  toSubscription,
  type Subscription,
  type SubscriptionKey,
} from './subscriptions.js';

export interface SubscriptionChange {
  readonly status?: SubscriptionStatus;
  readonly name?: string | null;
  readonly locale?: string | null;
  readonly timezone?: string | null;
  readonly preferences?: Partial<Preferences>;
}

export interface NewSubscriptionRow extends SubscriptionKey, SubscriptionChange {
  readonly contactGiven: string | null;
}

interface By {
  readonly actor: string | null;
  readonly now: number;
}

export interface Saved {
  readonly subscription: Subscription;
  readonly isNew: boolean;
}

const NO_PREFERENCES: Preferences = {
  ...{ notifyOn: null, maxNotifications: null, deliveryWindow: null, snoozeUntil: null },
};

/** A known topic and contact is updated and keeps its id. */
export function* saveSubscription(
  store: Store,
  workspaceId: number,
  given: NewSubscriptionRow,
  by: By,
  insistence: Insistence = 'said again',
): Script<Saved> {
  const change = { ...given, status: given.status ?? 'active' };
  const known = yield* findSubscription(store, workspaceId, given, { lock: true });
  if (known) return { subscription: yield* applyChange(store, known, change, by, insistence), isNew: false };
  const made = yield* insert(store, workspaceId, given, by);
  if (made) return { subscription: made, isNew: true };
  // Somebody else has just made it.
  const theirs = yield* findSubscription(store, workspaceId, given, { lock: true });
  if (!theirs) throw new Error('a subscription was neither made nor found');
  return { subscription: yield* applyChange(store, theirs, change, by, insistence), isNew: false };
}

/** Undefined: there is none. */
export function* updateSubscription(
  store: Store,
  workspaceId: number,
  id: number,
  change: SubscriptionChange,
  by: By,
): Script<Subscription | undefined> {
  const known = yield* readSubscription(store, workspaceId, id, { lock: true });
  return known && (yield* applyChange(store, known, change, by, 'known'));
}

/**
 * One status for many of a workspace, each with its line in the history. Answers those that have it now; who would have to
 * agree himself is left as he is. From the commit on the gate obeys it.
 */
export function* changeStatuses(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
  status: SubscriptionStatus,
  { actor, now }: By,
): Script<ReadonlySet<number>> {
  const { db, dialect } = store;
  const known = db
    .selectFrom('subscriptions')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where(among(store, sql.ref('id'), ids))
    .orderBy('id');
  const rows = yield* ask(dialect === 'postgres' ? known.forUpdate() : known);
  const willing = rows.filter((row) => statusAllowed(row.status, status, 'known') === status);
  const moved = willing.filter((row) => row.status !== status).map(({ id }) => id);
  if (moved.length > 0) {
    yield* ask(
      db
        .insertInto('subscription_events')
        .columns(['subscription_id', 'at', 'kind', 'actor', 'details'])
        .expression(
          db
            .selectFrom('subscriptions')
            .select([
              'id',
              sql<number>`cast(${now} as bigint)`.as('at'),
              sql<string>`'status_changed'`.as('kind'),
              sql<string | null>`cast(${actor} as text)`.as('actor'),
              sql<string>`'{"before":"' || status || '","after":"' || cast(${status} as text) || '"}'`.as(
                'details',
              ),
            ])
            .where(among(store, sql.ref('id'), moved))
            .orderBy('id'),
        ),
    );
    yield* ask(
      db
        .updateTable('subscriptions')
        .set({ status, updated_at: now })
        .where(among(store, sql.ref('id'), moved)),
    );
  }
  return new Set(willing.map(({ id }) => id));
}

function* insert(
  store: Store,
  workspaceId: number,
  given: NewSubscriptionRow,
  { actor, now }: By,
): Script<Subscription | undefined> {
  const preferences = { ...NO_PREFERENCES, ...given.preferences };
  const row = yield* askOne(
    store.db
      .insertInto('subscriptions')
      .values({
        workspace_id: workspaceId,
        topic: given.topic,
        contact_type: given.contactType,
        contact: given.contact,
        contact_given: given.contactGiven,
        name: given.name ?? null,
        locale: given.locale ?? null,
        timezone: given.timezone ?? null,
        status: given.status ?? 'active',
        ...preferenceColumns(preferences),
        limited_at: preferences.maxNotifications === null ? null : now,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'topic', 'contact_type', 'contact']).doNothing(),
      )
      .returningAll(),
  );
  if (!row) return undefined;
  yield* noteHappening(store, row.id, { kind: 'created', actor, details: { status: row.status } }, now);
  return toSubscription(row);
}

const preferenceColumns = ({ notifyOn, maxNotifications, deliveryWindow, snoozeUntil }: Preferences) => ({
  notify_on: notifyOn === null ? null : JSON.stringify(notifyOn),
  max_notifications: maxNotifications,
  window_start: deliveryWindow?.startMinutes ?? null,
  window_end: deliveryWindow?.endMinutes ?? null,
  snooze_until: snoozeUntil,
});

function* applyChange(
  store: Store,
  known: Subscription,
  change: SubscriptionChange,
  { actor, now }: By,
  insistence: Insistence,
): Script<Subscription> {
  const status =
    change.status === undefined ? known.status : statusAllowed(known.status, change.status, insistence);
  const preferences = { ...known.preferences, ...change.preferences };
  const limit = limitAfter(known, preferences, now);
  const next: Subscription = {
    ...known,
    status,
    name: change.name === undefined ? known.name : change.name,
    locale: change.locale === undefined ? known.locale : change.locale,
    timezone: change.timezone === undefined ? known.timezone : change.timezone,
    preferences,
    notified: limit?.notified ?? known.notified,
    updatedAt: now,
  };
  const changed = differences(known, next);
  const isMoved = status !== known.status;
  if (!isMoved && Object.keys(changed).length === 0) return known;
  yield* ask(
    store.db
      .updateTable('subscriptions')
      .set({
        ...{ status, name: next.name, locale: next.locale, timezone: next.timezone, updated_at: now },
        ...preferenceColumns(preferences),
        ...limit,
      })
      .where('id', '=', known.id),
  );
  if (Object.keys(changed).length > 0)
    yield* noteHappening(store, known.id, { kind: 'updated', actor, details: changed }, now);
  if (isMoved)
    yield* noteHappening(
      store,
      known.id,
      { kind: 'status_changed', actor, details: { before: known.status, after: status } },
      now,
    );
  return next;
}

/** What was told before there was a limit was not counted, so a new limit begins anew. */
function limitAfter(
  { preferences: before }: Subscription,
  { maxNotifications }: Preferences,
  now: number,
): { readonly limited_at: number | null; readonly notified: number } | undefined {
  if ((before.maxNotifications === null) === (maxNotifications === null)) return undefined;
  return { limited_at: maxNotifications === null ? null : now, notified: 0 };
}

/** Before and after, of what is another. */
function differences(before: Subscription, after: Subscription): Record<string, unknown> {
  const seen = ({ name, locale, timezone, preferences }: Subscription): Record<string, unknown> => ({
    ...{ name, locale, timezone },
    ...preferences,
  });
  const [old, fresh] = [seen(before), seen(after)];
  return Object.fromEntries(
    Object.keys(fresh)
      .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(fresh[field]))
      .map((field) => [field, { before: old[field], after: fresh[field] }]),
  );
}

/** How many confirmations an address was asked for since an instant, of whatever topic. */
export function* countConfirmations(
  { db }: Store,
  { workspaceId, contact }: Pick<Subscription, 'workspaceId' | 'contact'>,
  since: number,
): Script<number> {
  const row = yield* askOne(
    db
      .selectFrom('subscriptions as s')
      .innerJoin('subscription_events as h', 'h.subscription_id', 's.id')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('s.workspace_id', '=', workspaceId)
      .where('s.contact', '=', contact)
      .where('h.kind', '=', 'confirmation_sent')
      .where('h.at', '>', since),
  );
  return row?.n ?? 0;
}
