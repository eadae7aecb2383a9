import { freshClaim } from '../claimed-row.js';
import type { Enqueued, HeldEnqueue, NewMessage } from '../store.js';
import { askCompiled, type Script } from '../script.js';
import { CLOCK, type Prepared, type StatementContext } from './time.js';

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
  insert into ${context.schema}.due (message_id, workspace_id, channel_id, due_at, expires_at)
  select i.id, i.workspace_id, i.channel_id, coalesce(i.due_at, t.now), i.expires_at
  from input i join fresh using (id) cross join t
  returning channel_id, due_at),
woken as (
  select pg_notify('${context.schema}', channel_id::text) from (
    select distinct channel_id from waiting cross join t where due_at <= t.now) w)`,
    answer: '(select count(*) from woken) as woken',
  }),
});

/** The same into the hands of the caller, under one lease. Nobody is woken: there is nothing for others to do. */
export const enqueueHeldStatement = (context: StatementContext): Prepared => ({
  name: 'pillarbox_enqueue_held',
  text: groupInto(context, {
    place: `
held as (
  insert into ${context.schema}.leases (owner, until, claimed_at, alone, inline, ids)
  select $3, ${CLOCK} + ${String(context.leaseMs)}, (select now from t), 0, 1, array_agg(id order by id)
  from fresh having count(*) > 0
  returning id)`,
    answer: '(select id from held) as lease, (select now from t) as claimed_at',
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
    n int, workspace_id int, channel_id int, lane text, action text, key text, hash text, recipient text,
    name text, sender text, subject text, due_at bigint, expires_at bigint, policy text, doubt text,
    transactional int, trace text)),
fresh as (
  insert into ${schema}.messages (id, workspace_id, channel_id, lane, action, idempotency_key, body_hash, recipient,
    recipient_name, sender, subject, scheduled_for, expires_at, retry_policy, doubt_policy, transactional, trace_id, created_at)
  select id, workspace_id, channel_id, lane, action, key, hash, recipient, name, sender, subject,
    coalesce(due_at, t.now), expires_at, policy, doubt, transactional, trace, t.now
  from input cross join t order by workspace_id, lane, key, n
  on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing
  returning id),
frozen as (
  insert into ${schema}.contents (message_id, bytes, mail)
  select i.id, octet_length(x.mail), x.mail
  from input i join fresh using (id) join unnest($2::text[]) with ordinality as x(mail, n) on x.n = i.n + 1),
counted as (
  insert into ${schema}.tallies (minute, workspace_id, channel_id, state, n)
  select (select now from t) / 60000, i.workspace_id, i.channel_id, 'accepted', count(*)
  from input i join fresh using (id) group by 2, 3),
${place}
select i.n, i.id, fresh.id is not null as stored, ${answer}
from input i left join fresh using (id) order by i.n`;

const firstWithKey = (schema: string): string => `
select k.n, m.id, m.body_hash
from json_to_recordset($1::json) as k(n int, workspace_id int, lane text, key text)
join ${schema}.messages m on m.workspace_id = k.workspace_id and m.lane = k.lane and m.idempotency_key = k.key`;

/** JSON and not fifteen arrays: serialised by native code. The mails are JSON already and stand beside it, unescaped. */
const groupParameters = (messages: readonly NewMessage[]): [string, string[]] => [
  JSON.stringify(
    messages.map((message, n) => ({
      n,
      workspace_id: message.workspaceId,
      channel_id: message.channelId,
      lane: message.lane,
      action: message.action,
      key: message.idempotencyKey,
      hash: message.bodyHash,
      recipient: message.recipient,
      name: message.recipientName,
      sender: message.sender,
      subject: message.subject,
      due_at: message.dueAt,
      expires_at: message.expiresAt,
      policy: message.retryPolicy,
      doubt: message.doubtPolicy,
      transactional: message.transactional ? 1 : 0,
      trace: message.traceId,
    })),
  ),
  messages.map((message) => message.mail),
];

/** The same for one mail alone: without a list to unpack it takes the database two thirds of the time. */
export const enqueueOneStatement = ({ schema, now }: StatementContext): Prepared => ({
  name: 'pillarbox_enqueue_one',
  text: `
with t as materialized (select ${now} as now),
fresh as (
  insert into ${schema}.messages (workspace_id, channel_id, lane, action, idempotency_key, body_hash, recipient,
    recipient_name, sender, subject, scheduled_for, expires_at, retry_policy, doubt_policy, transactional, trace_id, created_at)
  select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, coalesce($11, t.now), $12::bigint, $13, $14, $15, $16, t.now from t
  on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing
  returning id, workspace_id, channel_id, scheduled_for, expires_at),
frozen as (
  insert into ${schema}.contents (message_id, bytes, mail) select id, octet_length($17::text), $17::text from fresh),
counted as (
  insert into ${schema}.tallies (minute, workspace_id, channel_id, state, n)
  select t.now / 60000, workspace_id, channel_id, 'accepted', 1 from fresh cross join t),
waiting as (
  insert into ${schema}.due (message_id, workspace_id, channel_id, due_at, expires_at)
  select id, workspace_id, channel_id, scheduled_for, expires_at from fresh),
woken as (
  select pg_notify('${schema}', channel_id::text) from fresh cross join t where scheduled_for <= t.now)
select 0 as n, id, true as stored, (select count(*) from woken) as woken from fresh`,
});

const oneParameters = (message: NewMessage): unknown[] => [
  message.workspaceId,
  message.channelId,
  message.lane,
  message.action,
  message.idempotencyKey,
  message.bodyHash,
  message.recipient,
  message.recipientName,
  message.sender,
  message.subject,
  message.dueAt,
  message.expiresAt,
  message.retryPolicy,
  message.doubtPolicy,
  message.transactional ? 1 : 0,
  message.traceId,
  message.mail,
];

/** The two statements that store mails; others are only asked about keys that are known. */
export interface EnqueueStatements {
  readonly one: Prepared;
  readonly group: Prepared;
}

/** Ids come as text from a caller's own client: only ours parses them. */
interface StoredRow {
  n: number;
  id: number | string;
  stored: boolean;
}

export function* enqueueMessages(
  messages: readonly NewMessage[],
  { one, group }: EnqueueStatements,
  schema: string,
): Script<readonly Enqueued[]> {
  const [only, ...others] = messages;
  if (!only) return [];
  const rows = yield* askCompiled<StoredRow>(
    others.length === 0
      ? { sql: one.text, parameters: oneParameters(only) }
      : { sql: group.text, parameters: groupParameters(messages) },
  );
  return yield* answersOf(messages, rows, schema);
}

export function* enqueueHeld(
  messages: readonly NewMessage[],
  owner: string,
  { text }: Prepared,
  schema: string,
): Script<HeldEnqueue> {
  const rows = yield* askCompiled<StoredRow & { lease: number | null; claimed_at: number }>({
    sql: text,
    parameters: [...groupParameters(messages), owner],
  });
  const enqueued = yield* answersOf(messages, rows, schema);
  const { lease = null, claimed_at: claimedAt = 0 } = rows[0] ?? {};
  if (lease === null) return { enqueued, claim: undefined };
  return { enqueued, claim: freshClaim(messages, enqueued, lease, claimedAt) };
}

/** What was stored, and for the others the first message with their key. */
function* answersOf(
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
