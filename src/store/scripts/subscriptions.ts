import { sql, type Selectable } from '../../vendor/kysely.js';
import type { Preferences } from '../../core/preferences.js';
import type { SubscriptionHappening, SubscriptionStatus } from '../../core/subscription.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { forbidding } from '../suppressed.js';
import type { SubscriptionsTable } from '../tables.js';

export interface Subscription {
  readonly id: number;
  readonly workspaceId: number;
  readonly topic: string;
  readonly contactType: string;
  /** In its canonical form; and as it was given, where that is another spelling. */
  readonly contact: string;
  readonly contactGiven: string | null;
  readonly name: string | null;
  readonly locale: string | null;
  readonly timezone: string | null;
  readonly status: SubscriptionStatus;
  readonly preferences: Preferences;
  /** How often of `maxNotifications`; of those without a limit nobody counts. */
  readonly notified: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type SubscriptionRow = Readonly<Selectable<SubscriptionsTable>>;

export const toSubscription = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  workspaceId: row.workspace_id,
  topic: row.topic,
  contactType: row.contact_type,
  contact: row.contact,
  contactGiven: row.contact_given,
  name: row.name,
  locale: row.locale,
  timezone: row.timezone,
  status: row.status,
  preferences: {
    notifyOn: row.notify_on === null ? null : (JSON.parse(row.notify_on) as string[]),
    maxNotifications: row.max_notifications,
    deliveryWindow:
      row.window_start === null || row.window_end === null
        ? null
        : { startMinutes: row.window_start, endMinutes: row.window_end },
    snoozeUntil: row.snooze_until,
  },
  notified: row.notified,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

interface Reading {
  /** Until the end of the transaction nobody else's. */
  readonly lock?: boolean;
}

export function* readSubscription(
  store: Store,
  workspaceId: number,
  id: number,
  { lock = false }: Reading = {},
): Script<Subscription | undefined> {
  const query = store.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId);
  const row = yield* askOne(lock && store.dialect === 'postgres' ? query.forUpdate() : query);
  return row && toSubscription(row);
}

/** Those that there are of these ids, of whatever workspace, in no order. */
export function* readSubscriptions(
  store: Store,
  ids: readonly number[],
): Script<ReadonlyMap<number, Subscription>> {
  if (ids.length === 0) return new Map();
  const rows = yield* ask(
    store.db
      .selectFrom('subscriptions')
      .selectAll()
      .where(among(store, sql.ref('id'), ids)),
  );
  return new Map(rows.map((row) => [row.id, toSubscription(row)]));
}

export interface SubscriptionKey {
  readonly topic: string;
  readonly contactType: string;
  /** In its canonical form. */
  readonly contact: string;
}

export function* findSubscription(
  store: Store,
  workspaceId: number,
  { topic, contactType, contact }: SubscriptionKey,
  { lock = false }: Reading = {},
): Script<Subscription | undefined> {
  const query = store.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('topic', '=', topic)
    .where('contact_type', '=', contactType)
    .where('contact', '=', contact);
  const row = yield* askOne(lock && store.dialect === 'postgres' ? query.forUpdate() : query);
  return row && toSubscription(row);
}

/** All topics of one address, in its canonical form, the oldest first; up to `limit`. */
export function* subscriptionsOf(
  store: Store,
  workspaceId: number,
  contact: string,
  limit: number,
): Script<readonly Subscription[]> {
  const rows = yield* ask(
    store.db
      .selectFrom('subscriptions')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('contact', '=', contact)
      .orderBy('id')
      .limit(limit),
  );
  return rows.map(toSubscription);
}

/** Of how many of the newest events of a workspace it is looked up what they tell. */
const EVENTS_LOOKED_AT = 500;

/** What the events of a topic have told of lately, by `payload.statusAfter`; up to `limit`. */
export function* statusesOf(
  { db }: Store,
  workspaceId: number,
  topic: string,
  limit: number,
): Script<readonly string[]> {
  const rows = yield* ask(
    db
      .selectFrom((eb) =>
        eb
          .selectFrom('events')
          .select(['topic', 'status_after'])
          .where('workspace_id', '=', workspaceId)
          .orderBy('id', 'desc')
          .limit(EVENTS_LOOKED_AT)
          .as('newest'),
      )
      .select('status_after')
      .distinct()
      .where('topic', '=', topic)
      .where('status_after', 'is not', null)
      .orderBy('status_after')
      .limit(limit),
  );
  return rows.flatMap(({ status_after }) => status_after ?? []);
}

