import { CAMPAIGN_STOPPED, NOT_ENROLLED } from '../../core/campaign.js';
import { gateText, type GateParts } from './gate.js';
import type { Prepared, StatementContext } from './time.js';

/**
 * The gate of guarded mail. Behind the leases it locks the campaigns and the people in them, then the openings (shared:
 * other gates do the same; a pause, a reply or a roll waits, or came first and is seen here), and only then reads the
 * clock: a gate that had to wait does not pass with the time at which it began to. What was
 * reserved for another day or hour than the one that is open now is not good any more; and if a day has been given less
 * since, nobody passes until those who are too many have given back.
 */
export const guardedGateStatement = (context: StatementContext): Prepared => ({
  name: 'pillarbox_guarded_gate',
  text: gateText(context, guardedGate(context.schema)),
});

export const guardedGate = (schema: string): GateParts => ({
  given: ', campaign_id bigint, contact_id bigint, closes_at bigint',
  locks: `
running as materialized (
  select k.id, k.state from ${schema}.campaigns k
  where k.id in (select campaign_id from asked) and (select count(*) from locked) >= 0 order by k.id for share),
enrolled as materialized (
  select e.campaign_id, e.contact_id, e.state from ${schema}.enrolments e
  where (e.campaign_id, e.contact_id) in (select campaign_id, contact_id from asked)
    and (select count(*) from running) >= 0
  order by e.campaign_id, e.contact_id for share),
opened as materialized (
  select o.* from ${schema}.openings o
  where o.channel_id in (select channel_id from asked where closes_at is null)
    and (select count(*) from enrolled) >= 0
  order by o.channel_id for share),
own as materialized (
  select o.* from ${schema}.own_openings o
  where o.channel_id in (select channel_id from asked where closes_at is not null)
    and (select count(*) from opened) >= 0
  order by o.channel_id for share),
openings as materialized (select false as own, opened.* from opened union all select true, own.* from own),`,
  lockedLast: 'openings',
  joins: `
  left join running k on k.id = a.campaign_id
  left join enrolled e on e.campaign_id = a.campaign_id and e.contact_id = a.contact_id
  left join openings p on p.channel_id = a.channel_id and p.own = (a.closes_at is not null)
  left join ${schema}.accounts x on x.id = p.account_id
  left join ${schema}.guards g on g.account_id = p.account_id
  left join ${schema}.reservations r on r.message_id = a.id
  left join ${schema}.account_days d on d.account_id = r.account_id and d.action = r.action and d.day = r.day
  left join ${schema}.workspace_days w on w.workspace_id = r.workspace_id and w.day = r.total_day`,
  shut: `when a.campaign_id is not null and coalesce(k.state, 'stopped') in ('stopped', 'draft')
      then 'ended ${CAMPAIGN_STOPPED}'
    when a.campaign_id is not null and e.state is null then 'ended ${NOT_ENROLLED}'
    when e.state not in ('active', 'paused') then 'ended ' || e.state
    when k.state = 'paused' or e.state = 'paused' then 'halted'
    when c.id is null or c.paused_at is not null or x.cooldown_until > t.now then 'paused'
    when p.channel_id is null or r.message_id is null
      or r.day <> p.day or r.total_day <> p.total_day or r.hour <> p.hour
      or p.opens_at > t.now or p.open_until <= t.now or a.closes_at <= t.now
      or d.used > p.quota or w.used > w.quota or (p.hour > 0 and d.hour_used > p.hour_quota)
      or (g.spacing_ms > 0 and g.holder is distinct from a.id) then 'shut'`,
  until: 'case when c.paused_at is null then x.cooldown_until end',
});
