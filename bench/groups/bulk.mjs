// @ts-check
import { play } from '../children.mjs';
import { expectCount } from '../contenders/pillarbox.mjs';
import { withDatabase } from '../database.mjs';

/** @typedef {import('./group.mjs').Group} Group */

/** @type {[name: string, loader: string][]} */
const LOADERS = [
  ['pillarbox enqueueMany', 'pillarbox'],
  ['plain SQL, unnest 1000, 2 connections', 'raw'],
];

/** @type {Group} */
export const bulk = {
  title: 'Enqueue many mails in one call, random keys, PostgreSQL',
  notes: [
    'plain SQL: the same rows into messages, contents and due with ON CONFLICT; no checks, hashes, answers or wake-ups',
  ],
  metrics: { stored: 'mails/s', cpu: 'µs CPU of the caller a mail' },
  goals: [
    {
      of: 'pillarbox enqueueMany',
      metric: 'stored',
      against: 'plain SQL, unnest 1000, 2 connections',
      atLeast: 0.7,
    },
  ],
  open: async ({ ground, sizes }) =>
    LOADERS.map(([name, loader]) => ({ name, run: () => load(ground, loader, sizes.bulk) })),
};

/**
 * @param {import('../database.mjs').Ground} ground
 * @param {string} loader
 * @param {number} mails
 */
async function load(ground, loader, mails) {
  const place = await ground.fresh('postgres');
  const { url } = place;
  try {
    const result = await play('bulk', { loader, url, mails });
    await withDatabase(url, async (db) => {
      for (const table of ['messages', 'contents', 'due'])
        await expectCount(db, `select count(*) from ${table}`, mails);
    });
    return { stored: result['perSecond'], cpu: result['cpuMicroseconds'] };
  } finally {
    await place.drop();
  }
}
