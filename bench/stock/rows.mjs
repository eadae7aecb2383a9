// @ts-check
import { BODIES } from '../mails.mjs';
import { count } from '../database.mjs';
import { withoutIndexes } from './indexes.mjs';

/** @typedef {import('../database.mjs').Database} Database */
/** @typedef {{ workspaceId: number, firstChannelId: number, channels: number }} Channels */

const AT_ONCE = 250_000;
const DAY_MS = 24 * 3_600_000;
/** History is spread over so many days: younger than the retention, so that no sweep takes it away. */
const HISTORY_DAYS = 20;

/** Written by the database itself: millions of rows in minutes. What they hold is what the product would write. */
const MESSAGE_COLUMNS = `id, workspace_id, channel_id, lane, action, idempotency_key, recipient, sender, subject,
  scheduled_for, retry_policy, doubt_policy, transactional, created_at`;

/**
 * @param {Database} db
 * @param {Channels} channels
 * @param {string} at
 */
const messageValues = (db, { workspaceId, firstChannelId, channels }, at) => {
  const key = db.dialect === 'postgres' ? `substr(md5(i::text), 1, 16)` : 'lower(hex(randomblob(8)))';
  return `i, ${workspaceId}, ${firstChannelId} + i % ${channels}, 'outbox', 'email', ${key},
    'user' || i || '@example.test', 'pillarbox@localhost', 'Message number ' || i, ${at}, 'outbox', 'resend', 0, ${at}`;
};

/**
 * Mails that were sent and whose content is forgotten.
 *
 * @param {Database} db
 * @param {Channels} channels
 * @param {number} total
 */
export async function addFinished(db, channels, total) {
  const now = Date.now();
  const at = `${now - HISTORY_DAYS * DAY_MS} + i * ${Math.floor((HISTORY_DAYS * DAY_MS) / (total + 1))}`;
  await hurry(db);
  await withoutIndexes(db, ['messages', 'outcomes', 'attempts'], () =>
    inRanges(db, total, async (series) => {
      await db.query(`insert into messages (${MESSAGE_COLUMNS}) ${series(messageValues(db, channels, at))}`);
      await db.query(
        `insert into attempts (message_id, lease_id, channel_id, claimed_at, started_at, handed_at, finished_at, outcome, worker)
         ${series(`i, 1 + i / 500, ${channels.firstChannelId}, ${at}, ${at}, ${at}, ${at}, 'success', 'history:1'`)}`,
      );
      await db.query(
        `insert into outcomes (message_id, workspace_id, state, attempts, finished_at, lease_id)
         ${series(`i, ${channels.workspaceId}, 'sent', 1, ${at}, 1 + i / 500`)}`,
      );
    }),
  );
  await moveSequences(db);
}

/**
 * Mails that are due; with their contents if they shall be sent.
 *
 * @param {Database} db
 * @param {Channels} channels
 * @param {number} total
 * @param {{ contents: boolean }} with
 */
export async function addDue(db, channels, total, { contents }) {
  const now = String(Date.now());
  await hurry(db);
  const fill = () =>
    inRanges(db, total, async (series) => {
      await db.query(`insert into messages (${MESSAGE_COLUMNS}) ${series(messageValues(db, channels, now))}`);
      if (contents) {
        const bodies = BODIES.map((text, n) => `(${n}, '${text}')`).join(', ');
        await db.query(
          `insert into contents (message_id, bytes, mail)
           select id, length(mail), mail from (${series(`i as id, ${MAIL} as mail`, `join (select 0 as n, '' as text where false union all values ${bodies}) b on b.n = i % ${BODIES.length}`)}) c`,
        );
      }
      await db.query(
        `insert into due (message_id, workspace_id, channel_id, due_at)
         ${series(`i, ${channels.workspaceId}, ${channels.firstChannelId} + i % ${channels.channels}, ${now}`)}`,
      );
    });
  const isNew = (await count(db, 'select count(*) from (select 1 from due limit 1) d')) === 0;
  await (isNew ? withoutIndexes(db, ['messages', 'contents', 'due'], fill) : fill());
  await moveSequences(db);
}

/** As the outbox would have frozen it. */
const MAIL = `'{"from":{"email":"pillarbox@localhost"},"to":{"email":"user' || i || '@example.test"},"subject":"Message number '
  || i || '","text":"' || b.text || '"}'`;

/**
 * @param {Database} db
 * @param {number} total
 * @param {(series: (columns: string, join?: string) => string) => Promise<void>} insert
 */
async function inRanges(db, total, insert) {
  const first = (await count(db, 'select coalesce(max(id), 0) from messages')) + 1;
  for (let from = first; from < first + total; from += AT_ONCE) {
    const to = Math.min(first + total, from + AT_ONCE) - 1;
    const numbers =
      db.dialect === 'postgres'
        ? `select i from generate_series(${from}::bigint, ${to}) i`
        : `with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to}) select i from n`;
    await insert((columns, join = '') => `select ${columns} from (${numbers}) s ${join}`);
  }
}

/** Only while filling, on this connection only. @param {Database} db */
async function hurry(db) {
  const settings =
    db.dialect === 'postgres'
      ? [`set maintenance_work_mem = '512MB'`, 'set synchronous_commit = off']
      : ['pragma synchronous = off', 'pragma cache_size = -400000'];
  for (const setting of settings) await db.query(setting);
}

/** SQLite follows by itself. @param {Database} db */
async function moveSequences(db) {
  if (db.dialect === 'sqlite') return;
  await db.query(`select setval('messages_id_seq', (select max(id) from messages))`);
  await db.query(
    `select setval('leases_id_seq', greatest((select coalesce(max(lease_id), 1) from attempts), nextval('leases_id_seq')))`,
  );
}
