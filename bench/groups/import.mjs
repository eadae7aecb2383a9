// @ts-check
import { play } from '../children.mjs';
import { expectCount } from '../contenders/pillarbox.mjs';
import { settleDown, withDatabase } from '../database.mjs';

const MEGABYTE = 1_000_000;

/** @type {[engine: string, dialect: 'postgres' | 'sqlite'][]} */
const ENGINES = [
  ['PostgreSQL', 'postgres'],
  ['SQLite', 'sqlite'],
];

/** @type {import('./group.mjs').Group} */
export const imports = {
  title: 'Import contacts from CSV: address, name, time zone and two attributes',
  notes: [
    'the file is streamed, kept in pieces so that any process can go on with it, then read, checked, merged by address and made searchable',
    'CPU is that of the program, with SQLite that of the database as well',
    'twice: the same with twice the rows, to see whether memory grows with the file',
    'a file that is through before V8 has collected its whole heap a few times (some 50,000 rows) stays below what any longer one comes to',
  ],
  metrics: { imported: 'rows/s', cpu: 'µs CPU a row', peak: 'MB' },
  goals: ENGINES.flatMap(([engine]) => [
    { of: engine, metric: 'imported', atLeast: 20_000 },
    // Twenty thousand a second of one core, whatever else the machine does.
    { of: engine, metric: 'cpu', atMost: 50 },
    { of: `${engine}, twice`, metric: 'peak', against: engine, atMost: 1.1 },
  ]),
  open: async ({ ground, sizes }) =>
    ENGINES.flatMap(([engine, dialect]) => [
      { name: engine, run: () => load(ground, dialect, sizes.imported) },
      { name: `${engine}, twice`, run: () => load(ground, dialect, sizes.imported * 2) },
    ]),
};

/**
 * @param {import('../database.mjs').Ground} ground
 * @param {'postgres' | 'sqlite'} dialect
 * @param {number} rows
 */
async function load(ground, dialect, rows) {
  const place = await ground.fresh(dialect);
  const { url } = place;
  try {
    const { perSecond, cpuMicroseconds, peak } = await play('import', { url, rows });
    await settleDown(url);
    await withDatabase(url, (db) => expectCount(db, 'select count(*) from contacts', rows));
    return { imported: perSecond, cpu: cpuMicroseconds, peak: peak / MEGABYTE };
  } finally {
    await place.drop();
  }
}
