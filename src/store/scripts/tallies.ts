import type { FinishedState } from '../../core/lifecycle.js';
import type { Lane } from '../../core/message.js';
import { sql, type RawBuilder } from '../../vendor/kysely.js';
import { among } from '../among.js';
import { ask, askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import { noteNotified } from './notified.js';
import { reasonCounted } from './reason-counted.js';

const MINUTE_MS = 60_000;
/** All that was accepted, beside the finished states: what waits or is in flight is the difference. */
export const ACCEPTED = 'accepted';

export const minuteOf = (instant: number): number => Math.floor(instant / MINUTE_MS);

/** These messages have come into a state; with -1: have left it. In the transaction of the move itself. */
export function* tally(
  store: Store,
  ids: readonly number[],
  state: FinishedState,
  now: number,
  sign: 1 | -1 = 1,
): Script<void> {
  const counted = yield* ask(
    store.db
      .insertInto('tallies')
      .columns(['minute', 'workspace_id', 'channel_id', 'lane', 'state', 'event_id', 'reason', 'n'])
      .expression((eb) =>
        eb
          .selectFrom('messages as m')
          .leftJoin('outcomes as o', 'o.message_id', 'm.id')
          .select((select) => [
            select.cast<number>(select.val(minuteOf(now)), 'bigint').as('minute'),
            'm.workspace_id',
            'm.channel_id',
            'm.lane',
            select.cast<string>(select.val(state), 'text').as('state'),
            'm.event_id',
            reasonOf(`'${state}'`).as('reason'),
            select(select.fn.countAll<number>(), '*', select.lit(sign)).as('n'),
          ])
          .where((eb) => among(store, eb.ref('m.id'), ids))
          .groupBy(['m.workspace_id', 'm.channel_id', 'm.lane', 'm.event_id'])
          .groupBy(reasonOf(`'${state}'`)),
      )
      .returning('event_id'),
  );
  if (counted.some(({ event_id }) => event_id !== null)) yield* noteNotified(store, ids, state, now, sign);
}

/** These messages are about to leave the finished state that they are in. Their rows are locked already. */
export function* tallyLeaving(store: Store, ids: readonly number[], now: number): Script<void> {
  const counted = yield* ask(
    store.db
      .insertInto('tallies')
      .columns([
        'minute',
        'workspace_id',
        'channel_id',
        'lane',
        'state',
        'fingerprint',
        'event_id',
        'reason',
        'n',
      ])
      .expression((eb) =>
        eb
          .selectFrom('outcomes as o')
          .innerJoin('messages as m', 'm.id', 'o.message_id')
          .select((select) => [
            select.cast<number>(select.val(minuteOf(now)), 'bigint').as('minute'),
            'o.workspace_id',
            'm.channel_id',
            'm.lane',
            'o.state',
            'o.fingerprint',
            'm.event_id',
            reasonOf('o.state').as('reason'),
            select(select.fn.countAll<number>(), '*', select.lit(-1)).as('n'),
          ])
          .where((eb) => among(store, eb.ref('o.message_id'), ids))
          .groupBy(['o.workspace_id', 'm.channel_id', 'm.lane', 'o.state', 'o.fingerprint', 'm.event_id'])
          .groupBy(reasonOf('o.state')),
      )
      .returning(['event_id', 'state']),
  );
  const states = new Set(counted.filter(({ event_id }) => event_id !== null).map(({ state }) => state));
  for (const state of states) yield* noteNotified(store, ids, state as FinishedState, now, -1);
}

const reasonOf = (state: string): RawBuilder<string | null> =>
  sql<string | null>`${sql.raw(reasonCounted(state))}`;

/** These messages are about to be removed altogether: they no longer count among all that was accepted. */
export function* tallyRemoved(store: Store, ids: readonly number[], now: number): Script<void> {
  yield* ask(
    store.db
      .insertInto('tallies')
      .columns(['minute', 'workspace_id', 'channel_id', 'lane', 'state', 'n'])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select((select) => [
            select.cast<number>(select.val(minuteOf(now)), 'bigint').as('minute'),
            'workspace_id',
            'channel_id',
            'lane',
            select.cast<string>(select.val(ACCEPTED), 'text').as('state'),
            select(select.fn.countAll<number>(), '*', select.lit(-1)).as('n'),
          ])
          .where(among(store, sql.ref('id'), ids))
          .groupBy(['workspace_id', 'channel_id', 'lane']),
      ),
  );
}

export interface TallySum {
  readonly minute: number;
  readonly workspaceId: number;
  readonly channelId: number;
  /** Null: its channel's. */
  readonly lane: Lane | null;
  readonly state: string;
  readonly fingerprint: string | null;
  readonly eventId: number | null;
  readonly reason: string | null;
  /** How many more there are now. */
  readonly change: number;
  /** How often it happened. */
  readonly happened: number;
  /** How many rows were summed. */
  readonly rows: number;
}

const SUMS = `minute, workspace_id as "workspaceId", channel_id as "channelId", lane, state, fingerprint,
  event_id as "eventId", reason, sum(n) as change,
  sum(case when n > 0 then n else 0 end) as happened, count(*) as rows`;
const GROUPS = 'group by minute, workspace_id, channel_id, lane, state, fingerprint, event_id, reason';

/**
 * Takes up to so many tallies of past minutes away and answers their sums. What comes late, and what somebody else is
 * taking, is there the next time.
 */
export function* takeTallies(store: Store, minute: number, limit: number): Script<readonly TallySum[]> {
  const tallies = store.at('tallies');
  if (store.dialect === 'postgres') {
    return yield* askCompiled<TallySum>({
      sql: `with some_of_them as materialized (
          select ctid from ${tallies} where minute < $1 limit $2 for update skip locked),
        gone as (delete from ${tallies} where ctid = any(array(select ctid from some_of_them)) returning *)
        select ${SUMS} from gone ${GROUPS}`,
      parameters: [minute, limit],
    });
  }
  // The transaction holds the only write lock: nothing can come between the two.
  const parameters = [minute, limit];
  const sums = yield* askCompiled<TallySum>({
    sql: `select ${SUMS} from (select * from ${tallies} where minute < ? order by rowid limit ?) some_of_them ${GROUPS}`,
    parameters,
  });
  if (sums.length > 0)
    yield* askCompiled({
      sql: `delete from ${tallies} where rowid in (select rowid from ${tallies} where minute < ? order by rowid limit ?)`,
      parameters,
    });
  return sums;
}
