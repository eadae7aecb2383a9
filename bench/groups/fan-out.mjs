// @ts-check
import { play } from '../children.mjs';

/** @type {Record<'PostgreSQL' | 'SQLite', 'postgres' | 'sqlite'>} */
const DIALECTS = { PostgreSQL: 'postgres', SQLite: 'sqlite' };

/** @type {import('./group.mjs').Group} */
export const fanOut = {
  title: 'One event to many subscriptions, beside raw inserts of the same rows',
  notes: [
    'raw: the same rows, made in code, into messages and due, in commits of the same size',
    'without the rest that SQLite’s steps leave to others in a worker (30 % of the time)',
    'memory: how much the process grew meanwhile',
  ],
  metrics: { told: 'messages/s', memory: 'MB grown' },
  goals: Object.keys(DIALECTS).flatMap((engine) => [
    { of: `${engine}, fan-out`, metric: 'told', against: `${engine}, raw`, atLeast: 0.6 },
    { of: `${engine}, fan-out`, metric: 'memory', atMost: 60 },
  ]),
  open: async ({ ground, sizes }) => {
    const runners = [];
    for (const [engine, dialect] of Object.entries(DIALECTS)) {
      for (const raw of [true, false]) {
        const { url, drop } = await ground.fresh(dialect);
        let round = 0;
        runners.push({
          name: `${engine}, ${raw ? 'raw' : 'fan-out'}`,
          run: async () => {
            round += 1;
            const { perSecond, grownMb } = await play('fan-out', {
              ...{ url, raw, round, subscriptions: sizes.told },
            });
            return { told: perSecond, memory: grownMb };
          },
          close: drop,
        });
      }
    }
    return runners;
  },
};
