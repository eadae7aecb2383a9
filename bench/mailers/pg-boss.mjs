// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { FIRST_COME, openBoss, pgBoss as tables, QUEUE } from '../contenders/pg-boss.mjs';
import { aLetter } from '../letters.mjs';
import { watchTables } from './mailer.mjs';
import { openPool } from './nodemailer-pool.mjs';

/** @typedef {import('../letters.mjs').Letter} Letter */

const FETCH = 100;
/** While one batch ends and the next is fetched, the others keep the connections busy. */
const LOOPS = 3;

/** @type {import('./mailer.mjs').Mailer} */
export const bossMailer = {
  title: 'pg-boss + nodemailer pool',
  keeps: `fetch(${FETCH}) and complete(ids) are each committed, ${LOOPS} loops; the completed job is kept; no gate, no history`,
  queue: 'postgres',
  fill: (url, mails) => tables.fill(url, mails, aLetter),

  consumer: async ({ url, smtp, handled }) => {
    const boss = await openBoss(url);
    const pool = openPool(smtp);
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
        /** @type {string[]} */
        const sent = [];
        await Promise.all(
          jobs.map(async ({ id, data }) => {
            try {
              await pool.send(/** @type {Letter} */ (data));
            } catch (error) {
              return boss.fail(QUEUE, id, { message: String(error) });
            }
            sent.push(id);
            handled();
          }),
        );
        await boss.complete(QUEUE, sent);
      }
    };
    return {
      start: async () => {
        loops = Array.from({ length: LOOPS }, loop);
      },
      stop: async () => {
        running = false;
        await Promise.all(loops);
        pool.close();
        await boss.stop({ graceful: false, wait: true });
      },
    };
  },

  watch: watchTables(tables),
};
