// @ts-check
import { play } from '../children.mjs';
import { FULL } from '../sizes.mjs';
import { ACCOUNTS, archived } from '../stock/archived.mjs';
import { QUESTIONS } from '../roles/lists.mjs';

const MOST_MS = 100;

/** @type {Record<'PostgreSQL' | 'SQLite', 'postgres' | 'sqlite'>} */
const DIALECTS = { PostgreSQL: 'postgres', SQLite: 'sqlite' };

/**
 * One database, filled once and asked in all rounds.
 *
 * @param {import('./group.mjs').BenchContext} bench
 * @param {string} name
 * @param {'postgres' | 'sqlite'} dialect
 * @returns {Promise<import('./group.mjs').Runner>}
 */
async function reader(bench, name, dialect) {
  const { url, drop, total } = await archived(bench, dialect);
  const run = async () => {
    const { p95 } = await play('lists', { url, total });
    return p95;
  };
  return { name, run, close: drop };
}

/** @type {import('./group.mjs').Group} */
export const lists = {
  title: 'Questions of people, beside millions of messages: 95th percentile',
  notes: [
    `${FULL.listed} messages on PostgreSQL, ${FULL.listedSqlite} on SQLite, of ${ACCOUNTS} accounts: one in eight waits, one in twenty is dead`,
    'over HTTP without a socket: the key is checked, the answer is written as JSON; every question has another page, address or word each time',
  ],
  metrics: Object.fromEntries(Object.keys(QUESTIONS).map((question) => [question, 'ms'])),
  goals: Object.keys(DIALECTS).flatMap((of) =>
    Object.keys(QUESTIONS).map((metric) => ({ of, metric, atMost: MOST_MS })),
  ),
  open: async (bench) => {
    const runners = [];
    for (const [name, dialect] of Object.entries(DIALECTS)) runners.push(await reader(bench, name, dialect));
    return runners;
  },
};
