// @ts-check
import { play } from '../children.mjs';
import { expectCount } from '../contenders/pillarbox.mjs';
import { count, settleDown, withDatabase } from '../database.mjs';
import { percentile } from '../figures.mjs';
import { addChannels } from '../stock/channels.mjs';
import { addDue } from '../stock/rows.mjs';

const CONCURRENCY = 1_000;
const MEGABYTE = 1_000_000;

/** @type {[name: string, dialect: 'postgres' | 'sqlite'][]} */
const CASES = [
  ['PostgreSQL', 'postgres'],
  ['SQLite', 'sqlite'],
];

/** @type {import('./group.mjs').Group} */
export const memory = {
  title: 'Memory of a worker with a large backlog, 2 KB mails, sends of about 1 ms, 1000 at once',
  notes: [
    'peak is the most the process ever had resident, from its start on; the backlog is filled up before each round',
  ],
  metrics: { peak: 'MB', usual: 'MB', drained: 'mails/s' },
  goals: CASES.map(([of]) => ({ of, metric: 'peak', atMost: 200 })),
  open: async (bench) => {
    const runners = [];
    for (const [name, dialect] of CASES) runners.push(await watcher(bench, name, dialect));
    return runners;
  },
};

/**
 * @param {import('./group.mjs').BenchContext} bench
 * @param {string} name
 * @param {'postgres' | 'sqlite'} dialect
 * @returns {Promise<import('./group.mjs').Runner>}
 */
async function watcher({ ground, sizes }, name, dialect) {
  const { url, drop } = await ground.fresh(dialect);
  const channels = await addChannels(url, 1, { blocked: false });
  const run = async () => {
    const finished = await withDatabase(url, async (db) => {
      const missing = sizes.backlog - (await count(db, 'select count(*) from due'));
      await addDue(db, channels, missing, { contents: true });
      return count(db, 'select count(*) from outcomes');
    });
    await settleDown(url);
    const seconds = sizes.memorySeconds;
    const result = await play('memory', { url, workspace: 'bench', seconds, concurrency: CONCURRENCY });
    await withDatabase(url, async (db) => {
      await expectCount(db, `select count(*) from outcomes where state = 'sent'`, finished + result['sent']);
      await expectCount(db, 'select count(*) from due', sizes.backlog - result['sent']);
      await expectCount(db, 'select count(*) from leases', 0);
    });
    return {
      peak: result['peak'] / MEGABYTE,
      usual: percentile(result['samples'], 0.5) / MEGABYTE,
      drained: result['drained'] / seconds,
    };
  };
  return { name, run, close: drop };
}
