import type { GateEntry } from '../store.js';
import { suppressed } from './claim.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

/**
 * The hand-over gate for a group of messages. The lock on the lease row decides, not the clock: a take-over or a
 * cancellation either came first and is seen here, or waits for this mark and sees it. Passing renews the lease.
 * Leases are locked in the order of their ids, as everywhere, so that groups cannot lock each other out. Their
 * contents are unpacked once (materialized): unpacked inside a join they cost the square of the group. The answer
 * is one row that names only who may not pass: nearly all may, and five hundred rows cost more than the mark.
 */
export const gateStatement = ({ schema, now, leaseMs }: StatementContext): Prepared => ({
  name: 'pillarbox_gate',
  text: `
with t as materialized (select ${now} as now),
asked as materialized (
  select * from json_to_recordset($1::json) as r(
    n int, lease bigint, id bigint, workspace_id int, channel_id int, recipient text, transactional int, expires_at bigint)),
locked as materialized (
  select id, ids, withdrawn from ${schema}.leases
  where id = any($2::bigint[]) and until > ${CLOCK} order by id for update),
ours as materialized (
  select locked.id as lease, held.id, held.id = any(locked.withdrawn) as withdrawn
  from locked cross join lateral unnest(locked.ids) as held(id)),
judged as materialized (
  select a.n, a.lease, a.id, case
    when o.id is null then 'lost'
    when o.withdrawn then 'cancelled'
    when ${suppressed(schema, 'a.workspace_id', 'a.recipient', 'a.transactional')} then 'suppressed'
    when a.expires_at <= t.now then 'expired'
    when c.paused_at is not null or c.blocked_until > t.now then 'paused' end as refusal
  from asked a cross join t
  left join ours o on o.lease = a.lease and o.id = a.id
  join ${schema}.channels c on c.id = a.channel_id),
marked as (
  update ${schema}.leases l set handed = l.handed || passing.ids, handed_at = (select now from t),
    until = ${CLOCK} + ${String(leaseMs)}
  from (select lease, array_agg(id) as ids from judged where refusal is null group by lease) passing
  where l.id = passing.lease)
select (select now from t) as handed_at,
  (select coalesce(json_agg(json_build_array(n, refusal)), '[]') from judged where refusal is not null) as refused`,
});

export const gateParameters = (entries: readonly GateEntry[]): [string, number[]] => [
  JSON.stringify(
    entries.map((entry, n) => ({
      n,
      lease: entry.lease,
      id: entry.id,
      workspace_id: entry.workspaceId,
      channel_id: entry.channelId,
      recipient: entry.recipient,
      transactional: entry.transactional ? 1 : 0,
      expires_at: entry.expiresAt ?? undefined,
    })),
  ),
  leasesOf(entries),
];

export const leasesOf = (entries: readonly { lease: number }[]): number[] => [
  ...new Set(entries.map((entry) => entry.lease)),
];
