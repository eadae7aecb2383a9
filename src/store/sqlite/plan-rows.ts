import type { PlanCommon, PlanMove, PlanRow } from '../plan-row.js';
import { askCompiled, type Script } from '../script.js';

const LAST_ID = `select coalesce((select seq from sqlite_sequence where name = 'messages'), 0) as id`;
const part = (n: number): string => `j.value ->> ${String(n)}`;

/**
 * So many rows a call: the driver's cost a call is much of what a row costs. Bound values: JSON would be parsed anew for
 * each column of each row.
 */
const ROWS_A_CALL = 50;
/** Plain marks: the driver looks numbered ones up by their names. */
const marks = (columns: number): string => Array.from({ length: columns }, () => '?').join(', ');
const valuesOf = (rows: number, one: string): string => Array.from({ length: rows }, () => one).join(', ');

const insertMessages = (rows: number): string => `
insert into messages (id, channel_id, action, idempotency_key, body_hash, recipient, recipient_given, recipient_name,
  sender, subject, scheduled_for, contact_id, step_number, closes_at, workspace_id, campaign_id,
  sequence_id, sequence_version, expires_at, retry_policy, doubt_policy, created_at, lane, transactional)
values ${valuesOf(rows, `(${marks(22)}, 'campaign', 0)`)}
on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing`;
const insertDue = (rows: number): string => `
insert into due (message_id, workspace_id, channel_id, due_at, expires_at, closes_at, alone)
values ${valuesOf(rows, `(${marks(7)})`)}`;
/** A text for many rows and one for a single one, which take what is left: a statement is the same text whatever it holds. */
const [MANY_MESSAGES, ONE_MESSAGE] = [insertMessages(ROWS_A_CALL), insertMessages(1)];
const [MANY_DUE, ONE_DUE] = [insertDue(ROWS_A_CALL), insertDue(1)];
function* callsOf(rows: number): Generator<readonly [from: number, until: number]> {
  let from = 0;
  for (; from + ROWS_A_CALL <= rows; from += ROWS_A_CALL) yield [from, from + ROWS_A_CALL];
  for (; from < rows; from += 1) yield [from, from + 1];
}

const COUNT_FRESH = 'select count(*) as n from messages where id > ?1';
const INSERT_TALLY =
  "insert into tallies (minute, workspace_id, channel_id, lane, state, n) values (?, ?, ?, 'campaign', 'accepted', ?)";
const INSERT_CONTENTS = `
insert into contents (message_id, bytes, mail)
select m.id, length(cast(${part(1)} as blob)), ${part(1)} from json_each(?1) j join messages m on m.id = ${part(0)}`;
const KNOWN = `
with recursive places(n) as (select 0 union all select n + 1 from places where n + 1 < ?2)
select n from places where not exists (select 1 from messages m where m.id = ?1 + n + 1)`;
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
  const [fresh] = yield* askCompiled<{ n: number }>({ sql: COUNT_FRESH, parameters: [before] });
  const known =
    fresh?.n === rows.length
      ? []
      : yield* askCompiled<{ n: number }>({ sql: KNOWN, parameters: [before, rows.length] });
  const places = new Set(known.map(({ n }) => n));
  yield* storeDue(common, rows, idOf, places);
  const mails = rows.flatMap(({ mail }, n) => (mail === null ? [] : [[idOf(n), mail]]));
  if (mails.length > 0) yield* askCompiled({ sql: INSERT_CONTENTS, parameters: [JSON.stringify(mails)] });
  yield* tally(common, rows, places);
  return [...places];
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
  for (const [from, until] of callsOf(rows.length)) {
    const parameters: unknown[] = [];
    for (let n = from; n < until; n += 1) {
      const row = rows[n] as PlanRow;
      // prettier-ignore
      parameters.push(
        idOf(n), row.channelId, row.action, row.key, row.bodyHash, row.recipient, row.recipientGiven,
        row.recipientName, row.sender, row.subject, row.dueAt, row.contactId, row.step, row.closesAt,
        common.workspaceId, common.campaignId, common.sequenceId, common.sequenceVersion, common.expiresAt,
        common.retryPolicy, common.doubtPolicy, common.now,
      );
    }
    yield* askCompiled({ sql: until - from > 1 ? MANY_MESSAGES : ONE_MESSAGE, parameters });
  }
}

function* storeDue(
  common: PlanCommon,
  rows: readonly PlanRow[],
  idOf: (n: number) => number,
  known: ReadonlySet<number>,
): Script<void> {
  const fresh: number[] = [];
  for (let n = 0; n < rows.length; n += 1) if (!known.has(n)) fresh.push(n);
  for (const [from, until] of callsOf(fresh.length)) {
    const parameters: unknown[] = [];
    for (const n of fresh.slice(from, until)) {
      const row = rows[n] as PlanRow;
      // prettier-ignore
      parameters.push(
        idOf(n), common.workspaceId, row.channelId, row.dueAt, common.expiresAt, row.closesAt, row.line,
      );
    }
    yield* askCompiled({ sql: until - from > 1 ? MANY_DUE : ONE_DUE, parameters });
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
