// @ts-check
import { CONTENDERS } from '../contenders/index.mjs';
import { drain } from '../draining.mjs';

/** @typedef {import('./group.mjs').Group} Group */

const METRICS = { drained: 'mails/s', cpu: 'µs CPU of the workers a mail' };

/**
 * @param {import('./group.mjs').BenchContext} bench
 * @param {Parameters<typeof drain>[1] & { name?: string }} load
 * @returns {import('./group.mjs').Runner}
 */
const drainer = ({ ground }, { name, ...load }) => ({
  name: name ?? CONTENDERS[load.contender].title,
  run: async () => {
    const { perSecond, cpuMicroseconds } = await drain(ground, load);
    return { drained: perSecond, cpu: cpuMicroseconds };
  },
});

/** @param {readonly import('../contenders/index.mjs').ContenderName[]} names */
const whatTheyKeep = (names) => names.map((name) => `${CONTENDERS[name].title}: ${CONTENDERS[name].keeps}`);

/** @type {Group} */
export const drainPostgres = {
  title: 'Drain, PostgreSQL, 1 process, 2 KB mails, a handler that takes no time',
  notes: whatTheyKeep(['pillarbox', 'pgBoss', 'graphileWorker']),
  metrics: METRICS,
  goals: [
    {
      of: CONTENDERS.pillarbox.title,
      metric: 'drained',
      against: CONTENDERS.pgBoss.title,
      atLeast: 2.5,
    },
    {
      of: CONTENDERS.pillarbox.title,
      metric: 'drained',
      against: CONTENDERS.graphileWorker.title,
      atLeast: 1.2,
    },
  ],
  open: async (bench) =>
    /** @type {const} */ (['pillarbox', 'pgBoss', 'graphileWorker']).map((contender) =>
      drainer(bench, { contender, dialect: 'postgres', mails: bench.sizes.drain, processes: 1 }),
    ),
};

/** @type {Group} */
export const drainTwo = {
  title: 'Drain, PostgreSQL, a second process on the same machine',
  notes: [],
  metrics: METRICS,
  goals: [{ of: '2 processes', metric: 'drained', against: '1 process', atLeast: 1 }],
  open: async (bench) =>
    ['1 process', '2 processes'].map((name, place) =>
      drainer(bench, {
        name,
        contender: 'pillarbox',
        dialect: 'postgres',
        mails: bench.sizes.drain,
        processes: place + 1,
      }),
    ),
};

/** @type {Group} */
export const drainSqlite = {
  title: 'Drain, SQLite with synchronous=FULL, 1 process, 2 KB mails',
  notes: whatTheyKeep(['pillarbox', 'rawSqlite']),
  metrics: METRICS,
  goals: [
    {
      of: CONTENDERS.pillarbox.title,
      metric: 'drained',
      against: CONTENDERS.rawSqlite.title,
      atLeast: 0.6,
    },
  ],
  open: async (bench) =>
    /** @type {const} */ (['pillarbox', 'rawSqlite']).map((contender) =>
      drainer(bench, { contender, dialect: 'sqlite', mails: bench.sizes.drainSqlite, processes: 1 }),
    ),
};
