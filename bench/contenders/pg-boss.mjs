// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import PgBoss from 'pg-boss';
import { count } from '../database.mjs';
import { aMail } from '../mails.mjs';
import { expectCount } from './pillarbox.mjs';

export const QUEUE = 'mail';
const FETCH = 500;
const LOOPS = 2;
const MOST_CONNECTIONS = 20;
const FILL_AT_ONCE = 1_000;
/** Spares it the look at priorities and start times, which no mail here has. */
export const FIRST_COME = { priority: false, ignoreStartAfter: true };

/**
 * Without its maintenance and cron loops, which would only cost it time.
 *
 * @param {string} connectionString
 * @param {number} [connections]
 */
export async function openBoss(connectionString, connections = MOST_CONNECTIONS) {
  const boss = new PgBoss({ connectionString, max: connections, supervise: false, schedule: false });
  boss.on('error', (error) => console.error('pg-boss:', error.message));
  await boss.start();
  return boss;
}

/**
 * Its fastest drain: `work()` polls twice a second at most, so batches are fetched and completed by hand.
 *
 * @type {import('./pillarbox.mjs').Contender}
 */
export const pgBoss = {
  title: `pg-boss fetch(${FETCH}), complete(ids), ${LOOPS} loops`,
  keeps:
    'fetch and complete are each committed; the completed job is kept with its data; no gate, no history',

  async fill(url, total, mailOf = aMail) {
    const boss = await openBoss(url);
    await boss.createQueue(QUEUE);
    for (let from = 0; from < total; from += FILL_AT_ONCE) {
      const size = Math.min(FILL_AT_ONCE, total - from);
      await boss.insert(Array.from({ length: size }, (_, n) => ({ name: QUEUE, data: mailOf(from + n) })));
    }
    await boss.stop({ graceful: false, wait: true });
  },

  async consumer(url, handled) {
    const boss = await openBoss(url);
    let running = true;
    /** @type {Promise<void>[]} */
    let loops = [];
    const loop = async () => {
      while (running) {
        const jobs = await boss.fetch(QUEUE, { batchSize: FETCH, ...FIRST_COME });
        if (jobs.length === 0) {
          await sleep(20);
          continue;
        }
        for (const _ of jobs) handled();
        await boss.complete(
          QUEUE,
          jobs.map((job) => job.id),
        );
      }
    };
    return {
      start: async () => {
        loops = Array.from({ length: LOOPS }, loop);
      },
      stop: async () => {
        running = false;
        await Promise.all(loops);
        await boss.stop({ graceful: false, wait: true });
      },
    };
  },

  isEmpty: async (db) =>
    (await count(
      db,
      `select case when exists (select 1 from pgboss.job where name = '${QUEUE}' and state < 'completed') then 1 else 0 end`,
    )) === 0,

  check: (db, total) =>
    expectCount(db, `select count(*) from pgboss.job where name = '${QUEUE}' and state = 'completed'`, total),
};

/**
 * @param {string} url
 * @param {number} callers
 */
export async function bossProducer(url, callers) {
  const boss = await openBoss(url, Math.min(callers, MOST_CONNECTIONS));
  await boss.createQueue(QUEUE);
  return {
    /** @param {import('../mails.mjs').BenchMail} mail */
    send: (mail) => boss.send(QUEUE, mail),
    stop: () => boss.stop({ graceful: false, wait: true }),
  };
}

/** @param {import('../database.mjs').Database} db */
export const countSent = (db) => count(db, `select count(*) from pgboss.job where name = '${QUEUE}'`);
