import { freshClaim } from '../claimed-row.js';
import { COPIED_INTO_DUE, STORED_COLUMNS, type StoredColumn } from '../message-columns.js';
import type { Enqueued, LeasedEnqueue, NewMessage } from '../store.js';
import { askCompiled, type Script } from '../script.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

const STORED = STORED_COLUMNS.map(({ name }) => name).join(', ');
const COPIED = COPIED_INTO_DUE.join(', ');

/** What is written for what is given. */
const orNow = ({ stored }: StoredColumn, given: string): string =>
  stored === 'or now' ? `coalesce(${given}, t.now)` : given;

/**
 * Messages, contents and places in the queue in one statement, so that a single mail costs one round trip and
 * nothing exists without the rest. Ids are drawn first: that is how the answer knows which rows are new. The
 * wake-up is part of the statement, so it is heard when, and only when, the mail is committed. Rows go in by the
 * order of their keys: two groups that share keys then wait for each other in one direction only.
 */
export const enqueueStatement = (context: StatementContext): Prepared => ({
  name: 'pillarbox_enqueue',
  text: groupInto(context, {
    place: `
waiting as (
  insert into ${context.schema}.due (message_id, due_at, ${COPIED})
  select id, scheduled_for, ${COPIED} from fresh
  returning channel_id, due_at),
woken as (
  select pg_notify('${context.schema}', channel_id::text) from (
    select distinct channel_id from waiting cross join t where due_at <= t.now) w)`,
    answer: '(select count(*) from woken) as woken',
  }),
});

/** The same into the hands of the caller, under one lease. Nobody is woken: there is nothing for others to do. */
export const enqueueLeasedStatement = (context: StatementContext): Prepared => ({
  name: 'pillarbox_enqueue_leased',
  text: groupInto(context, {
    place: `
leased as (
  insert into ${context.schema}.leases (owner, until, claimed_at, alone, inline, ids)
  select $3, ${CLOCK} + ${String(context.leaseMs)}, (select now from t), 0, 1, array_agg(id order by id)
  from fresh having count(*) > 0
  returning id)`,
    answer: '(select id from leased) as lease, (select now from t) as claimed_at',
  }),
});

const groupInto = (
  { schema, now }: StatementContext,
  { place, answer }: { place: string; answer: string },
): string => `
with t as materialized (select ${now} as now),
input as materialized (
  select nextval('${schema}.messages_id_seq') as id, r.*
  from json_to_recordset($1::json) as r(
    n int, mark bigint, ${STORED_COLUMNS.map(({ name, type }) => `${name} ${type}`).join(', ')})),
fresh as (
  insert into ${schema}.messages (id, mark, ${STORED})
  select id, mark, ${STORED_COLUMNS.map((column) => orNow(column, column.name)).join(', ')}
  from input cross join t order by workspace_id, lane, idempotency_key, n
  on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing
  returning id, scheduled_for, ${COPIED}),
frozen as (
  insert into ${schema}.contents (message_id, bytes, mail)
  select i.id, octet_length(x.mail), x.mail
  from input i join fresh using (id) join unnest($2::text[]) with ordinality as x(mail, n) on x.n = i.n + 1
  where x.mail is not null),
counted as (
  insert into ${schema}.tallies (minute, workspace_id, channel_id, lane, state, n)
  select (select now from t) / 60000, i.workspace_id, i.channel_id, i.lane, 'accepted', count(*)
  from input i join fresh using (id) group by 2, 3, 4),
${place}
select i.n, i.id, fresh.id is not null as stored, ${answer}
from input i left join fresh using (id) order by i.n`;

const firstWithKey = (schema: string): string => `
select k.n, m.id, m.body_hash
from json_to_recordset($1::json) as k(n int, workspace_id int, lane text, key text)
join ${schema}.messages m on m.workspace_id = k.workspace_id and m.lane = k.lane and m.idempotency_key = k.key`;

/** JSON and not twenty arrays: serialised by native code. The mails are JSON already and stand beside it, unescaped. */
const groupParameters = (messages: readonly NewMessage[], marks: Marks): [string, (string | null)[]] => [
  JSON.stringify(messages.map((message, n) => toRecord(message, n, marks[n]))),
  messages.map((message) => message.mail),
];

/** What is null is left out: the database takes a missing name for null, and half of them would be. */
function toRecord(message: NewMessage, n: number, mark: number | undefined): Record<string, unknown> {
  const row: Record<string, unknown> = { n, mark };
  for (const { name, of } of STORED_COLUMNS) {
    const value = of(message);
    if (value !== null && value !== undefined) row[name] = value;
  }
  return row;
}