/** The first of an address in each workspace that has some, in its canonical form; up to `limit`. */
export function* subscriptionsAnywhere(
  store: Store,
  contact: string,
  limit: number,
): Script<readonly Subscription[]> {
  const rows = yield* ask(
    store.db
      .selectFrom('workspaces as w')
      .innerJoin('subscriptions as s', (join) =>
        join
          .onRef('s.workspace_id', '=', 'w.id')
          .on('s.contact', '=', contact)
          .on('s.contact_type', '=', 'email'),
      )
      .selectAll('s')
      .orderBy('s.id')
      .limit(MOST_LOOKED_AT),
  );
  const first = new Map<number, SubscriptionRow>();
  for (const row of rows) if (!first.has(row.workspace_id)) first.set(row.workspace_id, row);
  return [...first.values()].slice(0, limit).map(toSubscription);
}

const MOST_LOOKED_AT = 2_000;

export interface SubscriptionFilter {
  readonly topic?: string | undefined;
  /** `snoozed`: told again after a time; `suppressed`: also by the list of addresses that nobody writes to. */
  readonly status?: SubscriptionStatus | 'snoozed' | undefined;
  /** The beginning of an address, in its canonical form. */
  readonly contactPrefix?: string | undefined;
}

/** Newest first, below `before`. */
export function* listSubscriptions(
  store: Store,
  workspaceId: number,
  { topic, status, contactPrefix }: SubscriptionFilter,
  {
    before,
    limit,
    now,
  }: { readonly before?: number | undefined; readonly limit: number; readonly now: number },
): Script<readonly Subscription[]> {
  let query = store.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  if (topic !== undefined) query = query.where('topic', '=', topic);
  if (status === 'snoozed') query = query.where('status', '=', 'active').where('snooze_until', '>', now);
  else if (status === 'suppressed') query = query.where(sql<boolean>`(${sql.raw(suppressedIn(store))})`);
  else if (status !== undefined) query = query.where('status', '=', status);
  if (contactPrefix !== undefined && contactPrefix !== '')
    query = query.where('contact', '>=', contactPrefix).where('contact', '<', `${contactPrefix}\u{10ffff}`);
  return (yield* ask(query)).map(toSubscription);
}

/** As `subscriptionState` says it. */
const suppressedIn = ({ at }: Store): string => `status = 'suppressed'
  or (status in ('active', 'paused') and contact_type = 'email' and exists (select 1 from ${at('suppressions')} s
    where s.workspace_id = ${at('subscriptions')}.workspace_id and s.address = ${at('subscriptions')}.contact
      and ${forbidding("'notification'", '0')}))`;

export interface Happening {
  readonly kind: SubscriptionHappening;
  /** Who did it; null: the engine. */
  readonly actor: string | null;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly messageId?: number | undefined;
}

export function* noteHappening(
  { db }: Store,
  subscriptionId: number,
  { kind, actor, details, messageId }: Happening,
  now: number,
): Script<void> {
  yield* ask(
    db.insertInto('subscription_events').values({
      subscription_id: subscriptionId,
      at: now,
      kind,
      actor,
      message_id: messageId ?? null,
      event_id: null,
      details: details === undefined ? null : JSON.stringify(details),
    }),
  );
}

/**
 * Another status, with its line in the history. Answers what it is now; undefined: there is none. One that has the
 * status already is left as it is. From the commit on the gate obeys it.
 */
export function* changeSubscriptionStatus(
  store: Store,
  workspaceId: number,
  id: number,
  status: SubscriptionStatus,
  { actor, now }: { readonly actor: string | null; readonly now: number },
): Script<Subscription | undefined> {
  const known = yield* readSubscription(store, workspaceId, id, { lock: true });
  if (!known || known.status === status) return known;
  yield* ask(store.db.updateTable('subscriptions').set({ status, updated_at: now }).where('id', '=', id));
  yield* noteHappening(
    store,
    id,
    { kind: 'status_changed', actor, details: { before: known.status, after: status } },
    now,
  );
  return { ...known, status, updatedAt: now };
}

export interface HistoryEntry {
  readonly id: number;
  readonly at: number;
  readonly kind: string;
  readonly actor: string | null;
  readonly eventId: number | null;
  readonly messageId: number | null;
  readonly details: Readonly<Record<string, unknown>> | null;
  /** How often in a row, and since when; `at` is the last of them. */
  readonly times: number;
  readonly since: number;
}

/** Newest first, below `before`. */
export function* subscriptionHistory(
  { db }: Store,
  subscriptionId: number,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Script<readonly HistoryEntry[]> {
  let query = db
    .selectFrom('subscription_events')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return (yield* ask(query)).map((row) => ({
    id: row.id,
    at: row.last_at ?? row.at,
    since: row.at,
    times: row.times ?? 1,
    kind: row.kind,
    actor: row.actor,
    eventId: row.event_id,
    messageId: row.message_id,
    details: row.details === null ? null : (JSON.parse(row.details) as Record<string, unknown>),
  }));
}
