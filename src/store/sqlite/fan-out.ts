import {
  PREFERRED,
  type Decisions,
  type FanOut,
  type Made,
  type PreferredRow,
  type Stretch,
} from '../fan-out-row.js';
import { askCompiled, type Query, type Script } from '../script.js';

const OF_THE_WALK = `s.workspace_id = ?1 and s.topic = ?2 and s.status = 'active' and s.id > ?3`;
const RANGE = `
select count(*) as n, max(id) as last from (
  select s.id from subscriptions s where ${OF_THE_WALK} and s.id <= ?4 order by s.id limit ?5)`;
const PREFERENCES = `
select s.id, s.notify_on, s.max_notifications, s.notified, s.window_start, s.window_end, s.timezone, s.snooze_until
from subscriptions s where ${OF_THE_WALK} and s.id <= ?4 and ${PREFERRED} order by s.id`;
const RESERVE = `
update subscriptions set notified = notified + 1
where id in (select value from json_each(?)) and (max_notifications is null or notified < max_notifications)
returning id`;
const LAST_ID = `select coalesce((select seq from sqlite_sequence where name = 'messages'), 0) as id`;
const COLUMNS = `workspace_id, channel_id, lane, action, recipient, recipient_given, recipient_name, sender,
  scheduled_for, expires_at, retry_policy, doubt_policy, transactional, trace_id, created_at, event_id, subscription_id`;
const copied = (dueAt: string): string => `
select s.workspace_id, ?5, 'notification', 'email', s.contact, s.contact_given, s.name, ?6,
  ${dueAt}, ?8, ?9, ?10, 0, ?11, ?7, ?12, s.id`;
const ONCE = 'on conflict (subscription_id, event_id) where event_id is not null do nothing';
const PLAIN = `
insert into messages (${COLUMNS}) ${copied('?7')}
from subscriptions s where ${OF_THE_WALK} and s.id <= ?4 and not ${PREFERRED} order by s.id ${ONCE}`;
const DECIDED = `
insert into messages (${COLUMNS}) ${copied('j.value ->> 1')}
from json_each(?13) j join subscriptions s on s.id = j.value ->> 0
where ${OF_THE_WALK} and s.id <= ?4 order by s.id ${ONCE}`;
const INSERT_DUE = `
insert into due (message_id, workspace_id, channel_id, due_at, expires_at)
select id, workspace_id, channel_id, scheduled_for, expires_at from messages where id > ?`;
const COUNT_MADE = 'select count(*) as n from messages where id > ?';
const INSERT_TALLY = `
insert into tallies (minute, workspace_id, channel_id, lane, state, n, event_id)
values (?, ?, ?, 'notification', 'accepted', ?, ?)`;

/** Callers' own clients know marks only by their place: each value stands where it is used. */
function inPlace(sql: string, parameters: readonly unknown[]): Query {
  const used: unknown[] = [];
  const text = sql.replace(/\?(\d+)/g, (_, n: string) => {
    used.push(parameters[Number(n) - 1]);
    return '?';
  });
  return { sql: text, parameters: used };
}

/** The next so many active subscriptions of a topic, in the order of their ids. */
export function* lookAhead(fanOut: FanOut, limit: number): Script<Stretch> {
  const walk = [fanOut.workspaceId, fanOut.topic, fanOut.afterId];
  const [range] = yield* askCompiled<{ n: number; last: number | null }>(
    inPlace(RANGE, [...walk, fanOut.untilId, limit]),
  );
  const { n = 0, last = null } = range ?? {};
  if (last === null) return { count: 0, lastId: fanOut.afterId, preferred: [] };
  const rows = yield* askCompiled<Record<string, unknown>>(inPlace(PREFERENCES, [...walk, last]));
  return {
    count: n,
    lastId: last,
    preferred: rows.map((row) => Object.values(row) as unknown as PreferredRow),
  };
}

/**
 * Messages for a stretch, with their places in the queue: rows are copied inside the database, in few calls. In a write
 * transaction nobody else draws ids, so what is new is what comes behind the last one.
 */
export function* makeMessages(
  fanOut: FanOut,
  { lastId }: Stretch,
  { told }: Decisions,
  now: number,
): Script<Made> {
  const [last] = yield* askCompiled<{ id: number }>({ sql: LAST_ID, parameters: [] });
  const before = last?.id ?? 0;
  const common = [
    ...[fanOut.workspaceId, fanOut.topic, fanOut.afterId, lastId, fanOut.channelId, fanOut.sender, now],
    ...[fanOut.expiresAt, fanOut.retryPolicy, fanOut.doubtPolicy, fanOut.traceId, fanOut.eventId],
  ];
  yield* askCompiled(inPlace(PLAIN, common));
  const limited = told.filter((each) => each.limited).map(({ id }) => id);
  const reserved = new Set(limited.length === 0 ? [] : yield* reserve(limited));
  const going = told.filter((each) => !each.limited || reserved.has(each.id));
  if (going.length > 0)
    yield* askCompiled(
      inPlace(DECIDED, [...common, JSON.stringify(going.map(({ id, dueAt }) => [id, dueAt]))]),
    );
  const [counted] = yield* askCompiled<{ n: number }>({ sql: COUNT_MADE, parameters: [before] });
  const made = counted?.n ?? 0;
  if (made > 0) {
    yield* askCompiled({ sql: INSERT_DUE, parameters: [before] });
    yield* askCompiled({
      sql: INSERT_TALLY,
      parameters: [Math.floor(now / 60_000), fanOut.workspaceId, fanOut.channelId, made, fanOut.eventId],
    });
  }
  return { made, refused: limited.length - reserved.size };
}

function* reserve(ids: readonly number[]): Script<readonly number[]> {
  const rows = yield* askCompiled<{ id: number }>({ sql: RESERVE, parameters: [JSON.stringify(ids)] });
  return rows.map(({ id }) => id);
}
