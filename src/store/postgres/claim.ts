import { claimedColumns } from '../claimed-row.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

/**
 * A blocked channel is one row that is passed over here, whatever waits behind it. Two probes of one index tell
 * whether a channel has work, so the cost grows with channels and not with messages.
 */
export const openChannelsStatement = ({ schema, now }: StatementContext): Prepared => ({
  name: 'pillarbox_open_channels',
  text: `
with t as materialized (select ${now} as now),
open as (
  select c.id, c.workspace_id, c.account_id,
    exists (select 1 from ${schema}.due d where d.channel_id = c.id and d.alone = 0 and d.due_at <= t.now) as together,
    exists (select 1 from ${schema}.due d where d.channel_id = c.id and d.alone = 1 and d.due_at <= t.now) as alone
  from ${schema}.channels c cross join t
  where c.blocked_until <= t.now and c.paused_at is null)
select id, workspace_id, account_id, together, alone from open where together or alone`,
});

/** A transactional mail also goes to someone who unsubscribed, but never to an address that bounced or complained. */
export const suppressed = (
  schema: string,
  workspace: string,
  address: string,
  transactional: string,
): string => `
  exists (select 1 from ${schema}.suppressions s where s.workspace_id = ${workspace} and s.address = ${address}
    and not (s.reason = 'unsubscribe' and ${transactional} = 1))`;

const suppressedMessage = (schema: string): string =>
  suppressed(schema, 'm.workspace_id', 'm.recipient', 'm.transactional');

/**
 * Takes rows out of `due` and names them in one new lease: the message has left the one place and is in the
 * other, or the statement never happened. `= any(array(select …))` keeps the planner at primary-key look-ups
 * however wrong its estimate of a queue that fills and empties.
 */
export const claimStatement = ({ schema, now, leaseMs }: StatementContext): Prepared => ({
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
    where channel_id = c.id and alone = $4 and due_at <= t.now
    order by due_at, message_id limit share.n for update skip locked) d
  where c.blocked_until <= t.now and c.paused_at is null),
taken as (
  delete from ${schema}.due where message_id = any(array(select message_id from pick)) returning message_id),
lease as (
  insert into ${schema}.leases (owner, until, claimed_at, alone, ids)
  select $3, ${CLOCK} + ${String(leaseMs)}, (select now from t), $4, array_agg(message_id) from taken having count(*) > 0
  returning id, claimed_at)
select ${claimedColumns(suppressedMessage(schema))}, lease.id, lease.claimed_at
from lease cross join ${schema}.messages m left join ${schema}.contents x on x.message_id = m.id
where m.id = any(array(select message_id from taken))`,
});

/**
 * A lease that ran out is taken over under a new fence: from here on its old owner can neither pass the gate nor
 * settle. Nothing is decided yet; whoever takes it over decides and settles as with any lease, and if that one
 * dies too, the next takes over again.
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
select ${claimedColumns(suppressedMessage(schema))}, taken.id, taken.claimed_at, taken.handed_at, taken.alone, taken.inline,
  m.id = any(taken.handed), m.id = any(taken.withdrawn)
from taken cross join lateral unnest(taken.ids) as held(id) join ${schema}.messages m on m.id = held.id
left join ${schema}.contents x on x.message_id = m.id
order by taken.id, m.id`,
});

/** Run by the renewal thread; a lease that ran out stays lost. */
export const renewStatement = ({ schema, leaseMs }: StatementContext): string =>
  `update ${schema}.leases set until = ${CLOCK} + ${String(leaseMs)} where id = any($1::bigint[]) and until > ${CLOCK}`;
