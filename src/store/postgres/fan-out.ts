import { asNumber } from '../as-number.js';
import {
  PREFERRED,
  type Decisions,
  type FanOut,
  type Made,
  type PreferredRow,
  type Stretch,
} from '../fan-out-row.js';
import { askCompiled, type Script } from '../script.js';

/** The next so many active subscriptions of a topic, in the order of their ids. */
export function* lookAhead(schema: string, fanOut: FanOut, limit: number): Script<Stretch> {
  const [row] = yield* askCompiled<{
    n: number;
    last: number | null;
    preferred: readonly PreferredRow[] | null;
  }>({
    sql: `
with stretch as materialized (
  select id, notify_on, max_notifications, notified, window_start, window_end, timezone, snooze_until
  from ${schema}.subscriptions
  where workspace_id = $1::int and topic = $2::text and status = 'active' and id > $3::bigint and id <= $4::bigint
  order by id limit $5::int)
select count(*)::int as n, max(id) as last, json_agg(json_build_array(
    id, notify_on, max_notifications, notified, window_start, window_end, timezone, snooze_until))
  filter (where ${PREFERRED}) as preferred
from stretch s`,
    parameters: [fanOut.workspaceId, fanOut.topic, fanOut.afterId, fanOut.untilId, limit],
  });
  return {
    count: asNumber(row?.n ?? 0),
    lastId: asNumber(row?.last ?? fanOut.afterId),
    preferred: row?.preferred ?? [],
  };
}

/**
 * Messages for a stretch, with their places in the queue and the wake-up, in one statement that copies rows inside the
 * database. What is reserved of a limit is reserved in it. Who was decided to be left out is left out; whoever came to have preferences since is
 * told by those that he had.
 */
export function* makeMessages(
  schema: string,
  fanOut: FanOut,
  { lastId }: Stretch,
  { told, skipped }: Decisions,
  now: number,
): Script<Made> {
  const [row] = yield* askCompiled<{ made: number; limited: number; reserved: number; woken: number }>({
    sql: `
with decided as materialized (
  select * from json_to_recordset($1::json) as r(id bigint, due_at bigint, limited boolean)),
locked as materialized (
  select id from ${schema}.subscriptions where id = any(array(select id from decided where limited)) order by id for update),
used as (
  update ${schema}.subscriptions s set notified = s.notified + 1
  where s.id = any(array(select id from locked)) and (s.max_notifications is null or s.notified < s.max_notifications)
  returning s.id),
fresh as (
  insert into ${schema}.messages (workspace_id, channel_id, lane, action, recipient, recipient_given, recipient_name, sender,
    scheduled_for, expires_at, retry_policy, doubt_policy, transactional, trace_id, created_at, event_id, subscription_id)
  select s.workspace_id, $2::int, 'notification', 'email', s.contact, s.contact_given, s.name, $3::text,
    coalesce(d.due_at, $4::bigint), $5::bigint, $6::text, $7::text, 0,
    $8::text, $4::bigint, $9::bigint, s.id
  from ${schema}.subscriptions s left join decided d on d.id = s.id
  where s.workspace_id = $10::int and s.topic = $11::text and s.status = 'active'
    and s.id > $12::bigint and s.id <= $13::bigint and s.id <> all($14::bigint[])
    and (d.limited is not true or s.id in (select id from used))
  order by s.id
  on conflict (subscription_id, event_id) where event_id is not null do nothing
  returning id, scheduled_for),
waiting as (
  insert into ${schema}.due (message_id, workspace_id, channel_id, due_at, expires_at)
  select id, $10::int, $2::int, scheduled_for, $5::bigint from fresh),
counted as (
  insert into ${schema}.tallies (minute, workspace_id, channel_id, lane, state, n, event_id)
  select $4::bigint / 60000, $10::int, $2::int, 'notification', 'accepted', count(*), $9::bigint
  from fresh having count(*) > 0),
woken as (
  select pg_notify('${schema}', ($2::int)::text) where exists (select 1 from fresh where scheduled_for <= $4::bigint))
select (select count(*)::int from fresh) as made, (select count(*)::int from decided where limited) as limited,
  (select count(*)::int from used) as reserved, (select count(*)::int from woken) as woken`,
    parameters: [
      JSON.stringify(told.map(({ id, dueAt, limited }) => ({ id, due_at: dueAt, limited }))),
      fanOut.channelId,
      fanOut.sender,
      now,
      fanOut.expiresAt,
      fanOut.retryPolicy,
      fanOut.doubtPolicy,
      fanOut.traceId,
      fanOut.eventId,
      fanOut.workspaceId,
      fanOut.topic,
      fanOut.afterId,
      lastId,
      skipped,
    ],
  });
  const { made = 0, limited = 0, reserved = 0 } = row ?? {};
  return { made: asNumber(made), refused: asNumber(limited) - asNumber(reserved) };
}
