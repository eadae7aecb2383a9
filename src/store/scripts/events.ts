import { asNumber } from '../as-number.js';
import { sql, type Selectable } from '../../vendor/kysely.js';
import { FINISHED_STATES, type FinishedState } from '../../core/lifecycle.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { EventsTable } from '../tables.js';
import { stepFanOut, type FanOutStep } from './fan-outs.js';
import { Question } from './question.js';
import { ACCEPTED } from './tallies.js';

/** So many are told in the publisher's own transaction: due when he has his answer. */
export const TOLD_AT_ONCE = 500;
/** That an event was published again is noted so often at most, however often that happens. */
const REPEAT_NOTED_MS = 1_000;

export interface NewEvent {
  readonly workspaceId: number;
  readonly type: string;
  readonly topic: string;
  readonly dedupeKey: string | null;
  readonly traceId: string | null;
  readonly templateId: string;
  readonly templateVersion: string | null;
  /** JSON. */
  readonly payload: string;
  readonly snapshot: string | null;
  readonly statusAfter: string | null;
  /** Null: now. */
  readonly eventAt: number | null;
  /** How long after that it is worth telling; null: for ever. */
  readonly lifeMs: number | null;
  /** What its messages have in common. */
  readonly channelId: number;
  readonly sender: string;
  readonly retryPolicy: string;
  readonly doubtPolicy: string;
  readonly publishedBy: string;
}

export type Published =
  | { readonly eventId: number; readonly duplicate: true }
  | { readonly eventId: number; readonly duplicate: false; readonly matched: number; readonly made: number };

/**
 * Stores an event, once a window of its key, and tells those who want to know: few at once, many in steps. Whoever has
 * the row of the key decides who is first, also at the window's edge and while another's transaction is open. The window
 * opens with the first event and does not slide.
 */
export function* publishEvent(
  store: Store,
  event: NewEvent,
  now: number,
  windowMs: number,
): Script<Published> {
  const { dedupeKey } = event;
  const first =
    dedupeKey === null ? undefined : yield* openWindow(store, event.workspaceId, dedupeKey, now, windowMs);
  if (first !== undefined) return { eventId: first, duplicate: true };
  const eventId = yield* insertEvent(store, event, now);
  if (dedupeKey !== null)
    yield* ask(
      store.db
        .updateTable('dedupe_windows')
        .set({ event_id: eventId })
        .where('workspace_id', '=', event.workspaceId)
        .where('dedupe_key', '=', dedupeKey),
    );
  const matched = yield* startFanOut(store, event, eventId);
  if (matched > TOLD_AT_ONCE) return { eventId, duplicate: false, matched, made: 0 };
  // One more than there are, so that the step sees the end of them.
  const step = yield* stepFanOut(store, eventId, TOLD_AT_ONCE + 1, now);
  return { eventId, duplicate: false, matched, made: step?.made ?? 0 };
}

/** Waits for nobody: an event that is in other hands, or was noted just now, is passed by. */
export function* noteRepeat({ db, dialect }: Store, eventId: number, now: number): Script<void> {
  const free = db
    .selectFrom('events')
    .select('id')
    .where('id', '=', eventId)
    .where((eb) => eb.or([eb('repeated_at', 'is', null), eb('repeated_at', '<=', now - REPEAT_NOTED_MS)]));
  const unlocked = dialect === 'postgres' ? free.forNoKeyUpdate().skipLocked() : free;
  yield* ask(db.updateTable('events').set({ repeated_at: now }).where('id', 'in', unlocked));
}

/** Undefined: it is open from now on, and ours. Otherwise the event that opened it. */
function* openWindow(
  { db }: Store,
  workspaceId: number,
  key: string,
  now: number,
  windowMs: number,
): Script<number | undefined> {
  const window = db
    .selectFrom('dedupe_windows')
    .select(['event_id', 'opened_at'])
    .where('workspace_id', '=', workspaceId)
    .where('dedupe_key', '=', key);
  const known = yield* askOne(window.where('opened_at', '>', now - windowMs));
  if (known) return asNumber(known.event_id);
  const ours = yield* askOne(
    db
      .insertInto('dedupe_windows')
      .values({ workspace_id: workspaceId, dedupe_key: key, opened_at: now, event_id: 0 })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'dedupe_key'])
          .doUpdateSet((eb) => ({ opened_at: eb.ref('excluded.opened_at'), event_id: 0 }))
          .where('dedupe_windows.opened_at', '<=', now - windowMs),
      )
      .returning('event_id'),
  );
  if (ours) return undefined;
  const first = yield* askOne(window);
  // Only a caller's transaction at REPEATABLE READ can be refused by a row that it is not allowed to see.
  if (!first)
    throw new Error(
      'the key was taken by a transaction that this one cannot see; try again in a new transaction',
    );
  return asNumber(first.event_id);
}

