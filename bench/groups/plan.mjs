// @ts-check
import { play } from '../children.mjs';
import { expectCount } from '../contenders/pillarbox.mjs';
import { settleDown, withDatabase } from '../database.mjs';
import { addCampaign, STEPS } from '../stock/campaign.mjs';

const MEGABYTE = 1_000_000;

/** @type {[engine: string, dialect: 'postgres' | 'sqlite'][]} */
const ENGINES = [
  ['PostgreSQL', 'postgres'],
  ['SQLite', 'sqlite'],
];

/** @type {import('./group.mjs').Group} */
export const plan = {
  title: `Plan a campaign of ${STEPS} steps from 10 accounts and store its messages`,
  notes: [
    'planned: people are read in pages, everybody’s steps get times by window, quota and spacing, known keys and suppressions are asked for, and all is counted',
    'plain SQL: as many rows into messages and due with ON CONFLICT, 1,000 at a time, on PostgreSQL by two connections; nothing is read, looked for or counted',
    'CPU is that of the program and of the database together; the ratio of goals is that of the raw loop’s to the planner’s',
    'many: ten times as many people, for its memory',
  ],
  metrics: { stored: 'messages/s', rows: 'messages a second of CPU', cpu: 'µs CPU a message', peak: 'MB' },
  goals: [
    ...ENGINES.flatMap(([engine]) => [
      { of: `${engine}, planned`, metric: 'stored', against: `${engine}, plain SQL`, atLeast: 0.7 },
      { of: `${engine}, planned`, metric: 'rows', against: `${engine}, plain SQL`, atLeast: 0.7 },
    ]),
    { of: 'SQLite, many planned', metric: 'peak', atMost: 300 },
    { of: 'SQLite, many planned', metric: 'peak', against: 'SQLite, planned', atMost: 1.5 },
  ],
  open: async ({ ground, sizes }) => [
    ...ENGINES.flatMap(([engine, dialect]) =>
      [false, true].map((raw) => ({
        name: `${engine}, ${raw ? 'plain SQL' : 'planned'}`,
        run: () => store(ground, dialect, raw, sizes.planned),
      })),
    ),
    { name: 'SQLite, many planned', run: () => store(ground, 'sqlite', false, sizes.planned * 10) },
  ],
};

/**
 * @param {import('../database.mjs').Ground} ground
 * @param {'postgres' | 'sqlite'} dialect
 * @param {boolean} raw
 * @param {number} people
 */
async function store(ground, dialect, raw, people) {
  const place = await ground.fresh(dialect);
  const { url } = place;
  try {
    const stocked = await addCampaign(url, people);
    await settleDown(url);
    const { perSecond, cpu, peak } = await play('plan', { url, raw, people, stocked });
    await withDatabase(url, async (db) => {
      for (const table of ['messages', 'due'])
        await expectCount(db, `select count(*) from ${table}`, people * STEPS);
    });
    return { stored: perSecond, rows: 1_000_000 / cpu, cpu, peak: peak / MEGABYTE };
  } finally {
    await place.drop();
  }
}
