import { finalState } from '../../core/lifecycle.js';
import { COPIED_INTO_DUE } from '../message-columns.js';
import { ANNOUNCED, LOSSES_BEFORE_ALONE, WITHDRAWN, type SettleEntry } from '../store.js';
import { leasesOf } from './gate.js';
import type { Prepared, StatementContext } from './time.js';

/**
 * Writes results of any part of any lease, mixed, and answers which of them came too late. Only what a lease still holds is settled, and it leaves the
 * lease in the same step: a second settle of the same message, or one that comes after a take-over, finds
 * nothing. What was withdrawn while it was in flight and now goes back is cancelled instead: a cancellation that
 * was answered "yes" never leaves.
 */
export const settleStatement = (context: StatementContext): Prepared => ({
  name: 'pillarbox_settle',
  text: settleText(context, UNGUARDED_SETTLE),
});

/** What a kind of settlement knows and writes besides. */
export interface SettleParts {
  /** Columns of the results. */
  readonly given: string;
  /** Of a result, where its channel does not say it. */
  readonly lane: string;
  /** What it must know of `ours` before it writes. */
  readonly looks: string;
  /** In which line what goes back stands, unless it must be alone: of a result `o` and its message `m`. */
  readonly line: string;
  /** Written from `ours`. */
  readonly steps: string;
  /** What it is counted by, beside what all are. */
  readonly counted?: { readonly columns: string; readonly values: string; readonly groups: string };
}

/** Of mail that leaves as soon as it is due. */
export const UNGUARDED_SETTLE: SettleParts = { given: '', lane: 'null', looks: '', line: '0', steps: '' };

