import { LINES } from '../../core/lines.js';
import type { GuardWindow } from '../store.js';
import { claimed, hasDue } from './claim.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

/** Nobody stopped the account, its last send is long enough ago, and nobody has its turn. */
const FREE = `c.paused_at is null and x.cooldown_until <= t.now and x.removed_at is null
    and g.free_at <= t.now and (g.spacing_ms = 0 or g.holder is null)`;
/** Its day and its limited hour have something left. */
const HAS_LEFT = 'a.used < o.quota and (o.hour = 0 or a.hour <> o.hour or a.hour_used < o.hour_quota)';

/** Where the openings stand, and what else a message of its line must be. */
const OF = {
  account: {
    openings: 'openings',
    name: '',
    together: (schema: string) => hasDue(schema, LINES.together),
    alone: (schema: string) => hasDue(schema, LINES.alone),
    inTime: '',
  },
  recipient: {
    openings: 'own_openings',
    name: '_own',
    together: (schema: string) => hasDue(schema, LINES.own, 'and d.closes_at > t.now'),
    alone: () => 'false',
    inTime: 'and closes_at > t.now',
  },
} as const;

/**
 * A guarded account that may not send is one row that is passed over here, whatever waits behind it. One whose opening
 * is over is told of all the same, if something waits: somebody must look when it may send next.
 */
export const openGuardedStatement = ({ schema, now }: StatementContext, window: GuardWindow): Prepared => ({
  name: `pillarbox_open_guarded${OF[window].name}`,
  text: `
with t as materialized (select ${now} as now),
open as (
  select c.id, c.workspace_id, c.account_id, c.lane, o.open_until <= t.now as over,
    ${OF[window].together(schema)} as together,
    ${OF[window].alone(schema)} as alone
  from ${schema}.${OF[window].openings} o
  join ${schema}.guards g on g.account_id = o.account_id
  join ${schema}.channels c on c.id = o.channel_id
  join ${schema}.accounts x on x.id = o.account_id
  left join ${schema}.account_days a on a.account_id = o.account_id and a.action = o.action and a.day = o.day
  left join ${schema}.workspace_days w on w.workspace_id = o.workspace_id and w.day = o.total_day
  cross join t
  where ${FREE} and (o.open_until <= t.now or (o.opens_at <= t.now and ${HAS_LEFT} and w.used < w.quota)))
select id, workspace_id, account_id, lane, over, together, alone from open where together or alone`,
});

/**
 * Out of `due`, into one new lease, and reserved, in one statement. What an account may do is judged on its locked rows,
 * in their newest version; who is locked is passed over, so accounts never wait for each other. Then the workspace's day
 * is locked, by which all its accounts are ordered, and whoever holds it waits for nothing any more. An account with
 * spacing gives one message, whatever its actions, and has its turn taken until that one is settled. A message whose
 * last reservation is left over waits until that is given back (`giveBackLeftOver`): nothing is counted twice.
 */
export const guardedClaimStatement = (
  { schema, now, leaseMs }: StatementContext,
  window: GuardWindow,
): Prepared => ({
  name: `pillarbox_guarded_claim${OF[window].name}`,
  text: `
with t as materialized (select ${now} as now),
locked as materialized (
  select g.account_id, g.workspace_id, g.spacing_ms, o.channel_id, o.action, o.day, o.total_day, o.hour,
    least(share.n, o.quota - a.used,
      case when o.hour > 0 then o.hour_quota - case when a.hour = o.hour then a.hour_used else 0 end end) as n
  from unnest($1::int[], $2::int[]) as share(channel_id, n)
  join ${schema}.${OF[window].openings} o on o.channel_id = share.channel_id
  join ${schema}.guards g on g.account_id = o.account_id
  join ${schema}.account_days a on a.account_id = o.account_id and a.action = o.action and a.day = o.day
  join ${schema}.channels c on c.id = o.channel_id
  join ${schema}.accounts x on x.id = o.account_id
  cross join t
  where ${FREE} and o.opens_at <= t.now and o.open_until > t.now and ${HAS_LEFT}
  for update of g, a skip locked),
total as materialized (
  select workspace_id, day, quota - used as free from ${schema}.workspace_days
  where (workspace_id, day) in (select workspace_id, total_day from locked) order by 1, 2 for update),
found as materialized (
  select l.*, d.message_id, d.due_at from locked l cross join t cross join lateral (
    select message_id, due_at from ${schema}.due
    where channel_id = l.channel_id and alone = $4 and due_at <= t.now ${OF[window].inTime}
      and not exists (select 1 from ${schema}.reservations r where r.message_id = due.message_id)
    order by due_at, message_id limit case when l.spacing_ms > 0 then 1 else l.n end for update skip locked) d),
turns as (
  select f.*, row_number() over (partition by account_id order by due_at, message_id) as turn from found f),
placed as (
  select f.*, row_number() over (partition by workspace_id, total_day order by due_at, message_id) as place
  from turns f where spacing_ms = 0 or turn = 1),
mine as materialized (
  select p.* from placed p join total w on w.workspace_id = p.workspace_id and w.day = p.total_day
  where p.place <= w.free),
taken as (
  delete from ${schema}.due where message_id = any(array(select message_id from mine)) returning message_id),
lease as (
  insert into ${schema}.leases (owner, until, claimed_at, alone, ids)
  select $3, ${CLOCK} + ${String(leaseMs)}, (select now from t), ($4 = ${LINES.alone})::int, array_agg(message_id) from taken having count(*) > 0
  returning id, claimed_at),
reserved as (
  insert into ${schema}.reservations (message_id, account_id, action, day, hour, workspace_id, total_day, reserved_at)
  select message_id, account_id, action, day, hour, workspace_id, total_day, t.now from mine cross join t),
counted as (
  update ${schema}.account_days a set used = a.used + m.n,
    hour_used = case when m.hour > a.hour then m.n else a.hour_used + m.n end, hour = greatest(a.hour, m.hour)
  from (select account_id, action, day, hour, count(*)::int as n from mine group by 1, 2, 3, 4) m
  where a.account_id = m.account_id and a.action = m.action and a.day = m.day),
summed as (
  update ${schema}.workspace_days w set used = w.used + m.n
  from (select workspace_id, total_day, count(*)::int as n from mine group by 1, 2) m
  where w.workspace_id = m.workspace_id and w.day = m.total_day),
turned as (
  update ${schema}.guards g set holder = m.message_id from mine m where g.account_id = m.account_id and m.spacing_ms > 0)
select ${claimed(schema, 'true')}, lease.id, lease.claimed_at
from lease cross join ${schema}.messages m left join ${schema}.contents x on x.message_id = m.id
where m.id = any(array(select message_id from taken))`,
});
