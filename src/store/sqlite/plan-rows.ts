import type { PlanCommon, PlanMove, PlanRow } from '../plan-row.js';
import { askCompiled, type Script } from '../script.js';

const LAST_ID = `select coalesce((select seq from sqlite_sequence where name = 'messages'), 0) as id`;
const part = (n: number): string => `j.value ->> ${String(n)}`;

const INSERT_MESSAGES = `
insert into messages (id, channel_id, action, idempotency_key, body_hash, recipient, recipient_given, recipient_name,
  sender, subject, scheduled_for, contact_id, step_number, closes_at, lane, transactional, workspace_id, campaign_id,
  sequence_id, sequence_version, expires_at, retry_policy, doubt_policy, created_at)
select ${Array.from({ length: 14 }, (_, n) => part(n)).join(', ')}, 'campaign', 0, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
from json_each(?1) j where true
on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing`;
const INSERT_DUE = `
insert into due (message_id, workspace_id, channel_id, due_at, expires_at, closes_at, alone)
select m.id, m.workspace_id, m.channel_id, m.scheduled_for, m.expires_at, m.closes_at, ${part(1)}
from json_each(?1) j join messages m on m.id = ${part(0)}`;
const INSERT_TALLIES = `
insert into tallies (minute, workspace_id, channel_id, lane, state, n)
select ?2, workspace_id, channel_id, 'campaign', 'accepted', count(*) from messages where id > ?1 group by 2, 3`;
const INSERT_CONTENTS = `
insert into contents (message_id, bytes, mail)
select m.id, length(cast(${part(1)} as blob)), ${part(1)} from json_each(?1) j join messages m on m.id = ${part(0)}`;
const KNOWN = `
select j.key as n from json_each(?1) j where not exists (select 1 from messages m where m.id = ${part(0)})`;
const MOVE_DUE = `
update due set alone = ${part(3)}, due_at = ${part(1)}, closes_at = ${part(2)}
from json_each(?1) j where due.message_id = ${part(0)} and due.alone = 3 returning due.message_id as id`;
const MOVE_MESSAGES = `
update messages set scheduled_for = ${part(1)}, closes_at = ${part(2)}
from json_each(?1) j where messages.id = ${part(0)} and messages.id in (select value from json_each(?2))`;

/**
 * A page of messages with their places in the queue. In a write transaction nobody else draws ids, so they are known
 * before. Answers which of them were there already, by their places in the page.
 */
export function* storePlanRows(common: PlanCommon, rows: readonly PlanRow[]): Script<readonly number[]> {
  const [last] = yield* askCompiled<{ id: number }>({ sql: LAST_ID, parameters: [] });
  const before = last?.id ?? 0;
  const idOf = (n: number): number => before + n + 1;
  const values = rows.map((row, n) => [
    ...[idOf(n), row.channelId, row.action, row.key, row.bodyHash, row.recipient, row.recipientGiven],
    ...[row.recipientName, row.sender, row.subject, row.dueAt, row.contactId, row.step, row.closesAt],
  ]);
  yield* askCompiled({
    sql: INSERT_MESSAGES,
    parameters: [
      ...[JSON.stringify(values), common.workspaceId, common.campaignId, common.sequenceId],
      ...[common.sequenceVersion, common.expiresAt, common.retryPolicy, common.doubtPolicy, common.now],
    ],
  });
  const lines = JSON.stringify(rows.map(({ line }, n) => [idOf(n), line]));
  yield* askCompiled({ sql: INSERT_DUE, parameters: [lines] });
  yield* askCompiled({ sql: INSERT_TALLIES, parameters: [before, Math.floor(common.now / 60_000)] });
  const mails = rows.flatMap(({ mail }, n) => (mail === null ? [] : [[idOf(n), mail]]));
  if (mails.length > 0) yield* askCompiled({ sql: INSERT_CONTENTS, parameters: [JSON.stringify(mails)] });
  const known = yield* askCompiled<{ n: number }>({ sql: KNOWN, parameters: [lines] });
  return known.map(({ n }) => n);
}

/** New times for what was halted; what is not halted any more stays as it is. Answers how many moved. */
export function* movePlanRows(moves: readonly PlanMove[]): Script<number> {
  const values = JSON.stringify(moves.map(({ id, dueAt, closesAt, line }) => [id, dueAt, closesAt, line]));
  const moved = yield* askCompiled<{ id: number }>({ sql: MOVE_DUE, parameters: [values] });
  const ids = JSON.stringify(moved.map(({ id }) => id));
  yield* askCompiled({ sql: MOVE_MESSAGES, parameters: [values, ids] });
  return moved.length;
}
