import type { PlanCommon, PlanMove, PlanRow } from '../plan-row.js';
import { askCompiled, type Script } from '../script.js';

const LAST_ID = `select coalesce((select seq from sqlite_sequence where name = 'messages'), 0) as id`;
const part = (n: number): string => `j.value ->> ${String(n)}`;

/** One row a call: the driver binds plain marks fastest, and JSON is parsed anew for each column of each row. */
const INSERT_MESSAGE = `
insert into messages (id, channel_id, action, idempotency_key, body_hash, recipient, recipient_given, recipient_name,
  sender, subject, scheduled_for, contact_id, step_number, closes_at, lane, transactional, workspace_id, campaign_id,
  sequence_id, sequence_version, expires_at, retry_policy, doubt_policy, created_at)
values (${Array.from({ length: 14 }, () => '?').join(', ')}, 'campaign', 0, ?, ?, ?, ?, ?, ?, ?, ?)
on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing`;
const INSERT_DUE = `
insert into due (message_id, workspace_id, channel_id, due_at, expires_at, closes_at, alone)
select m.id, m.workspace_id, m.channel_id, m.scheduled_for, m.expires_at, m.closes_at, j.value
from json_each(?1) j join messages m on m.id = ?2 + j.key + 1`;
const COUNT_FRESH = 'select count(*) as n from messages where id > ?1';
const INSERT_TALLY =
  "insert into tallies (minute, workspace_id, channel_id, lane, state, n) values (?, ?, ?, 'campaign', 'accepted', ?)";
const INSERT_CONTENTS = `
insert into contents (message_id, bytes, mail)
select m.id, length(cast(${part(1)} as blob)), ${part(1)} from json_each(?1) j join messages m on m.id = ${part(0)}`;
const KNOWN = `
select j.key as n from json_each(?1) j where not exists (select 1 from messages m where m.id = ?2 + j.key + 1)`;
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
  yield* storeMessages(common, rows, idOf);
  const lines = JSON.stringify(rows.map(({ line }) => line));
  yield* askCompiled({ sql: INSERT_DUE, parameters: [lines, before] });
  const mails = rows.flatMap(({ mail }, n) => (mail === null ? [] : [[idOf(n), mail]]));
  if (mails.length > 0) yield* askCompiled({ sql: INSERT_CONTENTS, parameters: [JSON.stringify(mails)] });
  const [fresh] = yield* askCompiled<{ n: number }>({ sql: COUNT_FRESH, parameters: [before] });
  const known =
    fresh?.n === rows.length
      ? []
      : yield* askCompiled<{ n: number }>({ sql: KNOWN, parameters: [lines, before] });
  const places = known.map(({ n }) => n);
  yield* tally(common, rows, new Set(places));
  return places;
}

/** One row a channel. */
function* tally(common: PlanCommon, rows: readonly PlanRow[], known: ReadonlySet<number>): Script<void> {
  const counts = new Map<number, number>();
  for (const [n, { channelId }] of rows.entries())
    if (!known.has(n)) counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
  const minute = Math.floor(common.now / 60_000);
  for (const [channelId, n] of counts)
    yield* askCompiled({ sql: INSERT_TALLY, parameters: [minute, common.workspaceId, channelId, n] });
}

function* storeMessages(
  common: PlanCommon,
  rows: readonly PlanRow[],
  idOf: (n: number) => number,
): Script<void> {
  for (const [n, row] of rows.entries()) {
    // prettier-ignore
    const parameters = [
      idOf(n), row.channelId, row.action, row.key, row.bodyHash, row.recipient, row.recipientGiven,
      row.recipientName, row.sender, row.subject, row.dueAt, row.contactId, row.step, row.closesAt,
      common.workspaceId, common.campaignId, common.sequenceId, common.sequenceVersion, common.expiresAt,
      common.retryPolicy, common.doubtPolicy, common.now,
    ];
    yield* askCompiled({ sql: INSERT_MESSAGE, parameters });
  }
}

/** New times for what was halted; what is not halted any more stays as it is. Answers how many moved. */
export function* movePlanRows(moves: readonly PlanMove[]): Script<number> {
  const values = JSON.stringify(moves.map(({ id, dueAt, closesAt, line }) => [id, dueAt, closesAt, line]));
  const moved = yield* askCompiled<{ id: number }>({ sql: MOVE_DUE, parameters: [values] });
  const ids = JSON.stringify(moved.map(({ id }) => id));
  yield* askCompiled({ sql: MOVE_MESSAGES, parameters: [values, ids] });
  return moved.length;
}
