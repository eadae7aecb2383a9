import { canonicalAddress } from '../../core/address.js';
import { askCompiled, type Script } from '../script.js';
import type { GateAnswer, GateEntry, GateRefusal } from '../store.js';
import { forbidding } from '../suppressed.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

/** What a statement sees may be so old when it marks: two that meet within this are at the same time. */
const SAME_TIME = "interval '10 ms'";

/**
 * The hand-over gate for a group of messages. The lock on the lease row decides, not the clock: a take-over or a
 * cancellation either came first and is seen here, or waits for this mark and sees it. A statement sees everything
 * else as it was when it began: a pause that was answered while it waited for that lock would not be seen. So who had
 * to wait marks nothing and says so, and is asked again while the locks are held (`askTwice`). Passing renews the lease.
 * Leases are locked in the order of their ids, as everywhere, so that groups cannot lock each other out. Their contents
 * are unpacked once (materialized): unpacked inside a join they cost the square of the group. The answer is one row
 * that names only who may not pass: nearly all may, and five hundred rows cost more than the mark.
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
  /** The last of the locks: time is read when it is held. */
  readonly lockedLast: string;
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
  { given, locks, lockedLast, joins, shut, until }: GateParts,
): string => `
with asked as materialized (
  select * from json_to_recordset($1::json) as r(
    n int, lease bigint, id bigint, workspace_id int, channel_id int, lane text, recipient text, copies text[],
    transactional int, expires_at bigint${given})),
locked as materialized (
  select id, ids, withdrawn from ${schema}.leases
  where id = any($2::bigint[]) and until > ${CLOCK} order by id for update),${locks}
t as materialized (
  select ${now} as now, not $3 and clock_timestamp() > statement_timestamp() + ${SAME_TIME} as waited
  from (select count(*) from ${lockedLast}) held),
ours as materialized (
  select locked.id as lease, leased.id, leased.id = any(locked.withdrawn) as withdrawn
  from locked cross join lateral unnest(locked.ids) as leased(id)),
judged as materialized (
  select a.n, a.lease, a.id, case
    when o.id is null then 'lost'
    when o.withdrawn then 'cancelled'
    when exists (
      select 1 from ${schema}.suppressions s where s.workspace_id = a.workspace_id and s.address = a.recipient
      and ${forbidding('a.lane', 'a.transactional')}) then 'suppressed'
    when a.copies is not null and exists (
      select 1 from ${schema}.suppressions s where s.workspace_id = a.workspace_id and s.address = any(a.copies)
      and ${forbidding('a.lane', 'a.transactional')}) then 'copy_suppressed'
    when a.expires_at <= t.now then 'expired'
    ${shut} end as refusal,
    ${until} as until
  from asked a cross join t
  left join ours o on o.lease = a.lease and o.id = a.id
  left join ${schema}.channels c on c.id = a.channel_id${joins}),
marked as (
  update ${schema}.leases l set handed = l.handed || passing.ids, handed_at = (select now from t),
    until = ${CLOCK} + ${String(leaseMs)}
  from (select lease, array_agg(id) as ids from judged where refusal is null group by lease) passing
  where l.id = passing.lease and not (select waited from t))
select t.waited, t.now as handed_at, (select count(*) from judged) as judged,
  (select coalesce(json_agg(json_build_array(n, refusal, until)), '[]') from judged where refusal is not null) as refused
from t`;

type GateParameters = readonly [asked: string, leases: readonly number[]];

export const gateParameters = (entries: readonly GateEntry[]): GateParameters => [
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
  /** It had to, and has marked nothing. */
  readonly waited: boolean;
  readonly handed_at: number;
  /** How many were judged at all. */
  readonly judged: number;
  /** A refusal for good is `ended`, a blank, and what ended it. */
  readonly refused: readonly (readonly [n: number, refusal: string, channelOpensAt: number | null])[];
}

/**
 * In one transaction, for a gate that had to wait: its locks are held from the first time to the second, which thus sees
 * everything as it is, and waits for nobody.
 */
export function* askTwice(sql: string, parameters: GateParameters): Script<GateRow | undefined> {
  const [first] = yield* askCompiled<GateRow>({ sql, parameters: [...parameters, false] });
  if (!first?.waited) return first;
  const [second] = yield* askCompiled<GateRow>({ sql, parameters: [...parameters, true] });
  return second;
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