function* insertEvent({ db }: Store, event: NewEvent, now: number): Script<number> {
  const eventAt = event.eventAt ?? now;
  const row = yield* askOne(
    db
      .insertInto('events')
      .values({
        workspace_id: event.workspaceId,
        type: event.type,
        topic: event.topic,
        dedupe_key: event.dedupeKey,
        trace_id: event.traceId,
        template_id: event.templateId,
        template_version: event.templateVersion,
        payload: event.payload,
        snapshot: event.snapshot,
        status_after: event.statusAfter,
        event_at: eventAt,
        expires_at: event.lifeMs === null ? null : eventAt + event.lifeMs,
        created_at: now,
        published_by: event.publishedBy,
      })
      .returning('id'),
  );
  if (!row) throw new Error('an event was not stored');
  return asNumber(row.id);
}

/** Answers how many it matches. Who subscribes from here on is not among them. */
function* startFanOut(store: Store, event: NewEvent, eventId: number): Script<number> {
  const { db } = store;
  const { workspaceId, topic, channelId, sender, retryPolicy, doubtPolicy } = event;
  const counted = yield* askOne(
    db
      .selectFrom('subscriptions')
      .select((eb) => [eb.fn.countAll<number>().as('n'), eb.fn.max('id').as('last')])
      .where('workspace_id', '=', workspaceId)
      .where('topic', '=', topic)
      .where('status', '=', 'active'),
  );
  const matched = asNumber(counted?.n ?? 0);
  const last = asNumber(counted?.last ?? 0);
  yield* ask(
    db.insertInto('fan_outs').values({
      ...{ event_id: eventId, workspace_id: workspaceId, topic, matched, until_id: last },
      ...{ channel_id: channelId, sender, retry_policy: retryPolicy, doubt_policy: doubtPolicy },
      done: matched === 0 ? 1 : 0,
    }),
  );
  if (matched > TOLD_AT_ONCE) yield* takeTurns(store, workspaceId);
  return matched;
}

function* takeTurns({ db }: Store, workspaceId: number): Script<void> {
  yield* ask(
    db
      .insertInto('fan_out_turns')
      .values({ workspace_id: workspaceId })
      .onConflict((conflict) => conflict.column('workspace_id').doNothing()),
  );
}

/**
 * Nobody is told any more: the fan-out and the gate see it from the commit on. What waits is stopped, the first at once
 * and the rest in steps. Undefined: it is not there; false: it was cancelled before.
 */
export function* cancelEvent(
  store: Store,
  workspaceId: number,
  id: number,
  actor: string,
  now: number,
): Script<FanOutStep | false | undefined> {
  const { db } = store;
  const cancelled = yield* askOne(
    db
      .updateTable('events')
      .set({ cancelled_at: now, cancelled_by: actor })
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .where('cancelled_at', 'is', null)
      .returning('id'),
  );
  if (!cancelled) return (yield* readEvent(store, workspaceId, id)) ? false : undefined;
  yield* ask(db.updateTable('fan_outs').set({ done: 0, after_id: 0 }).where('event_id', '=', id));
  yield* takeTurns(store, workspaceId);
  return (yield* stepFanOut(store, id, TOLD_AT_ONCE, now)) ?? false;
}

/** A row of `events` as it is read. */
export type EventRow = Readonly<Selectable<EventsTable>>;

export interface StoredEvent extends EventRow {
  readonly matched: number | null;
  readonly seen: number | null;
  readonly made: number | null;
  readonly done: number | null;
  readonly skips: string | null;
}

const events = ({ db }: Store, workspaceId: number) =>
  db
    .selectFrom('events as e')
    .leftJoin('fan_outs as f', 'f.event_id', 'e.id')
    .selectAll('e')
    .select(['f.matched', 'f.seen', 'f.made', 'f.done', 'f.skips'])
    .where('e.workspace_id', '=', workspaceId);

export function* readEvent(store: Store, workspaceId: number, id: number): Script<StoredEvent | undefined> {
  return yield* askOne(events(store, workspaceId).where('e.id', '=', id));
}

export interface EventFilter {
  readonly topic?: string | undefined;
  readonly type?: string | undefined;
  /** One of this number, of this key, or whose topic or type begins like this. */
  readonly named?: { readonly id: number | undefined; readonly text: string } | undefined;
  /** Only those that are still being told, or whose cancellation is. */
  readonly unfinished?: boolean | undefined;
}

