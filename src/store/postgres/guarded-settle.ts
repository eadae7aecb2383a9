import { LINES } from '../../core/lines.js';
import type { SettleEntry } from '../store.js';
import { leasesOf } from './gate.js';
import { settleText, toResult, type SettleParts } from './settle.js';
import type { Prepared, StatementContext } from './time.js';

/**
 * Results of guarded mail. In the same step each gives back what it had reserved and did not use, on the row of the day
 * for which it was reserved, whatever day it is now; and its account is free again, after its spacing if a try was made.
 * What is held keeps its reservation until somebody decides. Accounts are locked in the order of their ids, then the
 * days of workspaces in theirs, behind the leases: the order in which a claim takes them, which waits for no account. What
 * goes back because it was halted waits with its campaign, unless that runs again by now: a resume between gate and
 * settlement strands nothing.
 */
export const guardedSettleStatement = (context: StatementContext): Prepared => ({
  name: 'pillarbox_guarded_settle',
  text: settleText(context, guardedSettle(context.schema)),
});

export const guardedSettle = (schema: string): SettleParts => ({
  given: ', lane text, draw float8, halted boolean',
  lane: 'lane',
  looks: `
halts as materialized (
  select k.id, k.state from ${schema}.campaigns k
  where k.id in (select m.campaign_id from ours o join ${schema}.messages m on m.id = o.id where o.halted)
  order by k.id for share),
held_up as materialized (
  select e.campaign_id, e.contact_id, e.state from ${schema}.enrolments e
  where (e.campaign_id, e.contact_id) in (
      select m.campaign_id, m.contact_id from ours o join ${schema}.messages m on m.id = o.id where o.halted)
    and (select count(*) from halts) >= 0
  order by e.campaign_id, e.contact_id for share),`,
  line: `case
      when o.halted and not (exists (select 1 from halts k where k.id = m.campaign_id and k.state in ('running', 'completed')) and exists (
        select 1 from held_up e
        where e.campaign_id = m.campaign_id and e.contact_id = m.contact_id and e.state = 'active')) then ${LINES.halted}
      when m.closes_at is not null then ${LINES.own} else ${LINES.together} end`,
  steps: `,
ends as materialized (
  select r.message_id, r.account_id, r.action, r.day, r.hour, r.workspace_id, r.total_day, o.draw, o.outcome is not null as tried, o.final is not distinct from 'held' as undecided,
    (o.final is not distinct from 'sent')::int as sent,
    (o.outcome is not distinct from 'in_doubt' and o.final is distinct from 'sent')::int as doubt
  from ${schema}.reservations r join ours o on o.id = r.message_id),
spaced as materialized (
  select account_id from ${schema}.guards where account_id in (select account_id from ends) order by 1 for update),
given as (
  delete from ${schema}.reservations
  where message_id = any(array(select message_id from ends where not undecided)) and (select count(*) from spaced) >= 0),
undecided as (
  update ${schema}.reservations set doubted = 1
  where message_id = any(array(select message_id from ends where undecided)) and (select count(*) from spaced) >= 0),
totals as materialized (
  select workspace_id, day from ${schema}.workspace_days
  where (workspace_id, day) in (select workspace_id, total_day from ends) and (select count(*) from spaced) >= 0
  order by 1, 2 for update),
freed as (
  update ${schema}.guards g set holder = null,
    free_at = greatest(g.free_at, case when e.tried then t.now + g.spacing_ms + case when exists (
      select 1 from ${schema}.openings p join ${schema}.due d on d.channel_id = p.channel_id and d.alone in (${LINES.together}, ${LINES.own}) and d.due_at <= t.now
      where p.account_id = g.account_id) then floor(e.draw * (g.spacing_max_ms - g.spacing_ms))::bigint else 0 end else 0 end)
  from ends e cross join t, spaced l
  where g.account_id = e.account_id and l.account_id = g.account_id and g.holder = e.message_id),
returned as (
  update ${schema}.account_days a set used = a.used - v.back, sent = a.sent + v.sent, in_doubt = a.in_doubt + v.doubt,
    hour_used = a.hour_used - (
      select count(*)::int from ends e
      where e.account_id = a.account_id and e.action = a.action and e.day = a.day and e.hour = a.hour
        and e.sent + e.doubt = 0)
  from (
    select account_id, action, day, sum(1 - sent - doubt)::int as back, sum(sent)::int as sent, sum(doubt)::int as doubt
    from ends group by 1, 2, 3) v, (select count(*) from totals) locked
  where a.account_id = v.account_id and a.action = v.action and a.day = v.day),
lessened as (
  update ${schema}.workspace_days w set used = w.used - v.back
  from (select workspace_id, total_day, sum(1 - sent - doubt)::int as back from ends group by 1, 2) v, totals l
  where w.workspace_id = v.workspace_id and w.day = v.total_day and l.workspace_id = w.workspace_id and l.day = w.day
    and v.back > 0),
campaigned as (
  insert into ${schema}.campaign_days as c (campaign_id, account_id, action, day, sent)
  select m.campaign_id, e.account_id, e.action, e.day, count(*)::int
  from ends e join ${schema}.messages m on m.id = e.message_id, (select count(*) from totals) locked
  where e.sent = 1 and m.campaign_id is not null group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (campaign_id, account_id, action, day) do update set sent = c.sent + excluded.sent)`,
});

export const guardedSettleParameters = (entries: readonly SettleEntry[]): [string, number[]] => [
  JSON.stringify(entries.map((entry, n) => ({ ...toResult(entry, n), ...entry.guard }))),
  leasesOf(entries),
];
