import type { FinishedState } from '../../core/lifecycle.js';
import { ask, askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';

const MINUTE_MS = 60_000;
export const minuteOf = (instant: number): number => Math.floor(instant / MINUTE_MS);

/** These messages have come into a state; with -1: have left it. In the transaction of the move itself. */
export function* tally(
  { db }: Store,
  ids: readonly number[],
  state: FinishedState,
  now: number,
  sign: 1 | -1 = 1,
): Script<void> {
  yield* ask(
    db
      .insertInto('tallies')
      .columns(['minute', 'workspace_id', 'channel_id', 'state', 'n'])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select((select) => [
            select.cast<number>(select.val(minuteOf(now)), 'bigint').as('minute'),
            'workspace_id',
            'channel_id',
            select.cast<string>(select.val(state), 'text').as('state'),
            select(select.fn.countAll<number>(), '*', select.lit(sign)).as('n'),
          ])
          .where('id', 'in', ids)
          .groupBy(['workspace_id', 'channel_id']),
      ),
  );
}

/** These messages are about to leave the finished state that they are in. Their rows are locked already. */
export function* tallyLeaving({ db }: Store, ids: readonly number[], now: number): Script<void> {
  yield* ask(
    db
      .insertInto('tallies')
      .columns(['minute', 'workspace_id', 'channel_id', 'state', 'fingerprint', 'n'])
      .expression((eb) =>
        eb
          .selectFrom('outcomes as o')
          .innerJoin('messages as m', 'm.id', 'o.message_id')
          .select((select) => [
            select.cast<number>(select.val(minuteOf(now)), 'bigint').as('minute'),
            'o.workspace_id',
            'm.channel_id',
            'o.state',
            'o.fingerprint',
            select(select.fn.countAll<number>(), '*', select.lit(-1)).as('n'),
          ])
          .where('o.message_id', 'in', ids)
          .groupBy(['o.workspace_id', 'm.channel_id', 'o.state', 'o.fingerprint']),
      ),
  );
}

export interface Tally {
  readonly minute: number;
  readonly workspaceId: number;
  readonly channelId: number;
  readonly state: string;
  readonly fingerprint: string | null;
  /** How many more there are now. */
  readonly change: number;
  /** How often it happened. */
  readonly happened: number;
}

const SUMS = `minute, workspace_id as "workspaceId", channel_id as "channelId", state, fingerprint, sum(n) as change,
  sum(case when n > 0 then n else 0 end) as happened`;
const GROUPS = 'group by minute, workspace_id, channel_id, state, fingerprint';

/** Takes the tallies of past minutes away and answers their sums. What comes late is there the next time. */
export function* takeTallies(store: Store, minute: number): Script<readonly Tally[]> {
  const tallies = store.at('tallies');
  if (store.dialect === 'postgres') {
    return yield* askCompiled<Tally>({
      sql: `with gone as (delete from ${tallies} where minute < $1 returning *) select ${SUMS} from gone ${GROUPS}`,
      parameters: [minute],
    });
  }
  // The transaction holds the only write lock: nothing can come between the two.
  const sums = yield* askCompiled<Tally>({
    sql: `select ${SUMS} from ${tallies} where minute < ? ${GROUPS}`,
    parameters: [minute],
  });
  if (sums.length > 0)
    yield* askCompiled({ sql: `delete from ${tallies} where minute < ?`, parameters: [minute] });
  return sums;
}
