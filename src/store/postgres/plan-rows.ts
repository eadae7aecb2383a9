import type { PlanCommon, PlanMove, PlanRow } from '../plan-row.js';
import { askCompiled, type Script } from '../script.js';

type Column = readonly [name: string, type: string, of: (row: PlanRow) => string | number | null];

/** The arrays of a page, by the columns that they become. */
const COLUMNS: readonly Column[] = [
  ['channel_id', 'int', (row) => row.channelId],
  ['action', 'text', (row) => row.action],
  ['idempotency_key', 'text', (row) => row.key],
  ['body_hash', 'text', (row) => row.bodyHash],
  ['recipient', 'text', (row) => row.recipient],
  ['recipient_given', 'text', (row) => row.recipientGiven],
  ['recipient_name', 'text', (row) => row.recipientName],
  ['sender', 'text', (row) => row.sender],
  ['subject', 'text', (row) => row.subject],
  ['scheduled_for', 'bigint', (row) => row.dueAt],
  ['contact_id', 'bigint', (row) => row.contactId],
  ['step_number', 'int', (row) => row.step],
  ['closes_at', 'bigint', (row) => row.closesAt],
];

const NAMES = COLUMNS.map(([name]) => name).join(', ');
const at = (n: number): string => `$${String(COLUMNS.length + n)}`;

/**
 * A page of messages with their places in the queue, in one statement. Ids are drawn first: that is how the places know
 * whose they are. Answers which of them were there already, by their places in the page.
 */
export function* storePlanRows(
  schema: string,
  common: PlanCommon,
  rows: readonly PlanRow[],
): Script<readonly number[]> {
  const made = rows.some(({ mail }) => mail !== null);
  const arrays = COLUMNS.map(([, type], n) => `$${String(n + 1)}::${type}[]`).join(', ');
  const frozen = `,
frozen as (
  insert into ${schema}.contents (message_id, bytes, mail)
  select i.id, octet_length(i.mail), i.mail from input i join fresh using (id) where i.mail is not null)`;
  const text = `
with input as materialized (
  select nextval('${schema}.messages_id_seq') as id, u.*
  from unnest(${arrays}, ${at(1)}::int[]${made ? `, ${at(11)}::text[]` : ''}) with ordinality
    as u(${NAMES}, line${made ? ', mail' : ''}, n)),
fresh as (
  insert into ${schema}.messages (id, ${NAMES}, lane, transactional, workspace_id, campaign_id, sequence_id,
    sequence_version, expires_at, retry_policy, doubt_policy, created_at)
  select id, ${NAMES}, 'campaign', 0, ${at(2)}::int, ${at(3)}::bigint, ${at(4)}::bigint, ${at(5)}::int,
    ${at(6)}::bigint, ${at(7)}::text, ${at(8)}::text, ${at(9)}::bigint
  from input
  on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing
  returning id),
waiting as (
  insert into ${schema}.due (message_id, workspace_id, channel_id, due_at, expires_at, closes_at, alone)
  select i.id, ${at(2)}::int, i.channel_id, i.scheduled_for, ${at(6)}::bigint, i.closes_at, i.line
  from input i join fresh using (id)),
counted as (
  insert into ${schema}.tallies (minute, workspace_id, channel_id, lane, state, n)
  select ${at(10)}::bigint, ${at(2)}::int, i.channel_id, 'campaign', 'accepted', count(*)
  from input i join fresh using (id) group by i.channel_id)${made ? frozen : ''}
select coalesce(json_agg(i.n - 1), '[]') as known from input i left join fresh f using (id) where f.id is null`;
  const parameters = [
    ...COLUMNS.map(([, , of]) => rows.map(of)),
    rows.map(({ line }) => line),
    common.workspaceId,
    common.campaignId,
    common.sequenceId,
    common.sequenceVersion,
    common.expiresAt,
    common.retryPolicy,
    common.doubtPolicy,
    common.now,
    Math.floor(common.now / 60_000),
    ...(made ? [rows.map(({ mail }) => mail)] : []),
  ];
  const [row] = yield* askCompiled<{ known: readonly number[] }>({ sql: text, parameters });
  return row?.known ?? [];
}

/** New times for what was halted; what is not halted any more stays as it is. Answers how many moved. */
export function* movePlanRows(schema: string, moves: readonly PlanMove[]): Script<number> {
  const [row] = yield* askCompiled<{ n: number }>({
    sql: `
with input as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::int[]) as u(id, due_at, closes_at, line)),
moved as (
  update ${schema}.due d set alone = i.line, due_at = i.due_at, closes_at = i.closes_at
  from input i where d.message_id = i.id and d.message_id = any($1::bigint[]) and d.alone = 3
  returning d.message_id),
kept as (
  update ${schema}.messages m set scheduled_for = i.due_at, closes_at = i.closes_at
  from input i join moved on moved.message_id = i.id where m.id = i.id and m.id = any($1::bigint[]))
select count(*) as n from moved`,
    parameters: [
      moves.map(({ id }) => id),
      moves.map(({ dueAt }) => dueAt),
      moves.map(({ closesAt }) => closesAt),
      moves.map(({ line }) => line),
    ],
  });
  return row?.n ?? 0;
}
