// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '../children.mjs';
import { percentile } from '../figures.mjs';

/** The first mails find cold caches and unoptimised code; an idle worker has long been running. */
const WARM_UP = 20;
const LET_THE_LAST_ONE_ARRIVE_MS = 1_000;

/** @type {[name: string, dialect: 'postgres' | 'sqlite'][]} */
const CASES = [
  ['PostgreSQL, worker in another process', 'postgres'],
  ['SQLite, worker in the same process', 'sqlite'],
];

/** @type {import('./group.mjs').Group} */
export const latency = {
  title: 'From the commit of a single mail to the start of its sending, in an idle worker',
  notes: ['p50 and p99 count from the commit as the caller learns of it; "called" counts from his call'],
  metrics: { p50: 'ms', p99: 'ms', p50called: 'ms', p99called: 'ms' },
  goals: CASES.flatMap(([of]) => [
    { of, metric: 'p50', atMost: 4 },
    { of, metric: 'p99', atMost: 15 },
  ]),
  open: async ({ ground, sizes }) =>
    CASES.map(([name, dialect]) => ({ name, run: () => measure(ground, dialect, sizes.latencySamples) })),
};

/**
 * @param {import('../database.mjs').Ground} ground
 * @param {'postgres' | 'sqlite'} dialect
 * @param {number} samples
 */
async function measure(ground, dialect, samples) {
  const { url, drop } = await ground.fresh(dialect);
  const alone = dialect === 'sqlite';
  const worker = new Child('latency', { url, consume: true, samples: alone ? WARM_UP + samples : 0 });
  await worker.heard('ready');
  const caller = alone ? worker : new Child('latency', { url, consume: false, samples: WARM_UP + samples });
  try {
    const { sent } = await caller.heard('sent');
    await sleep(LET_THE_LAST_ONE_ARRIVE_MS);
    worker.tell({ kind: 'stop' });
    const { begun } = await worker.heard('result');
    return evaluate(sent, begun);
  } finally {
    await Promise.all([worker.end(), caller.end()]);
    await drop();
  }
}

/**
 * @param {[address: string, calledAt: number, committedAt: number][]} sent
 * @param {[address: string, at: number][]} begun
 */
function evaluate(sent, begun) {
  const begunAt = new Map(begun);
  if (begun.length !== sent.length || begunAt.size !== sent.length) {
    throw new Error(`${begun.length} sends (${begunAt.size} different) of ${sent.length} mails`);
  }
  const counted = sent.slice(WARM_UP).map(([address, calledAt, committedAt]) => {
    const at = begunAt.get(address) ?? NaN;
    // In one process the send can begin before the caller gets his turn to hear of the commit.
    return { sinceCommit: Math.max(0, at - committedAt), sinceCall: at - calledAt };
  });
  const sinceCommit = counted.map((it) => it.sinceCommit);
  const sinceCall = counted.map((it) => it.sinceCall);
  return {
    p50: percentile(sinceCommit, 0.5),
    p99: percentile(sinceCommit, 0.99),
    p50called: percentile(sinceCall, 0.5),
    p99called: percentile(sinceCall, 0.99),
  };
}
