import { asNumber } from '../as-number.js';
import { sql, type Selectable } from '../../vendor/kysely.js';
import { decide, type Occasion } from '../../core/preferences.js';
import { among } from '../among.js';
import type { Decisions, FanOut, PreferredRow, Stretch } from '../fan-out-row.js';
import * as postgres from '../postgres/fan-out.js';
import { ask, askOne, type Script } from '../script.js';
import * as sqlite from '../sqlite/fan-out.js';
import type { Store } from '../store.js';
import type { EventsTable, FanOutsTable } from '../tables.js';
import { finishWaiting } from './finish.js';
import { noteLeftOut, withoutMessage } from './left-out.js';
import { schemaOf } from './schema-of.js';

/** Why the messages of a cancelled event end. */
export const EVENT_CANCELLED = 'event_cancelled';
/** How many messages of a cancelled event are looked at in one step. */
const STOPPED_AT_ONCE = 2_000;

export interface FanOutStep {
  readonly eventId: number;
  readonly channelId: number;
  readonly seen: number;
  readonly made: number;
  readonly done: boolean;
}

type Row = Selectable<FanOutsTable> &
  Pick<Selectable<EventsTable>, 'status_after' | 'trace_id' | 'expires_at' | 'cancelled_at'>;

/** Whether there is anything to tell. Costs next to nothing. */
export function* hasFanOuts({ db }: Store): Script<boolean> {
  const open = yield* askOne(db.selectFrom('fan_outs').select('event_id').where('done', '=', 0).limit(1));
  return open !== undefined;
}

/**
 * One step of whichever event's turn it is: workspaces take turns, and the events of each. The row lock is the lease, and
 * the cursor commits with its rows: a crash leaves nothing to clean up. Undefined: there is nothing to do, or others do it.
 */
export function* stepNextFanOut(store: Store, size: number, now: number): Script<FanOutStep | undefined> {
  const { db } = store;
  const locking = store.dialect === 'postgres';
  const turn = yield* askOne(
    db
      .selectFrom('fan_out_turns as t')
      .select('t.workspace_id')
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('fan_outs as f')
            .select('f.event_id')
            .whereRef('f.workspace_id', '=', 't.workspace_id')
            .where('f.done', '=', 0),
        ),
      )
      .orderBy('t.turn')
      .orderBy('t.workspace_id')
      .limit(1)
      .$if(locking, (query) => query.forUpdate().skipLocked()),
  );
  if (!turn) return undefined;
  const workspaceId = turn.workspace_id;
  const next = yield* askOne(
    db
      .selectFrom('fan_outs')
      .select('event_id')
      .where('workspace_id', '=', workspaceId)
      .where('done', '=', 0)
      .orderBy('turn')
      .orderBy('event_id')
      .limit(1),
  );
  // Turns are numbers, not times: two in one millisecond are still two.
  yield* ask(
    db
      .updateTable('fan_out_turns')
      .set((eb) => ({
        turn: eb
          .selectFrom('fan_out_turns as all_turns')
          .select((select) =>
            select(select.fn.coalesce(select.fn.max('all_turns.turn'), select.lit(0)), '+', 1).as('next'),
          ),
      }))
      .where('workspace_id', '=', workspaceId),
  );
  return next && (yield* stepFanOut(store, next.event_id, size, now));
}

/** One step of this event. Undefined: it is told, or cancelled and everything of it stopped. */
export function* stepFanOut(
  store: Store,
  eventId: number,
  size: number,
  now: number,
): Script<FanOutStep | undefined> {
  const row = yield* askOne(
    store.db
      .selectFrom('fan_outs as f')
      .innerJoin('events as e', 'e.id', 'f.event_id')
      .selectAll('f')
      .select(['e.status_after', 'e.trace_id', 'e.expires_at', 'e.cancelled_at'])
      .where('f.event_id', '=', eventId)
      .where('f.done', '=', 0)
      .$if(store.dialect === 'postgres', (query) => query.forUpdate('f')),
  );
  if (!row) return undefined;
  const fanOut = toFanOut(row);
  return fanOut.cancelled ? yield* stopMessages(store, fanOut, now) : yield* tell(store, fanOut, size, now);
}

const toFanOut = (row: Row): FanOut => ({
  eventId: asNumber(row.event_id),
  workspaceId: row.workspace_id,
  topic: row.topic,
  afterId: asNumber(row.after_id),
  untilId: asNumber(row.until_id),
  skips: JSON.parse(row.skips) as Record<string, number>,
  channelId: row.channel_id,
  sender: row.sender,
  retryPolicy: row.retry_policy,
  doubtPolicy: row.doubt_policy,
  statusAfter: row.status_after,
  traceId: row.trace_id,
  expiresAt: row.expires_at === null ? null : asNumber(row.expires_at),
  cancelled: row.cancelled_at !== null,
});

