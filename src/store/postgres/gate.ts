import { canonicalAddress } from '../../core/address.js';
import type { GateAnswer, GateEntry, GateRefusal } from '../store.js';
import { forbidding } from '../suppressed.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

/** What a statement sees may be so old when it marks: two that meet within this are at the same time. */
const SAME_TIME = "interval '10 ms'";

/**
 * The hand-over gate for a group of messages. The lock on the lease row decides, not the clock: a take-over or a
 * cancellation either came first and is seen here, or waits for this mark and sees it. A statement sees everything
 * else as it was when it began, so if it had to wait for that lock, it looks at suppressions and channels through
 * functions that see what is there when they are called (`…_now`; they are told how many leases are locked, so that
 * they can't be called before): a pause that was answered meanwhile holds. Passing renews the lease. Leases are locked
 * in the order of their ids, as everywhere, so that groups cannot lock each other out. Their contents are unpacked
 * once (materialized): unpacked inside a join they cost the square of the group. The answer is one row that names only
 * who may not pass: nearly all may, and five hundred rows cost more than the mark.
 */
export const gateStatement = (context: StatementContext): Prepared => ({
  name: 'pillarbox_gate',
  text: gateText(context, UNGUARDED_GATE),
});

/** What a kind of gate adds to what all of them ask. */
export interface GateParts {
  /** Columns of what is asked. A column that is not there costs every message as much as one that is. */
  readonly given: string;
  /** Rows to lock behind the leases. */
  readonly locks: string;
  /** The last of the locks: time is read, and everything looked at, when it is held. */
  readonly lockedLast: string;
  /** What it looks at when all is locked. */
  readonly looks?: string;
  readonly joins: string;
  /** The last refusals, in words of `GateRefusal`. */
  readonly shut: string;
  readonly until: string;
}

/** Of mail that leaves as soon as it is due. */
export const UNGUARDED_GATE: GateParts = {
  given: '',
  locks: '',
  lockedLast: 'locked',
  joins: '',
  shut: `when c.id is null or c.paused_at is not null or c.blocked_until > t.now then 'paused'`,
  until: 'case when c.paused_at is null then c.blocked_until end',
};

export const gateText = (
  { schema, now, leaseMs }: StatementContext,
  { given, locks, lockedLast, looks = '', joins, shut, until }: GateParts,
): string => `
with asked as materialized (
  select * from json_to_recordset($1::json) as r(
    n int, lease bigint, id bigint, workspace_id int, channel_id int, lane text, recipient text, copies text[],
    transactional int, expires_at bigint${given})),
locked as materialized (
  select id, ids, withdrawn from ${schema}.leases
  where id = any($2::bigint[]) and until > ${CLOCK} order by id for update),${locks}
t as materialized (select ${now} as now from (select count(*) from ${lockedLast}) held),
ours as materialized (
  select locked.id as lease, leased.id, leased.id = any(locked.withdrawn) as withdrawn
  from locked cross join lateral unnest(locked.ids) as leased(id)),
named as materialized (
  select workspace_id, recipient as address from asked
  union all select workspace_id, unnest(copies) from asked where copies is not null),
waited as materialized (
  select count(*) as locked, clock_timestamp() > statement_timestamp() + ${SAME_TIME} as so from ${lockedLast}),
listed as materialized (
  select * from ${schema}.suppressions
  where not (select so from waited) and (workspace_id, address) in (select workspace_id, address from named)
  union all
  select * from ${schema}.suppressions_now(
    (select array_agg(workspace_id) from named), (select array_agg(address) from named),
    (select locked from waited))
  where (select so from waited)),
channels as materialized (
  select id, paused_at, blocked_until from ${schema}.channels
  where not (select so from waited) and id in (select channel_id from asked)
  union all
  select id, paused_at, blocked_until from ${schema}.channels_now(
    (select array_agg(channel_id) from asked), (select locked from waited))
  where (select so from waited)),${looks}
judged as materialized (
  select a.n, a.lease, a.id, case
    when o.id is null then 'lost'
    when o.withdrawn then 'cancelled'
    when exists (select 1 from listed s where s.workspace_id = a.workspace_id and s.address = a.recipient
      and ${forbidding('a.lane', 'a.transactional')}) then 'suppressed'
    when a.copies is not null and exists (
      select 1 from listed s where s.workspace_id = a.workspace_id and s.address = any(a.copies)
      and ${forbidding('a.lane', 'a.transactional')}) then 'copy_suppressed'
    when a.expires_at <= t.now then 'expired'
    ${shut} end as refusal,
    ${until} as until
  from asked a cross join t
  left join ours o on o.lease = a.lease and o.id = a.id
  left join channels c on c.id = a.channel_id${joins}),
marked as (
  update ${schema}.leases l set handed = l.handed || passing.ids, handed_at = (select now from t),
    until = ${CLOCK} + ${String(leaseMs)}
  from (select lease, array_agg(id) as ids from judged where refusal is null group by lease) passing
  where l.id = passing.lease)
select (select now from t) as handed_at, (select count(*) from judged) as judged,
  (select coalesce(json_agg(json_build_array(n, refusal, until)), '[]') from judged where refusal is not null) as refused`;

export const gateParameters = (entries: readonly GateEntry[]): [string, number[]] => [
  JSON.stringify(entries.map(toAsked)),
  leasesOf(entries),
];

/** What is null is left out: the database takes a missing name for null. */
const toAsked = ({ lease, message, copies, closesAt }: GateEntry, n: number): Record<string, unknown> => ({
  n,
  lease,
  id: message.id,
  workspace_id: message.workspaceId,
  channel_id: message.channelId,
  lane: message.lane,
  recipient: canonicalAddress(message.recipient),
  copies,
  transactional: message.transactional ? 1 : 0,
  expires_at: message.expiresAt ?? undefined,
  campaign_id: message.campaignId ?? undefined,
  contact_id: message.contactId ?? undefined,
  closes_at: message.closesAt ?? undefined,
  event_id: message.eventId ?? undefined,
  subscription_id: message.subscriptionId ?? undefined,
  window_closes_at: closesAt,
});

export interface GateRow {
  readonly handed_at: number;
  /** How many were judged at all. */
  readonly judged: number;
  /** A refusal for good is `ended`, a blank, and what ended it. */
  readonly refused: readonly (readonly [n: number, refusal: string, channelOpensAt: number | null])[];
}

/** Whoever is not refused has passed, but only if everybody was judged: else nobody knows who was not. */
export function gateAnswers(entries: readonly GateEntry[], row: GateRow): readonly GateAnswer[] {
  const unnamed: GateAnswer =
    row.judged === entries.length
      ? { passed: true, handedAt: row.handed_at }
      : { passed: false, refusal: 'lost' };
  const answers: GateAnswer[] = entries.map(() => unnamed);
  for (const [n, word, opensAt] of row.refused) {
    const [refusal, reason] = word.split(' ') as [GateRefusal, string | undefined];
    answers[n] = {
      passed: false,
      refusal,
      ...(reason !== undefined && { reason }),
      ...(refusal === 'paused' && opensAt !== null && { until: opensAt }),
    };
  }
  return answers;
}

export const leasesOf = (entries: readonly { lease: number }[]): number[] => [
  ...new Set(entries.map((entry) => entry.lease)),
];