/** Newest first, below `before`. */
export function* listEvents(
  store: Store,
  workspaceId: number,
  { topic, type, named, unfinished }: EventFilter,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): Script<readonly StoredEvent[]> {
  let query = events(store, workspaceId).orderBy('e.id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('e.id', '<', before);
  if (topic !== undefined) query = query.where('e.topic', '=', topic);
  if (type !== undefined) query = query.where('e.type', '=', type);
  if (named !== undefined) {
    const { id, text } = named;
    const begins = `${text.replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    query = query.where((eb) =>
      id === undefined
        ? sql<boolean>`(${eb.ref('e.topic')} like ${begins} escape '\\' or ${eb.ref('e.type')} like ${begins} escape '\\'
            or ${eb.ref('e.dedupe_key')} = ${text})`
        : eb('e.id', '=', id),
    );
  }
  if (unfinished) query = query.where('f.done', '=', 0);
  return yield* ask(query);
}

/** Those that there are of these ids, of whatever workspace. */
export function* readEvents(store: Store, ids: readonly number[]): Script<ReadonlyMap<number, EventRow>> {
  if (ids.length === 0) return new Map();
  const rows = yield* ask(
    store.db
      .selectFrom('events')
      .selectAll()
      .where(among(store, sql.ref('id'), ids)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Of one event: how many messages it has, and how many of them have come to which end. */
export interface EventCounts {
  readonly accepted: number;
  readonly ended: readonly {
    readonly state: FinishedState;
    readonly reason: string;
    readonly count: number;
  }[];
}

/** Exact at the moment of asking. In one statement: a fold between two would count twice, or not at all. */
export function* readEventCounts(
  store: Store,
  ids: readonly number[],
): Script<ReadonlyMap<number, EventCounts>> {
  if (ids.length === 0) return new Map();
  const question = new Question(store);
  const listed = question.among('event_id', ids);
  const rows = yield* question.rows<{ id: number; state: string; reason: string; n: number }>(
    `select event_id as id, state, reason, ${store.dialect === 'postgres' ? 'sum(n)::bigint' : 'sum(n)'} as n from (
        select event_id, state, reason, n from ${store.at('event_counts')} where ${listed}
        union all
        select event_id, state, coalesce(reason, ''), n from ${store.at('tallies')} where ${listed}) counted
      group by event_id, state, reason order by state, reason`,
  );
  return new Map(
    ids.map((id) => {
      const own = rows.filter((row) => row.id === id);
      const ended = FINISHED_STATES.flatMap((state) =>
        own
          .filter((row) => row.state === state && row.n > 0)
          .map(({ reason, n }) => ({ state, reason, count: n })),
      );
      return [id, { accepted: own.find((row) => row.state === ACCEPTED)?.n ?? 0, ended }];
    }),
  );
}

const DAY_MS = 86_400_000;
/** A year, and the month beside it with which people compare. */
const HISTORY_MS = 400 * DAY_MS;

/**
 * Events that are told, and older than what is kept of messages: nobody renders anything of them again. Their numbers
 * stay in the messages, so nobody is told twice. One step behind `after`; answers where to go on, undefined: that was all.
 */
export function* forgetEvents(
  store: Store,
  workspaceId: number,
  after: number,
  { now, keepMs }: { readonly now: number; readonly keepMs: number },
  limit: number,
): Script<number | undefined> {
  const { db } = store;
  const old = yield* ask(
    db
      .selectFrom('events as e')
      .innerJoin('fan_outs as f', 'f.event_id', 'e.id')
      .select('e.id')
      .where('e.workspace_id', '=', workspaceId)
      .where('e.id', '>', after)
      .where('f.done', '=', 1)
      .where('e.created_at', '<', now - keepMs)
      .orderBy('e.id')
      .limit(limit),
  );
  const ids = old.map(({ id }) => id);
  const counts = yield* readEventCounts(store, ids);
  const gone = ids.filter((id) => isOver(counts.get(id)));
  for (const table of ['fan_outs', 'event_counts'] as const)
    yield* ask(db.deleteFrom(table).where(among(store, sql.ref('event_id'), gone)));
  yield* ask(db.deleteFrom('events').where(among(store, sql.ref('id'), gone)));
  return ids.length === limit ? ids.at(-1) : undefined;
}

/** What still waits, or died and may be tried again, needs its event. */
function isOver({ accepted, ended }: EventCounts = { accepted: 0, ended: [] }): boolean {
  const over = ended.filter(({ state }) => state !== 'dead' && state !== 'held');
  return over.reduce((sum, { count }) => sum + count, 0) >= accepted;
}

/** The oldest lines of the histories of subscriptions; they stand in the order of their time. True: there is more. */
export function* forgetHistories(store: Store, now: number, limit: number): Script<boolean> {
  const { db } = store;
  const oldest = yield* ask(
    db.selectFrom('subscription_events').select(['id', 'at']).orderBy('id').limit(limit),
  );
  const old = oldest.filter(({ at }) => at < now - HISTORY_MS).map(({ id }) => id);
  if (old.length === 0) return false;
  yield* ask(db.deleteFrom('subscription_events').where(among(store, sql.ref('id'), old)));
  return old.length === limit;
}