/** The same for one mail alone: without a list to unpack it takes the database two thirds of the time. */
export const enqueueOneStatement = ({ schema, now }: StatementContext): Prepared => ({
  name: 'pillarbox_enqueue_one',
  text: `
with t as materialized (select ${now} as now),
fresh as (
  insert into ${schema}.messages (mark, ${STORED})
  select $2::bigint, ${STORED_COLUMNS.map((column, n) => orNow(column, `$${String(n + 3)}::${column.type}`)).join(', ')} from t
  on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing
  returning id, scheduled_for, lane, ${COPIED}),
frozen as (
  insert into ${schema}.contents (message_id, bytes, mail) select id, octet_length($1::text), $1::text from fresh
  where $1::text is not null),
counted as (
  insert into ${schema}.tallies (minute, workspace_id, channel_id, lane, state, n)
  select t.now / 60000, workspace_id, channel_id, lane, 'accepted', 1 from fresh cross join t),
waiting as (
  insert into ${schema}.due (message_id, due_at, ${COPIED}) select id, scheduled_for, ${COPIED} from fresh),
woken as (
  select pg_notify('${schema}', channel_id::text) from fresh cross join t where scheduled_for <= t.now)
select 0 as n, id, true as stored, (select count(*) from woken) as woken from fresh`,
});

const oneParameters = (message: NewMessage, [mark]: Marks): unknown[] => [
  message.mail,
  mark ?? null,
  ...STORED_COLUMNS.map(({ of }) => of(message) ?? null),
];

/**
 * By which the messages of a call are found if its answer is lost, one each in their order. None inside a caller's own
 * transaction: there the caller is the one to know.
 */
export type Marks = readonly number[];

/** The two statements that store mails; others are only asked about keys that are known. */
export interface EnqueueStatements {
  readonly one: Prepared;
  readonly group: Prepared;
}

/** Ids come as text from a caller's own client: only ours parses them. */
export interface StoredRow {
  n: number;
  id: number | string;
  stored: boolean;
}

export function* enqueueMessages(
  messages: readonly NewMessage[],
  { one, group }: EnqueueStatements,
  schema: string,
  marks: Marks = [],
): Script<readonly Enqueued[]> {
  const [only, ...others] = messages;
  if (!only) return [];
  const rows = yield* askCompiled<StoredRow>(
    others.length === 0
      ? { sql: one.text, parameters: oneParameters(only, marks) }
      : { sql: group.text, parameters: groupParameters(messages, marks) },
  );
  return yield* answersOf(messages, rows, schema);
}

export function* enqueueLeased(
  messages: readonly NewMessage[],
  owner: string,
  { text }: Prepared,
  schema: string,
  marks: Marks,
): Script<LeasedEnqueue> {
  const rows = yield* askCompiled<StoredRow & { lease: number | null; claimed_at: number }>({
    sql: text,
    parameters: [...groupParameters(messages, marks), owner],
  });
  const enqueued = yield* answersOf(messages, rows, schema);
  const { lease = null, claimed_at: claimedAt = 0 } = rows[0] ?? {};
  if (lease === null) return { enqueued, claim: undefined };
  return { enqueued, claim: freshClaim(messages, enqueued, lease, claimedAt) };
}

/** What was stored, and for the others the first message with their key. */
export function* answersOf(
  messages: readonly NewMessage[],
  rows: readonly StoredRow[],
  schema: string,
): Script<readonly Enqueued[]> {
  const stored = new Set(rows.filter((row) => row.stored).map((row) => row.n));
  const known = messages.map((_, n) => n).filter((n) => !stored.has(n));
  const first = known.length === 0 ? new Map<number, Enqueued>() : yield* findFirst(messages, known, schema);
  return messages.map((message, n) => {
    const row = rows[n];
    if (row?.stored) return { id: Number(row.id), duplicate: false, bodyHash: message.bodyHash };
    const existing = first.get(n);
    if (existing) return existing;
    // Only a caller's transaction at REPEATABLE READ can be refused by a row that it is not allowed to see.
    throw new Error(
      'the key was taken by a transaction that this one cannot see; try again in a new transaction',
    );
  });
}

function* findFirst(
  messages: readonly NewMessage[],
  known: readonly number[],
  schema: string,
): Script<Map<number, Enqueued>> {
  const keys = known.map((n) => ({
    n,
    workspace_id: messages[n]?.workspaceId,
    lane: messages[n]?.lane,
    key: messages[n]?.idempotencyKey,
  }));
  const rows = yield* askCompiled<{ n: number; id: number | string; body_hash: string | null }>({
    sql: firstWithKey(schema),
    parameters: [JSON.stringify(keys)],
  });
  return new Map(
    rows.map((row) => [row.n, { id: Number(row.id), duplicate: true, bodyHash: row.body_hash }]),
  );
}