function* tell(store: Store, fanOut: FanOut, size: number, now: number): Script<FanOutStep> {
  const { eventId, channelId } = fanOut;
  const stretch = yield* lookAhead(store, fanOut, size);
  const { count } = stretch;
  const done = count < size;
  const { decisions, leftOut } = judge(stretch.preferred, fanOut, now);
  const { made, refused } =
    count === 0 ? NOTHING : yield* makeMessages(store, fanOut, stretch, decisions, now);
  const skips = new Map([...leftOut].map(([reason, ids]) => [reason, ids.length]));
  if (refused > 0) {
    skips.set('max_notifications', (skips.get('max_notifications') ?? 0) + refused);
    const limited = decisions.told.filter((each) => each.limited).map(({ id }) => id);
    const without = yield* withoutMessage(store, eventId, limited);
    leftOut.set('max_notifications', [...(leftOut.get('max_notifications') ?? []), ...without]);
  }
  yield* noteLeftOut(store, fanOut, leftOut, now);
  yield* ask(
    store.db
      .updateTable('fan_outs')
      .set((eb) => ({
        after_id: stretch.lastId,
        done: done ? 1 : 0,
        turn: eb('turn', '+', 1),
        seen: eb('seen', '+', count),
        made: eb('made', '+', made),
        skips: JSON.stringify(added(fanOut.skips, skips)),
      }))
      .where('event_id', '=', eventId),
  );
  return { eventId, channelId, seen: count, made, done };
}

const NOTHING = { made: 0, refused: 0 };

const lookAhead = (store: Store, fanOut: FanOut, size: number): Script<Stretch> =>
  store.dialect === 'postgres'
    ? postgres.lookAhead(schemaOf(store), fanOut, size)
    : sqlite.lookAhead(fanOut, size);

const makeMessages = (store: Store, fanOut: FanOut, stretch: Stretch, decisions: Decisions, now: number) =>
  store.dialect === 'postgres'
    ? postgres.makeMessages(schemaOf(store), fanOut, stretch, decisions, now)
    : sqlite.makeMessages(fanOut, stretch, decisions, now);

/** Preferences are decided in code, the same for both databases. */
function judge(
  rows: readonly PreferredRow[],
  occasion: Occasion,
  now: number,
): { readonly decisions: Decisions; readonly leftOut: Map<string, number[]> } {
  const told: { id: number; dueAt: number; limited: boolean }[] = [];
  const skipped: number[] = [];
  const leftOut = new Map<string, number[]>();
  for (const [id, notifyOn, max, notified, start, end, timezone, snoozeUntil] of rows) {
    const decision = decide(
      {
        notifyOn: notifyOn === null ? null : (JSON.parse(notifyOn) as string[]),
        maxNotifications: max,
        notified,
        deliveryWindow: start === null || end === null ? null : { startMinutes: start, endMinutes: end },
        timezone,
        snoozeUntil,
      },
      occasion,
      now,
    );
    if ('skip' in decision) {
      skipped.push(id);
      leftOut.set(decision.skip, leftOut.get(decision.skip) ?? []);
      leftOut.get(decision.skip)?.push(id);
    } else told.push({ id, dueAt: decision.dueAt, limited: decision.limited });
  }
  return { decisions: { told, skipped }, leftOut };
}

const added = (
  known: Readonly<Record<string, number>>,
  more: ReadonlyMap<string, number>,
): Record<string, number> => {
  const sum = { ...known };
  for (const [reason, n] of more) sum[reason] = (sum[reason] ?? 0) + n;
  return sum;
};

/** Of a cancelled event: what waits is stopped, page by page. What is in a worker's hands is stopped by the gate. */
function* stopMessages(
  store: Store,
  { eventId, channelId, afterId }: FanOut,
  now: number,
): Script<FanOutStep> {
  const { db } = store;
  const page = yield* ask(
    db
      .selectFrom('messages')
      .select('id')
      .where('event_id', '=', eventId)
      .where('id', '>', afterId)
      .orderBy('id')
      .limit(STOPPED_AT_ONCE),
  );
  const ids = page.map(({ id }) => id);
  const waiting = yield* ask(
    db
      .selectFrom('due')
      .select('message_id as id')
      .where(among(store, sql.ref('message_id'), ids))
      .orderBy('message_id')
      .$if(store.dialect === 'postgres', (query) => query.forUpdate()),
  );
  const found = waiting.map(({ id }) => id);
  if (found.length > 0) {
    yield* ask(db.deleteFrom('due').where(among(store, sql.ref('message_id'), found)));
    yield* finishWaiting(store, found, 'cancelled', EVENT_CANCELLED, now);
  }
  const done = ids.length < STOPPED_AT_ONCE;
  yield* ask(
    db
      .updateTable('fan_outs')
      .set((eb) => ({ after_id: ids.at(-1) ?? afterId, done: done ? 1 : 0, turn: eb('turn', '+', 1) }))
      .where('event_id', '=', eventId),
  );
  return { eventId, channelId, seen: ids.length, made: 0, done };
}
