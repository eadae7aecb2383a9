// @ts-check
import { play } from '../children.mjs';
import { QUESTIONS } from '../roles/people.mjs';
import { FULL } from '../sizes.mjs';
import { peopled } from '../stock/people.mjs';

const MOST_MS = 100;
const SHARE = 10;

/** @type {[engine: string, dialect: 'postgres' | 'sqlite', share: number][]} */
const RUNNERS = [
  ['PostgreSQL', 'postgres', 1],
  ['PostgreSQL, a tenth', 'postgres', SHARE],
  ['SQLite', 'sqlite', 1],
  ['SQLite, a tenth', 'sqlite', SHARE],
];

/** @type {import('./group.mjs').Group} */
export const people = {
  title: 'Looking for people, among a million: 95th percentile',
  notes: [
    `${FULL.people} contacts of three words each, all of them in one campaign; beside a tenth of them, because a page costs a page`,
    'over HTTP without a socket: the key is checked, the answer is written as JSON; every question has another page, address or word each time',
  ],
  metrics: Object.fromEntries(Object.keys(QUESTIONS).map((question) => [question, 'ms'])),
  goals: RUNNERS.flatMap(([of, , share]) =>
    share === 1 ? Object.keys(QUESTIONS).map((metric) => ({ of, metric, atMost: MOST_MS })) : [],
  ),
  open: async (bench) => {
    const runners = [];
    for (const [name, dialect, share] of RUNNERS) {
      const total = bench.sizes.people / share;
      const { url, drop } = await peopled(bench, dialect, total);
      runners.push({ name, run: async () => (await play('people', { url, total })).p95, close: drop });
    }
    return runners;
  },
};
