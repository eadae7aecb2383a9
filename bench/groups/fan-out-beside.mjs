// @ts-check
import { play } from '../children.mjs';
import { percentile } from '../figures.mjs';

/** @type {Record<'PostgreSQL' | 'SQLite', 'postgres' | 'sqlite'>} */
const DIALECTS = { PostgreSQL: 'postgres', SQLite: 'sqlite' };

/** @type {import('./group.mjs').Group} */
export const fanOutBeside = {
  title: 'A password reset beside one event to many subscriptions, in the worker that tells it',
  notes: [
    'from the call of `enqueue` to the start of the send; alone: the same worker before the event',
    'the worker also renders and sends the notifications, over 5 connections of 20 ms each',
    'vacuumed while nothing waited, as servers do it by themselves: plans are made, and kept, for an empty queue',
    'told: subscriptions passed a second until all were, as a worker does it, with the rests of SQLite',
  ],
  metrics: { p50: 'ms', p99: 'ms', slowest: 'ms', alone99: 'ms', told: 'a second', memory: 'MB grown' },
  goals: Object.keys(DIALECTS).map((of) => ({ of, metric: 'p99', atMost: 100 })),
  open: async ({ ground, sizes }) =>
    Object.entries(DIALECTS).map(([name, dialect]) => ({
      name,
      run: async () => {
        const { url, drop } = await ground.fresh(dialect);
        const result = await play('fan-out-beside', { url, subscriptions: sizes.told });
        await drop();
        const { meanwhile, alone, perSecond, grownMb } = result;
        return {
          ...{ p50: percentile(meanwhile, 0.5), p99: percentile(meanwhile, 0.99) },
          ...{ slowest: Math.max(...meanwhile), alone99: percentile(alone, 0.99) },
          ...{ told: perSecond, memory: grownMb },
        };
      },
    })),
};
