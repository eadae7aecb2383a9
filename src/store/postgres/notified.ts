import type { SettleEntry } from '../store.js';
import { gateText, leasesOf, UNGUARDED_GATE } from './gate.js';
import { guardedGate } from './guarded-gate.js';
import { guardedSettle } from './guarded-settle.js';
import { settleText, toResult, UNGUARDED_SETTLE } from './settle.js';
import type { Prepared, StatementContext } from './time.js';

/**
 * What notifications ask and write beside other mail, whether their account is guarded or not. Statements of their own,
 * so that nobody else pays for it.
 */

/** Also: is the event still to be told, is the subscription still active, is its window still open? */
export const notifiedGateStatement = (context: StatementContext, guarded: boolean): Prepared => {
  const { schema } = context;
  const base = guarded ? guardedGate(schema) : UNGUARDED_GATE;
  return {
    name: guarded ? 'pillarbox_guarded_notified_gate' : 'pillarbox_notified_gate',
    text: gateText(context, {
      ...base,
      given: `${base.given}, event_id bigint, subscription_id bigint, window_closes_at bigint`,
      joins: `${base.joins}
  left join ${schema}.subscriptions told on told.id = a.subscription_id
  left join ${schema}.events what on what.id = a.event_id`,
      shut: `when what.cancelled_at is not null then 'ended event_cancelled'
    when told.status is distinct from 'active' then 'unsubscribed ' || coalesce(told.status, 'unsubscribed')
    when a.window_closes_at <= t.now then 'closed'
    ${base.shut}`,
    }),
  };
};

/** Why a result is counted in its state. */
const REASON = `case when final = 'dead' then coalesce(code, why)
    when final in ('skipped', 'expired', 'cancelled') then why end`;

/**
 * Also: that somebody was told, or why not, stands in the history of the subscription, with the state as it was told; what was
 * reserved of a limit and did not leave is given back; and the event counts it. Subscriptions are locked in the order of
 * their ids, behind everything else.
 */
export const notifiedSettleStatement = (context: StatementContext, guarded: boolean): Prepared => {
  const { schema } = context;
  const base = guarded ? guardedSettle(schema) : { ...UNGUARDED_SETTLE, lane: `'notification'` };
  return {
    name: guarded ? 'pillarbox_guarded_notified_settle' : 'pillarbox_notified_settle',
    text: settleText(context, {
      ...base,
      given: `${base.given}, event_id bigint, subscription_id bigint`,
      counted: {
        columns: ', event_id, reason',
        values: `, event_id, ${REASON}`,
        groups: ', 8, 9',
      },
      steps: `${base.steps},
told as (
  insert into ${schema}.subscription_events (subscription_id, at, kind, event_id, message_id, details)
  select o.subscription_id, t.now, case when o.final = 'sent' then 'notify_sent' else 'not_told' end, o.event_id, o.id,
    case when o.final = 'sent' then e.snapshot else json_build_object('state', o.final, 'reason', ${REASON})::text end
  from ours o cross join t left join ${schema}.events e on e.id = o.event_id
  where o.final in ('sent', 'dead', 'skipped', 'expired', 'cancelled')),
unused as materialized (
  select s.id, count(*)::int as n
  from ours o join ${schema}.messages m on m.id = o.id join ${schema}.subscriptions s on s.id = o.subscription_id
  where o.final in ('dead', 'skipped', 'expired', 'cancelled') and m.created_at >= s.limited_at group by s.id),
limits as materialized (
  select id from ${schema}.subscriptions where id in (select id from unused) order by id for update),
given_back as (
  update ${schema}.subscriptions s set notified = greatest(0, s.notified - u.n)
  from unused u join limits l on l.id = u.id where s.id = u.id)`,
    }),
  };
};

export const notifiedSettleParameters = (entries: readonly SettleEntry[]): [string, number[]] => [
  JSON.stringify(
    entries.map((entry, n) => ({
      ...toResult(entry, n),
      ...entry.guard,
      event_id: entry.notification?.eventId,
      subscription_id: entry.notification?.subscriptionId,
    })),
  ),
  leasesOf(entries),
];
