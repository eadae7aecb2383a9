import type { Line } from '../../core/lines.js';
import { claimedColumns } from '../claimed-row.js';
import { forbidding } from '../suppressed.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

/**
 * A blocked channel is one row that is passed over here, whatever waits behind it. Two probes of one index tell
 * whether a channel has work, so the cost grows with channels and not with messages. Each asks for the first row in
 * the order of the index: a plain `exists` is planned as a scan of all of `due` as soon as one channel fills it.
 * `before`: what must have been due when.
 */
export const openChannelsStatement = ({ schema, now }: StatementContext, before = 't.now'): Prepared => ({
  name: 'pillarbox_open_channels',
  text: `
with t as materialized (select ${now} as now),
open as (
  select c.id, c.workspace_id, c.account_id, c.lane,
    ${hasDue(schema, 0, '', before)} as together,
    ${hasDue(schema, 1, '', before)} as alone
  from ${schema}.channels c cross join t
  where c.blocked_until <= t.now and c.paused_at is null)
select id, workspace_id, account_id, lane, together, alone from open where together or alone`,
});

/** In a query with a channel `c` and the time `t`. */
export const hasDue = (schema: string, line: Line, and = '', before = 't.now'): string => `
    (select d.message_id from ${schema}.due d
     where d.channel_id = c.id and d.alone = ${String(line)} and d.due_at <= ${before} ${and}
     order by d.due_at, d.message_id limit 1) is not null`;

const suppressedMessage = (schema: string): string => `
  exists (select 1 from ${schema}.suppressions s where s.workspace_id = m.workspace_id and s.address = m.recipient
    and ${forbidding('m.lane', 'm.transactional')})`;

const guardedMessage = (schema: string): string =>
  `exists (select 1 from ${schema}.channels c where c.id = m.channel_id and c.guarded = 1)`;

/** The columns of claimed messages; a claim that is not a take-over knows whether they are guarded. */
export const claimed = (schema: string, guarded: string): string =>
  claimedColumns({ suppressed: suppressedMessage(schema), guarded, array: 'json_build_array' });

/**
 * Takes rows out of `due` and names them in one new lease: the message has left the one place and is in the
 * other, or the statement never happened. `= any(array(select …))` keeps the planner at primary-key look-ups
 * however wrong its estimate of a queue that fills and empties.
 */
export const claimStatement = ({ schema, now, leaseMs }: StatementContext, before = 't.now'): Prepared => ({
  name: 'pillarbox_claim',
  text: `
with t as materialized (select ${now} as now),
pick as (
  select d.message_id
  from unnest($1::int[], $2::int[]) as share(channel_id, n)
  join ${schema}.channels c on c.id = share.channel_id
  cross join t
  cross join lateral (
    select message_id from ${schema}.due
    where channel_id = c.id and alone = $4 and due_at <= ${before}
    order by due_at, message_id limit share.n for update skip locked) d
  where c.blocked_until <= t.now and c.paused_at is null),
taken as (
  delete from ${schema}.due where message_id = any(array(select message_id from pick)) returning message_id),
lease as (
  insert into ${schema}.leases (owner, until, claimed_at, alone, ids)
  select $3, ${CLOCK} + ${String(leaseMs)}, (select now from t), $4, array_agg(message_id) from taken having count(*) > 0
  returning id, claimed_at)
select ${claimed(schema, 'false')}, lease.id, lease.claimed_at
from lease cross join ${schema}.messages m left join ${schema}.contents x on x.message_id = m.id
where m.id = any(array(select message_id from taken))`,
});

/**
 * A lease that ran out is taken over under a new fence: from here on its old owner can neither pass the gate nor
 * settle. Nothing is decided yet; whoever takes it over decides and settles as with any lease, and if that one
 * dies too, the next takes over again. The longest lost come first, whatever their ids: what somebody else has locked
 * is passed over, so this waits for nobody and nobody can wait for it in a circle.
 */
export const takeOverStatement = ({ schema, leaseMs }: StatementContext): Prepared => ({
  name: 'pillarbox_take_over',
  text: `
with lost as (
  delete from ${schema}.leases where id = any(array(
    select id from ${schema}.leases where until <= ${CLOCK} order by until limit $2 for update skip locked))
  returning *),
taken as (
  insert into ${schema}.leases (owner, until, claimed_at, handed_at, alone, inline, prior_id, ids, handed, withdrawn)
  select $1, ${CLOCK} + ${String(leaseMs)}, claimed_at, handed_at, alone, inline, coalesce(prior_id, id), ids, handed, withdrawn
  from lost
  returning *)
select ${claimed(schema, guardedMessage(schema))}, taken.id, taken.claimed_at, taken.handed_at, taken.alone, taken.inline,
  m.id = any(taken.handed), m.id = any(taken.withdrawn)
from taken cross join lateral unnest(taken.ids) as leased(id) join ${schema}.messages m on m.id = leased.id
left join ${schema}.contents x on x.message_id = m.id
order by taken.id, m.id`,
});

/** Run by the renewal thread; a lease that ran out stays lost. Locked in the order of their ids, as everywhere. */
export const renewStatement = ({ schema, leaseMs }: StatementContext): string => `
with leased as materialized (
  select id from ${schema}.leases where id = any($1::bigint[]) and until > ${CLOCK} order by id for update)
update ${schema}.leases l set until = ${CLOCK} + ${String(leaseMs)} from leased
where l.id = leased.id and l.until > ${CLOCK}`;
