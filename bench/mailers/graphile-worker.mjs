// @ts-check
import { run } from 'graphile-worker';
import {
  graphileWorker as tables,
  LOCAL_QUEUE,
  logger,
  openPool as openDatabasePool,
  TASK,
} from '../contenders/graphile-worker.mjs';
import { aLetter } from '../letters.mjs';
import { AT_ONCE, watchTables } from './mailer.mjs';
import { openPool } from './nodemailer-pool.mjs';

/** @type {import('./mailer.mjs').Mailer} */
export const graphileMailer = {
  title: 'graphile-worker + nodemailer pool',
  keeps: `localQueue ${LOCAL_QUEUE}, batched completion, ${AT_ONCE} at once; a finished job is deleted; no gate, no history`,
  queue: 'postgres',
  fill: (url, mails) => tables.fill(url, mails, aLetter),

  consumer: async ({ url, smtp, handled }) => {
    const pgPool = openDatabasePool(url);
    const pool = openPool(smtp);
    /** @type {import('graphile-worker').Runner | undefined} */
    let runner;
    /** @type {import('graphile-worker').Task} */
    const task = async (payload) => {
      await pool.send(/** @type {import('../letters.mjs').Letter} */ (payload));
      handled();
    };
    return {
      start: async () => {
        runner = await run({
          pgPool,
          logger,
          concurrency: AT_ONCE,
          noHandleSignals: true,
          pollInterval: 2_000,
          taskList: { [TASK]: task },
          preset: {
            worker: { localQueue: { size: LOCAL_QUEUE }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
          },
        });
      },
      stop: async () => {
        await runner?.stop();
        pool.close();
        await pgPool.end();
      },
    };
  },

  watch: watchTables(tables),
};
