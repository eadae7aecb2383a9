import { ALL_STATES, FINISHED_STATES, type State } from '../../core/lifecycle.js';
import { LANES, type Lane } from '../../core/message.js';
import { ask, askCompiled, type Script } from '../script.js';
import type { Store } from '../store.js';
import { readAnnouncements } from './announcements.js';
import { countSending, countWaiting, readCounts } from './counts.js';
import { ACCEPTED } from './fold.js';
import { readWorkers } from './workers.js';

/** What is in the queue at this moment, of all workspaces: for machines that watch. */
export interface QueueFigures {
  readonly messages: readonly { readonly state: State; readonly lane: Lane; readonly n: number }[];
  readonly due: number;
  readonly dueRetries: number;
  /** Those that are alive. */
  readonly workers: number;
  readonly relays: number;
  /** Dead letters that a broker is to be told of. */
  readonly announcements: number;
}

/** Counting one by one stops here: a huge queue costs no more to look at than a large one. */
const COUNTED = 50_000;

type ByLane = Partial<Record<Lane, number>>;

export function* queueFigures(store: Store, now: number): Script<QueueFigures> {
  const counts = yield* countsByLane(store);
  const sending = yield* sendingByLane(store);
  const { retried, queued } = yield* waitingByLane(store);
  const due = yield* dueByTried(store, now);
  const { alive: workers, relays } = yield* readWorkers(store);
  const { waiting: announcements } = yield* readAnnouncements(store);
  const countOf = (state: State, lane: Lane): number => {
    const finished = (which: string) => counts.get(`${which} ${lane}`) ?? 0;
    if (state === 'sending') return sending[lane] ?? 0;
    if (state === 'retry_scheduled') return retried[lane] ?? 0;
    if (state === 'queued') return queued[lane] ?? 0;
    if (state !== 'scheduled') return finished(state);
    const ended = FINISHED_STATES.reduce((sum, each) => sum + finished(each), 0);
    const elsewhere = (sending[lane] ?? 0) + (retried[lane] ?? 0) + (queued[lane] ?? 0);
    return Math.max(0, finished(ACCEPTED) - ended - elsewhere);
  };
  return {
    messages: ALL_STATES.flatMap((state) => LANES.map((lane) => ({ state, lane, n: countOf(state, lane) }))),
    due: due.reduce((sum, { n }) => sum + n, 0),
    dueRetries: due.find(({ tried }) => tried === 1)?.n ?? 0,
    workers,
    relays,
    announcements,
  };
}

/** In one statement: a fold between two would count twice, or not at all. */
function* countsByLane({ dialect, at }: Store): Script<ReadonlyMap<string, number>> {
  const rows = yield* askCompiled<{ lane: Lane; state: string; n: number }>({
    sql: `select lane, state, ${dialect === 'postgres' ? 'sum(n)::bigint' : 'sum(n)'} as n from (
        select lane, state, n from ${at('counts')}
        union all
        select coalesce(t.lane, c.lane, 'outbox'), t.state, t.n
        from ${at('tallies')} t left join ${at('channels')} c on c.id = t.channel_id) counted
      group by lane, state`,
    parameters: [],
  });
  return new Map(rows.map(({ lane, state, n }) => [`${state} ${lane}`, n]));
}

/** At most a few batches a worker. */
function* sendingByLane({ dialect, at }: Store): Script<ByLane> {
  const leased =
    dialect === 'postgres'
      ? `${at('leases')} l cross join lateral unnest(l.ids) as leased(id)`
      : '(select value as id from leases l, json_each(l.ids)) leased';
  const rows = yield* askCompiled<{ lane: Lane; n: number }>({
    sql: `select m.lane, count(*) as n from ${leased} join ${at('messages')} m on m.id = leased.id group by m.lane`,
    parameters: [],
  });
  return Object.fromEntries(rows.map(({ lane, n }) => [lane, n]));
}

/** By workspace, because that is what the indexes begin with. */
function* waitingByLane({ db }: Store): Script<{ readonly retried: ByLane; readonly queued: ByLane }> {
  const waiting = db
    .selectFrom('workspaces as w')
    .innerJoin('due as d', 'd.workspace_id', 'w.id')
    .select('d.channel_id')
    .limit(COUNTED);
  const byLane = (some: typeof waiting) =>
    db
      .selectFrom(some.as('x'))
      .innerJoin('channels as c', 'c.id', 'x.channel_id')
      .select((eb) => ['c.lane', eb.fn.countAll<number>().as('n')])
      .groupBy('c.lane');
  const retried = yield* ask(byLane(waiting.where('d.tried', '=', 1).where('d.queued_at', 'is', null)));
  const queued = yield* ask(byLane(waiting.where('d.queued_at', 'is not', null)));
  const asRecord = (rows: typeof retried): ByLane => Object.fromEntries(rows.map(({ lane, n }) => [lane, n]));
  return { retried: asRecord(retried), queued: asRecord(queued) };
}

function* dueByTried({ db }: Store, now: number): Script<readonly { tried: number; n: number }[]> {
  return yield* ask(
    db
      .selectFrom(
        db
          .selectFrom('channels as c')
          .innerJoin('due as d', 'd.channel_id', 'c.id')
          .select('d.tried')
          .where('d.alone', 'in', [0, 1])
          .where('d.due_at', '<=', now)
          .limit(COUNTED)
          .as('x'),
      )
      .select((eb) => ['x.tried', eb.fn.countAll<number>().as('n')])
      .groupBy('x.tried'),
  );
}

export type WorkspaceFigures = Readonly<Record<State, number>>;

/** How many messages of one workspace are in each state. */
export function* workspaceFigures(store: Store, workspaceId: number): Script<WorkspaceFigures> {
  const counts = yield* readCounts(store, workspaceId);
  const sending = yield* countSending(store, workspaceId);
  const { retryScheduled, queued } = yield* countWaiting(store, workspaceId);
  const pending = counts.reduce((sum, lane) => sum + lane.pending, 0);
  const finished = FINISHED_STATES.map((state): [State, number] => [
    state,
    counts.reduce((sum, lane) => sum + lane.finished[state], 0),
  ]);
  return {
    scheduled: Math.max(0, pending - sending - retryScheduled - queued),
    retry_scheduled: retryScheduled,
    queued,
    sending,
    ...Object.fromEntries(finished),
  } as WorkspaceFigures;
}
