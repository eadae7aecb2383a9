// @ts-check
import { DatabaseSync } from '@photostructure/sqlite';
import { expectCount, pillarbox } from './pillarbox.mjs';

const CLAIM = 500;
const WORKER = 'raw';
const LEASE_MS = 120_000;

/**
 * The limit of this layout on SQLite: the same tables, file and durability, prepared statements, one loop. It
 * claims and settles, and leaves out all that makes a mail engine: gate, suppression, turns, retries, tallies.
 *
 * @type {import('./pillarbox.mjs').Contender}
 */
export const rawSqlite = {
  title: `plain SQL, claim ${CLAIM} and settle, no gate`,
  keeps: 'claim and settle are each committed; outcome, history and content are kept',
  fill: pillarbox.fill,

  async consumer(url, handled) {
    const db = new DatabaseSync(url.slice('sqlite:'.length));
    for (const pragma of ['journal_mode = wal', 'synchronous = full', 'wal_autocheckpoint = 4000'])
      db.exec(`pragma ${pragma}`);
    const step = statements(db);
    const loop = async () => {
      for (let claim = step.claim(); claim; claim = step.claim()) {
        for (const _ of claim.messages) handled();
        step.settle(claim);
        // As the engine must: the event loop gets its turn between two transactions.
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    /** @type {Promise<void> | undefined} */
    let looping;
    return {
      start: () => (looping = loop()),
      stop: async () => {
        await looping;
        db.close();
      },
    };
  },

  isEmpty: pillarbox.isEmpty,

  async check(db, total) {
    await expectCount(db, `select count(*) from outcomes where state = 'sent'`, total);
    await expectCount(db, `select count(*) from attempts where outcome = 'success'`, total);
    await expectCount(db, `select (select count(*) from due) + (select count(*) from leases)`, 0);
  },
};

/** @typedef {{ lease: number, claimedAt: number, messages: Record<string, any>[] }} RawClaim */

/** @param {InstanceType<typeof DatabaseSync>} db */
function statements(db) {
  const begin = db.prepare('begin immediate');
  const commit = db.prepare('commit');
  const channel = /** @type {{ channel_id: number }} */ (
    db.prepare('select channel_id from due limit 1').get()
  ).channel_id;
  const take = db.prepare(`
    delete from due where message_id in (
      select message_id from due where channel_id = ? and alone = 0 and due_at <= ? order by due_at, message_id limit ?)
    returning message_id`);
  const insertLease = db.prepare(
    `insert into leases (owner, until, claimed_at, alone, ids) values (?, ?, ?, 0, ?)`,
  );
  const read = db.prepare(`
    select m.id, m.workspace_id, m.channel_id, m.recipient, m.sender, m.expires_at, m.retry_policy, m.attempts, x.mail
    from messages m join contents x on x.message_id = m.id where m.id = ?`);
  const insertAttempt = db.prepare(`
    insert into attempts (message_id, lease_id, channel_id, claimed_at, started_at, handed_at, finished_at, outcome, worker)
    values (?, ?, ?, ?, ?, ?, ?, 'success', ?)`);
  const insertOutcome = db.prepare(`
    insert into outcomes (message_id, workspace_id, state, attempts, finished_at, lease_id)
    values (?, ?, 'sent', ?, ?, ?)`);
  const deleteLease = db.prepare('delete from leases where id = ?');

  return {
    /** @returns {RawClaim | undefined} */
    claim: () => {
      const claimedAt = Date.now();
      begin.run();
      const ids = /** @type {{ message_id: number }[]} */ (take.all(channel, claimedAt, CLAIM)).map(
        (row) => row.message_id,
      );
      if (ids.length === 0) {
        commit.run();
        return undefined;
      }
      const { lastInsertRowid } = insertLease.run(
        WORKER,
        claimedAt + LEASE_MS,
        claimedAt,
        JSON.stringify(ids),
      );
      const messages = ids.map((id) => /** @type {Record<string, any>} */ (read.get(id)));
      commit.run();
      return { lease: Number(lastInsertRowid), claimedAt, messages };
    },
    /** @param {RawClaim} claim */
    settle: ({ lease, claimedAt, messages }) => {
      const now = Date.now();
      begin.run();
      for (const { id, channel_id, workspace_id, attempts } of messages) {
        insertAttempt.run(id, lease, channel_id, claimedAt, claimedAt, now, now, WORKER);
        insertOutcome.run(id, workspace_id, attempts + 1, now, lease);
      }
      deleteLease.run(lease);
      commit.run();
    },
  };
}
