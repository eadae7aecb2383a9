// @ts-check
import { addDue, addFinished } from './rows.mjs';

/** @typedef {import('../database.mjs').Database} Database */
/** @typedef {import('./rows.mjs').Channels} Channels */

export const CAUSES = 12;
/** One in so many finished messages is dead, held or cancelled. */
const DEAD = 20;
const HELD = 2_000;
const CANCELLED = 50;
/** One in so many messages waits; of those, one in so many for another try. */
const WAITING = 8;
const RETRIED = 10;
/** So much of the history is of today. */
const MINUTES_OF_TODAY = 1_000;

/**
 * An installation that has been used for weeks: most of it sent, a lot dead of a few causes, some held, many
 * waiting for a time to come.
 *
 * @param {Database} db
 * @param {Channels} channels
 * @param {number} total
 */
export async function addArchive(db, channels, total) {
  const waiting = Math.floor(total / WAITING);
  await addFinished(db, channels, total - waiting);
  const { workspaceId, firstChannelId } = channels;
  for (const [state, share, more] of /** @type {const} */ ([
    ['dead', DEAD, `, reason = 'max_attempts', fingerprint = 'cause' || (message_id / ${DEAD}) % ${CAUSES}`],
    ['held', HELD, ''],
    ['cancelled', CANCELLED, `, reason = 'cancelled_by_person'`],
  ])) {
    await db.query(
      `update outcomes set state = '${state}'${more} where message_id % ${share} = ${state === 'held' ? 1 : 0} and state = 'sent'`,
    );
  }
  await addDue(db, channels, waiting, { contents: false });
  await db.query(`update due set due_at = due_at + 86400000`);
  await db.query(`update due set tried = 1 where message_id % ${RETRIED} = 0`);
  await db.query(
    `insert into dead_causes (workspace_id, fingerprint, transport, class, code, sample) values ${Array.from(
      { length: CAUSES },
      (_, n) => `(${workspaceId}, 'cause${n}', 'smtp', 'retryable', '451 4.3.${n}', 'not now')`,
    ).join(', ')}`,
  );
  await addCounters(db, channels);
  const thisMinute = Math.floor(Date.now() / 60_000);
  const minutes = Array.from(
    { length: MINUTES_OF_TODAY },
    (_, n) => `(${workspaceId}, ${thisMinute - n}, ${firstChannelId + (n % channels.channels)}, 'sent', 100)`,
  );
  await db.query(
    `insert into minutes (workspace_id, minute, channel_id, state, n) values ${minutes.join(', ')}`,
  );
}

/**
 * What the product would have counted on the way.
 *
 * @param {Database} db
 * @param {Channels} channels
 */
async function addCounters(db, { workspaceId }) {
  await db.query('delete from counts');
  await db.query(
    `insert into counts (workspace_id, state, lane, n) select ${workspaceId}, 'accepted', 'outbox', count(*) from messages`,
  );
  await db.query(
    `insert into counts (workspace_id, state, lane, fingerprint, n)
     select ${workspaceId}, state, 'outbox', coalesce(fingerprint, ''), count(*) from outcomes group by 2, 4`,
  );
  await db.query(
    `insert into deaths (workspace_id, fingerprint, hour, channel_id, n)
     select ${workspaceId}, o.fingerprint, o.finished_at / 3600000 * 3600000, m.channel_id, count(*)
     from outcomes o join messages m on m.id = o.message_id where o.fingerprint is not null group by 2, 3, 4`,
  );
}
