// @ts-check
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import pg from 'pg';
import { count } from '../database.mjs';
import { aMail } from '../mails.mjs';
import { expectCount } from './pillarbox.mjs';

export const TASK = 'mail';
export const LOCAL_QUEUE = 500;
const CONCURRENCY = 20;
const FILL_AT_ONCE = 1_000;
export const logger = new Logger(() => () => {});

/** @param {string} connectionString */
export function openPool(connectionString) {
  const pool = new pg.Pool({ connectionString, max: 20 });
  // Without listeners it warns that there are none.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * With all of its documented ways to be fast: a local queue and batched completion.
 *
 * @type {import('./pillarbox.mjs').Contender}
 */
export const graphileWorker = {
  title: `graphile-worker localQueue ${LOCAL_QUEUE}, batched completion`,
  keeps: 'fetch and completion are each committed; a finished job is deleted; no gate, no history',

  async fill(url, total, mailOf = aMail) {
    const pgPool = openPool(url);
    const utils = await makeWorkerUtils({ pgPool, logger });
    await utils.migrate();
    for (let from = 0; from < total; from += FILL_AT_ONCE) {
      const size = Math.min(FILL_AT_ONCE, total - from);
      await utils.addJobs(
        Array.from({ length: size }, (_, n) => ({ identifier: TASK, payload: mailOf(from + n) })),
      );
    }
    await utils.release();
    await pgPool.end();
  },

  async consumer(url, handled) {
    const pgPool = openPool(url);
    /** @type {import('graphile-worker').Runner | undefined} */
    let runner;
    return {
      start: async () => {
        runner = await run({
          pgPool,
          logger,
          concurrency: CONCURRENCY,
          noHandleSignals: true,
          pollInterval: 2_000,
          taskList: { [TASK]: async () => handled() },
          preset: {
            worker: { localQueue: { size: LOCAL_QUEUE }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
          },
        });
      },
      stop: async () => {
        await runner?.stop();
        await pgPool.end();
      },
    };
  },

  isEmpty: async (db) =>
    (await count(
      db,
      `select case when exists (select 1 from graphile_worker._private_jobs) then 1 else 0 end`,
    )) === 0,

  check: (db) => expectCount(db, 'select count(*) from graphile_worker._private_jobs', 0),
};
