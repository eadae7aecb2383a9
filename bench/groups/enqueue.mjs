// @ts-check
import { play } from '../children.mjs';
import { countSent } from '../contenders/pg-boss.mjs';
import { count, settleDown, withDatabase } from '../database.mjs';

const TOGETHER = 50;
const WARM_UP_SHARE = 0.1;

/** @typedef {import('../database.mjs').Database} Database */

/** @type {Record<string, (db: Database) => Promise<number>>} */
const STORED = {
  pillarbox: (db) =>
    count(db, 'select count(*) from messages join contents on message_id = id join due using (message_id)'),
  pgBoss: countSent,
};

/**
 * @param {import('./group.mjs').BenchContext} bench
 * @param {{ name: string, producer: string, callers: number, mails: number }} load
 * @returns {import('./group.mjs').Runner}
 */
const enqueuer = ({ ground }, { name, producer, callers, mails }) => ({
  name,
  run: async () => {
    const place = await ground.fresh('postgres');
    const { url } = place;
    const warmUp = Math.round(mails * WARM_UP_SHARE);
    try {
      await settleDown(url);
      const result = await play('enqueue', { producer, url, callers, mails, warmUp });
      const stored = await withDatabase(url, (db) => STORED[producer]?.(db) ?? Promise.resolve(NaN));
      if (stored !== mails + warmUp) throw new Error(`${name}: stored ${stored} of ${mails + warmUp} mails`);
      return { enqueued: result['perSecond'], cpu: result['cpuMicroseconds'] };
    } finally {
      await place.drop();
    }
  },
});

/** @type {import('./group.mjs').Group} */
export const enqueue = {
  title: 'Enqueue single mails, each call waits for its commit, PostgreSQL',
  notes: [
    'pillarbox: each mail is checked and has a unique idempotency key; calls that come together share a commit',
    'pg-boss send(): one insert and one commit a call, a connection for each caller up to 20, no unique key',
  ],
  metrics: { enqueued: 'mails/s', cpu: 'µs CPU of the caller a mail' },
  goals: [
    { of: 'pillarbox, 1 caller', metric: 'enqueued', against: 'pg-boss, 1 caller', atLeast: 1.3 },
    { of: 'pillarbox, 50 callers', metric: 'enqueued', against: 'pg-boss, 50 callers', atLeast: 4 },
  ],
  open: async (bench) => {
    const { enqueueAlone, enqueueTogether } = bench.sizes;
    const alone = { callers: 1, mails: enqueueAlone };
    const together = { callers: TOGETHER, mails: enqueueTogether };
    return [
      enqueuer(bench, { name: 'pillarbox, 1 caller', producer: 'pillarbox', ...alone }),
      enqueuer(bench, { name: 'pg-boss, 1 caller', producer: 'pgBoss', ...alone }),
      enqueuer(bench, { name: 'pillarbox, 50 callers', producer: 'pillarbox', ...together }),
      enqueuer(bench, { name: 'pg-boss, 50 callers', producer: 'pgBoss', ...together }),
    ];
  },
};
