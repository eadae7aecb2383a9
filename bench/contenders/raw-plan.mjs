// @ts-check
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';
import { formatId } from '../../dist/core/ids.js';
import { STEPS } from '../stock/campaign.mjs';

const ROWS = 1_000;
const CONNECTIONS = 2;

/** Every column that the planner fills, with its type for unnest. */
const COLUMNS = {
  ...{ workspace_id: 'int', channel_id: 'int', lane: 'text', action: 'text', idempotency_key: 'text' },
  ...{
    body_hash: 'text',
    recipient: 'text',
    recipient_given: 'text',
    recipient_name: 'text',
    sender: 'text',
  },
  ...{ subject: 'text', scheduled_for: 'bigint', closes_at: 'bigint', expires_at: 'bigint' },
  ...{ retry_policy: 'text', doubt_policy: 'text', transactional: 'int', created_at: 'bigint' },
  ...{ campaign_id: 'bigint', contact_id: 'bigint', sequence_id: 'bigint', sequence_version: 'int' },
  step_number: 'int',
};
const names = Object.keys(COLUMNS);
const CONFLICT =
  'on conflict (workspace_id, lane, idempotency_key) where idempotency_key is not null do nothing';

const POSTGRES = `
with input as materialized (
  select nextval('pillarbox.messages_id_seq') as id, u.*
  from unnest(${[...Object.values(COLUMNS), 'int'].map((type, n) => `$${n + 1}::${type}[]`).join(', ')})
    as u(${names.join(', ')}, line)),
fresh as (
  insert into pillarbox.messages (id, ${names.join(', ')}) select id, ${names.join(', ')} from input
  ${CONFLICT} returning id)
insert into pillarbox.due (message_id, workspace_id, channel_id, due_at, alone)
select id, workspace_id, channel_id, scheduled_for, line from input join fresh using (id)`;

/**
 * The limit of this layout: the same rows into the same two tables, with the same conflict handling, and nothing of what
 * makes them a plan: nobody is read, no time is looked for, nothing is counted.
 *
 * @param {string} url
 * @param {number} people
 * @param {import('../stock/campaign.mjs').Stocked} stocked
 */
export const planRaw = (url, people, stocked) =>
  url.startsWith('sqlite:') ? intoSqlite(url, people, stocked) : intoPostgres(url, people, stocked);

/**
 * @param {number} n
 * @param {import('../stock/campaign.mjs').Stocked} stocked
 * @returns {(string | number | null)[]} the columns, and the line in which it waits
 */
function rowOf(n, { workspaceId, campaignId, sequenceId, channelIds }) {
  const person = Math.floor(n / STEPS) + 1;
  const step = (n % STEPS) + 1;
  const key = `${formatId('contact', person)}:${formatId('sequence', sequenceId)}:${step}`;
  const channel = channelIds[person % channelIds.length] ?? 0;
  const at = Date.now() + step * 86_400_000 + person;
  return [
    ...[workspaceId, channel, 'campaign', 'email', key, null, `person${person}@example.test`, null],
    ...[
      `Person ${person}`,
      `sender${person % channelIds.length}@example.test`,
      `Step ${step}`,
      at,
      null,
      null,
    ],
    ...['campaign', 'hold', 0, Date.now(), campaignId, person, sequenceId, 1, step],
    step === 1 ? 0 : 2,
  ];
}

/**
 * @param {string} url
 * @param {number} people
 * @param {import('../stock/campaign.mjs').Stocked} stocked
 */
async function intoPostgres(url, people, stocked) {
  const clients = Array.from({ length: CONNECTIONS }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  let next = 0;
  const load = async (/** @type {pg.Client} */ client) => {
    while (next < people * STEPS) {
      const from = next;
      next += ROWS;
      const count = Math.min(ROWS, people * STEPS - from);
      const rows = Array.from({ length: count }, (_, n) => rowOf(from + n, stocked));
      const values = Array.from({ length: names.length + 1 }, (_, column) => rows.map((row) => row[column]));
      await client.query({ name: 'insert', text: POSTGRES, values });
    }
  };
  return {
    work: () => Promise.all(clients.map(load)),
    close: async () => void (await Promise.all(clients.map((client) => client.end()))),
  };
}

/**
 * @param {string} url
 * @param {number} people
 * @param {import('../stock/campaign.mjs').Stocked} stocked
 */
async function intoSqlite(url, people, stocked) {
  const db = new DatabaseSync(url.slice('sqlite:'.length));
  for (const pragma of ['journal_mode = wal', 'synchronous = full', 'wal_autocheckpoint = 4000'])
    db.exec(`pragma ${pragma}`);
  const message = db.prepare(
    `insert into messages (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) ${CONFLICT}`,
  );
  const due = db.prepare(
    'insert into due (message_id, workspace_id, channel_id, due_at, alone) values (?, ?, ?, ?, ?)',
  );
  const work = async () => {
    for (let from = 0; from < people * STEPS; from += ROWS) {
      db.exec('begin immediate');
      for (let n = from; n < Math.min(from + ROWS, people * STEPS); n += 1) {
        const row = rowOf(n, stocked);
        const { changes, lastInsertRowid } = message.run(...row.slice(0, -1));
        const [workspace = null, channel = null] = row;
        if (changes > 0) due.run(lastInsertRowid, workspace, channel, row[11] ?? null, row.at(-1) ?? 0);
      }
      db.exec('commit');
      // As the planner must: others have their turn between two transactions.
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { work, close: async () => db.close() };
}
