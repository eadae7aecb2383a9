import type { PlanCommon, PlanMove, PlanRow } from '../plan-row.js';
import { askCompiled, type Script } from '../script.js';

type Value = string | number | null;
type Column = readonly [name: string, type: 'int' | 'bigint' | 'text', of: (row: PlanRow) => Value];

/** What is different in every message of a page, by the columns that it becomes. */
const OWN: readonly Column[] = [
  ['idempotency_key', 'text', (row) => row.key],
  ['recipient', 'text', (row) => row.recipient],
  ['recipient_given', 'text', (row) => row.recipientGiven],
  ['recipient_name', 'text', (row) => row.recipientName],
  ['contact_id', 'bigint', (row) => row.contactId],
  ['scheduled_for', 'bigint', (row) => row.dueAt],
  ['closes_at', 'bigint', (row) => row.closesAt],
  ['body_hash', 'text', (row) => row.bodyHash],
];

/** What a step says by an account: the same for a thousand people, so it is passed once and named by its place. */
const SHARED: readonly Column[] = [
  ['channel_id', 'int', (row) => row.channelId],
  ['action', 'text', (row) => row.action],
  ['sender', 'text', (row) => row.sender],
  ['subject', 'text', (row) => row.subject],
  ['step_number', 'int', (row) => row.step],
];

const NAMES = [...OWN, ...SHARED].map(([name]) => name).join(', ');
const parameter = (n: number): string => `$${String(n + 1)}`;
const arrays = (columns: readonly Column[], from: number): readonly string[] =>
  columns.map(([, type], n) => `${parameter(from + n)}::${type}[]`);
const [PLACES, LINES, MAILS] = [OWN.length, OWN.length + 1, OWN.length + 2];
const SHARED_FROM = OWN.length + 3;
const at = (n: number): string => parameter(SHARED_FROM + SHARED.length - 1 + n);

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
  const shared = arrays(SHARED, SHARED_FROM).map(
    (array, n) => `(${array})[u.place] as ${SHARED[n]?.[0] ?? ''}`,
  );
  const frozen = `,
frozen as (
  insert into ${schema}.contents (message_id, bytes, mail)
  select i.id, octet_length(i.mail), i.mail from input i join fresh using (id) where i.mail is not null)`;
  const text = `
with input as materialized (
  select nextval('${schema}.messages_id_seq') as id, u.*, ${shared.join(', ')}
  from unnest(${arrays(OWN, 0).join(', ')}, ${parameter(PLACES)}::int[], ${parameter(LINES)}::int[],
    ${parameter(MAILS)}::text[]) with ordinality
    as u(${OWN.map(([name]) => name).join(', ')}, place, line, mail, n)),
fresh as (
  insert into ${schema}.messages (id, ${NAMES}, lane, transactional, workspace_id, campaign_id, sequence_id,
    sequence_version, expires_at, retry_policy, doubt_policy, created_at)
  select id, ${NAMES}, 'campaign', 0, ${at(1)}::int, ${at(2)}::bigint, ${at(3)}::bigint, ${at(4)}::int,
    ${at(5)}::bigint, ${at(6)}::text, ${at(7)}::text, ${at(8)}::bigint
  from input
  on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing
  returning id),
waiting as (
  insert into ${schema}.due (message_id, workspace_id, channel_id, due_at, expires_at, closes_at, alone)
  select i.id, ${at(1)}::int, i.channel_id, i.scheduled_for, ${at(5)}::bigint, i.closes_at, i.line
  from input i join fresh using (id)),
counted as (
  insert into ${schema}.tallies (minute, workspace_id, channel_id, lane, state, n)
  select ${at(9)}::bigint, ${at(1)}::int, i.channel_id, 'campaign', 'accepted', count(*)
  from input i join fresh using (id) group by i.channel_id)${made ? frozen : ''}
select coalesce(json_agg(i.n - 1), '[]') as known from input i left join fresh f using (id) where f.id is null`;
  const { firsts, places } = sharedOf(rows);
  const parameters = [
    ...OWN.map(([, , of]) => arrayOf(rows.map(of))),
    arrayOf(places),
    arrayOf(rows.map(({ line }) => line)),
    arrayOf(made ? rows.map(({ mail }) => mail) : []),
    ...SHARED.map(([, , of]) => arrayOf(firsts.map(of))),
    common.workspaceId,
    common.campaignId,
    common.sequenceId,
    common.sequenceVersion,
    common.expiresAt,
    common.retryPolicy,
    common.doubtPolicy,
    common.now,
    Math.floor(common.now / 60_000),
  ];
  const [row] = yield* askCompiled<{ known: readonly number[] }>({ sql: text, parameters });
  return row?.known ?? [];
}

/** The first row of each account and step, and which of them each row is like, counted from 1. */
function sharedOf(rows: readonly PlanRow[]): {
  readonly firsts: readonly PlanRow[];
  readonly places: readonly number[];
} {
  const firsts: PlanRow[] = [];
  const known = new Map<number, Map<string | null, number>[]>();
  const places = rows.map((row) => {
    const steps = known.get(row.channelId) ?? [];
    if (steps.length === 0) known.set(row.channelId, steps);
    const subjects = (steps[row.step ?? 0] ??= new Map<string | null, number>());
    const place = subjects.get(row.subject);
    if (place !== undefined) return place;
    subjects.set(row.subject, firsts.push(row));
    return firsts.length;
  });
  return { firsts, places };
}

/** As the server reads it. The driver's own way, which knows dates, bytes and lists of lists, costs three times as much. */
function arrayOf(values: readonly Value[]): string {
  // What is missing at the end of one array beside longer ones is null.
  if (values.every((value) => value === null)) return '{}';
  let text = '';
  for (const value of values) text += text === '' ? elementOf(value) : `,${elementOf(value)}`;
  return `{${text}}`;
}

function elementOf(value: Value): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return 'NULL';
  return `"${/["\\]/.test(value) ? value.replace(/["\\]/g, '\\$&') : value}"`;
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