export const settleText = (
  { schema, now }: StatementContext,
  { given, lane, looks, line, steps, counted }: SettleParts,
): string => `
with t as materialized (select ${now} as now),
results as materialized (
  select * from json_to_recordset($1::json) as r(
    n int, lease bigint, id bigint, workspace_id int, channel_id int, state text, outcome text,
    attempts int, wait_ms bigint, started_at bigint, handed_at bigint, class text, code text, error text,
    provider_id text, thread_id text, worker text, reason text, fingerprint text, lost int, alone int, deferred int,
    transport text${given})),
locked as materialized (
  select id, ids, withdrawn, claimed_at, inline, coalesce(prior_id, id) as first_lease from ${schema}.leases
  where id = any($2::bigint[]) order by id for update),
leased as materialized (
  select l.id as lease, h.id, l.claimed_at, l.inline, l.first_lease, h.id = any(l.withdrawn) as withdrawn
  from locked l cross join lateral unnest(l.ids) as h(id)),
ours as materialized (
  select r.*, h.claimed_at, h.inline, h.first_lease,
    case when r.state is null and h.withdrawn then 'cancelled' else r.state end as final,
    case when r.state is null and h.withdrawn then '${WITHDRAWN}' else r.reason end as why
  from leased h join results r on r.lease = h.lease and r.id = h.id),${looks}
kept as materialized (
  select l.id, array(select unnest(l.ids) except select r.id from results r where r.lease = l.id) as ids from locked l),
emptied as (delete from ${schema}.leases l using kept k where l.id = k.id and cardinality(k.ids) = 0),
shrunk as (update ${schema}.leases l set ids = k.ids from kept k where l.id = k.id and cardinality(k.ids) > 0),
tried as (
  insert into ${schema}.attempts (message_id, lease_id, channel_id, claimed_at, started_at, handed_at, finished_at,
    outcome, error_class, error_code, error, provider_message_id, worker, inline)
  select id, first_lease, channel_id, claimed_at, started_at, handed_at, t.now, outcome, class, code, error, provider_id, worker, inline
  from ours cross join t where outcome is not null),
updated as (
  update ${schema}.messages m set
    attempts = o.attempts,
    doubts = m.doubts + case when o.outcome = 'in_doubt' then 1 else 0 end,
    lease_losses = m.lease_losses + coalesce(o.lost, 0),
    lone_losses = m.lone_losses + coalesce(o.lost * o.alone, 0),
    dated_at = case when o.outcome is null then m.dated_at else coalesce(m.dated_at, o.claimed_at) end,
    error_class = coalesce(o.class, m.error_class), error_code = coalesce(o.code, m.error_code),
    error = coalesce(o.error, m.error), thread_id = coalesce(o.thread_id, m.thread_id)
  from ours o
  where m.id = o.id and (o.lost = 1 or o.thread_id is not null or (o.outcome is not null and o.outcome <> 'success'))),
back as (
  insert into ${schema}.due (message_id, due_at, tried, alone, ${COPIED_INTO_DUE.join(', ')})
  select o.id, coalesce(t.now + o.wait_ms, m.scheduled_for),
    case when o.deferred = 1 or o.attempts > 0 then 1 else 0 end,
    case when m.lease_losses + coalesce(o.lost, 0) >= ${String(LOSSES_BEFORE_ALONE)} and ${line} <> 3 then 1
      else ${line} end,
    ${COPIED_INTO_DUE.map((name) => `m.${name}`).join(', ')}
  from ours o join ${schema}.messages m on m.id = o.id cross join t where o.final is null),
done as (
  insert into ${schema}.outcomes (message_id, workspace_id, state, attempts, finished_at, reason, lease_id, fingerprint)
  select id, workspace_id, final, attempts, t.now, why, first_lease, fingerprint from ours cross join t where final is not null),
caused as (
  insert into ${schema}.dead_causes (workspace_id, fingerprint, transport, class, code, sample)
  select distinct on (workspace_id, fingerprint) workspace_id, fingerprint, transport, class, code, error
  from ours where transport is not null order by workspace_id, fingerprint
  on conflict (workspace_id, fingerprint) do nothing),
announced as (
  insert into ${schema}.announcements (message_id, dead_reason, error_class, error_code, error, died_at)
  select id, why, class, code, error, t.now from ours cross join t
  where final = 'dead' and exists (select 1 from ${schema}.facts where name = '${ANNOUNCED}')),
tallied as (
  insert into ${schema}.tallies (minute, workspace_id, channel_id, lane, state, fingerprint, n${counted?.columns ?? ''})
  select (select now from t) / 60000, workspace_id, channel_id, ${lane}, coalesce(final, outcome), fingerprint, count(*)${counted?.values ?? ''}
  from ours where coalesce(final, outcome) is not null group by 2, 3, 4, 5, 6${counted?.groups ?? ''})${steps}
select n from results except select n from ours`;

export const settleParameters = (entries: readonly SettleEntry[]): [string, number[]] => [
  JSON.stringify(entries.map(toResult)),
  leasesOf(entries),
];

export function toResult(entry: SettleEntry, n: number): Record<string, unknown> {
  const { attempt, lastError } = entry;
  return {
    n,
    lease: entry.lease,
    id: entry.id,
    workspace_id: entry.workspaceId,
    channel_id: entry.channelId,
    state: finalState(entry.event),
    attempts: entry.attempts,
    wait_ms: entry.waitMs,
    reason: entry.reason,
    fingerprint: entry.fingerprint,
    transport: entry.transport,
    lost: entry.lost ? 1 : undefined,
    alone: entry.alone ? 1 : undefined,
    deferred: entry.event === 'deferred' ? 1 : undefined,
    outcome: attempt?.outcome,
    started_at: attempt?.startedAt ?? undefined,
    handed_at: attempt?.handedAt ?? undefined,
    class: attempt?.errorClass ?? lastError?.class,
    code: attempt?.errorCode ?? lastError?.code,
    error: attempt?.error ?? lastError?.message,
    provider_id: attempt?.providerMessageId,
    thread_id: attempt?.threadId,
    worker: attempt?.worker,
  };
}
