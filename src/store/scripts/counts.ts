import { FINISHED_STATES, type FinishedState } from '../../core/lifecycle.js';
import { LANES, type Lane } from '../../core/message.js';
import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { ACCEPTED } from './fold.js';
import { Question } from './question.js';

/** What is counted of one lane. Exact, whatever the size of the tables, at the moment of asking. */
export interface LaneCounts {
  readonly lane: Lane;
  /** What waits or is in flight. */
  readonly pending: number;
  readonly finished: Readonly<Record<FinishedState, number>>;
}

/** All lanes, also those without messages. In one statement: a fold between two would count twice, or not at all. */
export function* readCounts(store: Store, workspaceId: number): Script<readonly LaneCounts[]> {
  const question = new Question(store);
  const workspace = question.bind(workspaceId);
  const rows = yield* question.rows<{ lane: Lane; state: string; n: number }>(
    `select lane, state, ${total(store)} as n from (
        select lane, state, n from ${store.at('counts')} where workspace_id = ${workspace}
        union all
        select coalesce(t.lane, c.lane, 'outbox'), t.state, t.n
        from ${store.at('tallies')} t left join ${store.at('channels')} c on c.id = t.channel_id
        where t.workspace_id = ${workspace}) counted
      group by lane, state`,
  );
  const countOf = (lane: Lane, state: string): number =>
    rows.find((row) => row.lane === lane && row.state === state)?.n ?? 0;
  return LANES.map((lane) => {
    const counted = FINISHED_STATES.map((state): [FinishedState, number] => [state, countOf(lane, state)]);
    const ended = counted.reduce((sum, [, n]) => sum + n, 0);
    return {
      lane,
      pending: Math.max(0, countOf(lane, ACCEPTED) - ended),
      finished: Object.fromEntries(counted) as Record<FinishedState, number>,
    };
  });
}

/** How many are dead of each cause. */
export function* readCauseCounts(store: Store, workspaceId: number): Script<ReadonlyMap<string, number>> {
  const question = new Question(store);
  const workspace = question.bind(workspaceId);
  const rows = yield* question.rows<{ fingerprint: string; n: number }>(
    `select fingerprint, ${total(store)} as n from (
        select fingerprint, n from ${store.at('counts')}
        where workspace_id = ${workspace} and state = 'dead' and fingerprint <> ''
        union all
        select fingerprint, n from ${store.at('tallies')}
        where workspace_id = ${workspace} and state = 'dead' and fingerprint is not null) counted
      group by fingerprint`,
  );
  return new Map(rows.filter(({ n }) => n > 0).map(({ fingerprint, n }) => [fingerprint, n]));
}

/** A sum of whole numbers is `numeric` on PostgreSQL, which would come as text. */
const total = ({ dialect }: Store): string => (dialect === 'postgres' ? 'sum(n)::bigint' : 'sum(n)');

/** What is in flight at this moment: at most a few batches, wherever it is sent from. */
export function* countSending(store: Store, workspaceId: number): Script<number> {
  const leased =
    store.dialect === 'postgres'
      ? `= any(array(select unnest(ids) from ${store.at('leases')}))`
      : 'in (select value from leases, json_each(leases.ids))';
  const question = new Question(store);
  const workspace = question.bind(workspaceId);
  const [row] = yield* question.rows<{ n: number }>(
    `select count(*) as n from ${store.at('messages')} where workspace_id = ${workspace} and id ${leased}`,
  );
  return row?.n ?? 0;
}

/** Counting further would cost more than anyone learns from it. */
export const MOST_COUNTED = 100_000;

/** Those that wait for another try, and those that are in the broker; each up to `MOST_COUNTED`. */
export function* countWaiting(
  store: Store,
  workspaceId: number,
): Script<{ retryScheduled: number; queued: number }> {
  const question = new Question(store);
  const workspace = question.bind(workspaceId);
  const upTo = (condition: string) =>
    `(select count(*) from (select 1 from ${store.at('due')}
      where workspace_id = ${workspace} and ${condition} limit ${String(MOST_COUNTED)}) some_of_them)`;
  const [row] = yield* question.rows<{ retried: number; queued: number }>(
    `select ${upTo('tried = 1 and queued_at is null')} as retried, ${upTo('queued_at is not null')} as queued`,
  );
  return { retryScheduled: row?.retried ?? 0, queued: row?.queued ?? 0 };
}
