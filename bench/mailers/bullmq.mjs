// @ts-check
import { Queue, Worker } from 'bullmq';
import { aLetter } from '../letters.mjs';
import { AT_ONCE } from './mailer.mjs';
import { openPool } from './nodemailer-pool.mjs';

const QUEUE = 'mail';
const FILL_AT_ONCE = 1_000;

/** @param {string} url */
function connectionTo(url) {
  const { hostname: host, port } = new URL(url);
  return { host, port: Number(port), maxRetriesPerRequest: null };
}

/** @type {import('./mailer.mjs').Mailer} */
export const bullmqMailer = {
  title: 'BullMQ + nodemailer pool',
  keeps: `Redis with appendfsync everysec: a power cut may take the last second; ${AT_ONCE} at once; a finished job is deleted`,
  queue: 'redis',

  fill: async (url, total) => {
    const queue = new Queue(QUEUE, { connection: connectionTo(url) });
    for (let from = 0; from < total; from += FILL_AT_ONCE) {
      const size = Math.min(FILL_AT_ONCE, total - from);
      await queue.addBulk(
        Array.from({ length: size }, (_, n) => ({
          name: QUEUE,
          data: aLetter(from + n),
          opts: { removeOnComplete: true },
        })),
      );
    }
    await queue.close();
  },

  consumer: async ({ url, smtp, handled }) => {
    const pool = openPool(smtp);
    const worker = new Worker(
      QUEUE,
      async ({ data }) => {
        await pool.send(data);
        handled();
      },
      { connection: connectionTo(url), concurrency: AT_ONCE, autorun: false },
    );
    worker.on('error', (error) => console.error('BullMQ:', error.message));
    await worker.waitUntilReady();
    return {
      start: () => worker.run(),
      stop: async () => {
        await worker.close();
        pool.close();
      },
    };
  },

  watch: async (url) => {
    const queue = new Queue(QUEUE, { connection: connectionTo(url) });
    const left = () => queue.getJobCountByTypes('waiting', 'active', 'delayed', 'prioritized', 'failed');
    return {
      isEmpty: async () => (await left()) === 0,
      check: async () => {
        const failed = await queue.getFailedCount();
        if (failed > 0) throw new Error(`BullMQ: ${failed} mails failed`);
      },
      close: () => queue.close(),
    };
  },
};
