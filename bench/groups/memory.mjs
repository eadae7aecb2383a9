// @ts-check
import { play } from '../children.mjs';
import { expectCount } from '../contenders/pillarbox.mjs';
import { count, settleDown, withDatabase } from '../database.mjs';
import { percentile } from '../figures.mjs';
import { addChannels } from '../stock/channels.mjs';
import { addDue } from '../stock/rows.mjs';

const MEGABYTE = 1_000_000;
/** What a worker does by default; the goal is for that one. */
const USUAL_AT_ONCE = 20;
/** The second one is what the drain is measured with, for comparison. */
const AT_ONCE = [USUAL_AT_ONCE, 1_000];

/** @type {[engine: string, dialect: 'postgres' | 'sqlite'][]} */
const ENGINES = [
  ['PostgreSQL', 'postgres'],
  ['SQLite', 'sqlite'],
];

/**
 * @param {string} engine
 * @param {number} concurrency
 */
const nameOf = (engine, concurrency) => `${engine}, ${concurrency} at once`;

/** @type {import('./group.mjs').Group} */
export const memory = {
  title: 'Memory of a worker with a large backlog, 2 KB mails, sends of about 1 ms',
  notes: [
    'peak is the most the process ever had resident, from its start on; the backlog is filled up before each round',
  ],
  metrics: { peak: 'MB', usual: 'MB', drained: 'mails/s' },
  goals: ENGINES.map(([engine]) => ({ of: nameOf(engine, USUAL_AT_ONCE), metric: 'peak', atMost: 200 })),
  open: async ({ ground, sizes }) => {
    const runners = [];
    for (const [engine, dialect] of ENGINES) {
      const { url, drop } = await ground.fresh(dialect);
      const channels = await addChannels(url, 1, { blocked: false });
      const own = AT_ONCE.map((concurrency, place) => ({
        name: nameOf(engine, concurrency),
        run: () => watch(url, channels, sizes, concurrency),
        ...(place === 0 && { close: drop }),
      }));
      runners.push(...own);
    }
    return runners;
  },
};

/**
 * @param {string} url
 * @param {import('../stock/rows.mjs').Channels} channels
 * @param {import('../sizes.mjs').Sizes} sizes
 * @param {number} concurrency
 */
async function watch(url, channels, { backlog, memorySeconds: seconds }, concurrency) {
  const finished = await withDatabase(url, async (db) => {
    const missing = backlog - (await count(db, 'select count(*) from due'));
    await addDue(db, channels, missing, { contents: true });
    return count(db, 'select count(*) from outcomes');
  });
  await settleDown(url);
  const result = await play('memory', { url, workspace: 'bench', seconds, concurrency });
  await withDatabase(url, async (db) => {
    await expectCount(db, `select count(*) from outcomes where state = 'sent'`, finished + result['sent']);
    await expectCount(db, 'select count(*) from due', backlog - result['sent']);
    await expectCount(db, 'select count(*) from leases', 0);
  });
  return {
    peak: result['peak'] / MEGABYTE,
    usual: percentile(result['samples'], 0.5) / MEGABYTE,
    drained: result['drained'] / seconds,
  };
}
