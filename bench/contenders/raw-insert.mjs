// @ts-check
import pg from 'pg';
import { withDatabase } from '../database.mjs';
import { timed } from '../figures.mjs';

const ROWS = 1_000;
const CONNECTIONS = 2;

/** Every column that the product fills, as it fills it, with its type for unnest. */
const COLUMNS = {
  workspace_id: 'int',
  channel_id: 'int',
  lane: 'text',
  action: 'text',
  idempotency_key: 'text',
  body_hash: 'text',
  recipient: 'text',
  recipient_name: 'text',
  sender: 'text',
  subject: 'text',
  scheduled_for: 'bigint',
  expires_at: 'bigint',
  retry_policy: 'text',
  doubt_policy: 'text',
  transactional: 'int',
  trace_id: 'text',
  created_at: 'bigint',
};

const names = Object.keys(COLUMNS);
const types = Object.values(COLUMNS);
const INSERT = `
with input as materialized (
  select nextval('pillarbox.messages_id_seq') as id, u.*
  from unnest(${[...types, 'text'].map((type, n) => `$${n + 1}::${type}[]`).join(', ')}) as u(${names.join(', ')}, mail)),
fresh as (
  insert into pillarbox.messages (id, ${names.join(', ')}) select id, ${names.join(', ')} from input
  on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing returning id),
frozen as (
  insert into pillarbox.contents (message_id, bytes, mail)
  select id, octet_length(mail), mail from input join fresh using (id))
insert into pillarbox.due (message_id, workspace_id, channel_id, due_at)
select id, workspace_id, channel_id, scheduled_for from input join fresh using (id)`;

/**
 * The limit of this layout: the same rows into the same three tables, with the same conflict handling, and nothing
 * of what makes them mail: no checks, no hash, no answer, no wake-up.
 *
 * @param {string} url
 * @param {readonly import('../mails.mjs').BenchMail[]} mails
 */
export async function insertRaw(url, mails) {
  const [channel] = await withDatabase(url, (db) =>
    db.query('select id, workspace_id from channels order by id limit 1'),
  );
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  let next = 0;
  const load = async (/** @type {pg.Client} */ client) => {
    while (next < mails.length) {
      const batch = mails.slice(next, (next += ROWS));
      await client.query({ name: 'insert', text: INSERT, values: columnsOf(batch, channel ?? {}) });
    }
  };
  const cost = await timed(() => Promise.all(clients.map(load)));
  await Promise.all(clients.map((client) => client.end()));
  return cost;
}

/**
 * @param {readonly import('../mails.mjs').BenchMail[]} batch
 * @param {Record<string, unknown>} channel
 */
function columnsOf(batch, channel) {
  const now = Date.now();
  const same = (/** @type {unknown} */ value) => batch.map(() => value);
  return [
    same(channel['workspace_id']),
    same(channel['id']),
    same('outbox'),
    same('email'),
    batch.map((mail) => mail.idempotencyKey),
    batch.map((mail) => `hash-of-${mail.idempotencyKey}`.slice(0, 22)),
    batch.map((mail) => mail.to),
    same(null),
    same('pillarbox@localhost'),
    batch.map((mail) => mail.subject),
    same(now),
    same(null),
    same('outbox'),
    same('resend'),
    same(0),
    same(null),
    same(now),
    batch.map(({ to, subject, text }) =>
      JSON.stringify({ from: { email: 'pillarbox@localhost' }, to: { email: to }, subject, text }),
    ),
  ];
}
