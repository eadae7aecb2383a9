// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { Child } from '../children.mjs';
import { count, settleDown, withDatabase } from '../database.mjs';
import { percentile } from '../figures.mjs';
import { startBroker } from '../servers/broker.mjs';
import { addChannels } from '../stock/channels.mjs';
import { addDue } from '../stock/rows.mjs';

const OTHER_ACCOUNTS = 4;
/** What a sender with 20 connections of 20 ms cannot get through while it is measured. */
const BACKLOG_PER_SAMPLE = 250;
const WARM_UP = 20;
const LET_THE_LAST_ONE_LEAVE_MS = 2_000;
const CONCURRENCY = 20;
/** Whom nothing of the backlog is addressed to. */
const FIRST_NUMBER = 100_000_000;

/**
 * @param {import('./group.mjs').BenchContext} bench
 * @param {import('../servers/broker.mjs').Broker} broker
 * @param {boolean} relayed
 */
async function measure({ ground, sizes }, broker, relayed) {
  const { url, drop } = await ground.fresh('postgres');
  const amqpUrl = relayed ? await broker.control.virtualHost() : undefined;
  const samples = WARM_UP + sizes.latencySamples;
  /** @type {Child[]} */
  const children = [];
  const begin = (/** @type {string} */ role, /** @type {Record<string, unknown>} */ args) => {
    const child = new Child(role, { url, ...args });
    children.push(child);
    return child;
  };
  try {
    const channels = await addChannels(url, OTHER_ACCOUNTS, { blocked: false });
    await withDatabase(url, (db) => addDue(db, channels, samples * BACKLOG_PER_SAMPLE, { contents: true }));
    await settleDown(url);
    if (relayed) await begin('relay', { amqpUrl, concurrency: CONCURRENCY }).heard('ready');
    const sender = begin('relay-beside', { amqpUrl });
    await sender.heard('busy');
    const caller = begin('latency', { consume: false, samples, firstNumber: FIRST_NUMBER });
    const { sent } = await caller.heard('sent');
    await sleep(LET_THE_LAST_ONE_LEAVE_MS);
    const left = await withDatabase(url, (db) => count(db, 'select count(*) from due'));
    if (left < BACKLOG_PER_SAMPLE) throw new Error('the backlog ran out: nothing was beside the last ones');
    sender.tell({ kind: 'stop' });
    const { begun } = await sender.heard('result');
    return waitsOf(sent, begun);
  } finally {
    for (const child of children) await child.end();
    await drop();
  }
}

/**
 * @param {[address: string, calledAt: number, committedAt: number][]} sent
 * @param {[address: string, at: number][]} begun The backlog's as well, which goes to other addresses.
 */
function waitsOf(sent, begun) {
  const passedAt = new Map(begun);
  const waits = sent.slice(WARM_UP).map(([address, , committedAt]) => {
    const at = passedAt.get(address);
    if (at === undefined) throw new Error(`${address} did not leave beside the backlog`);
    return Math.max(0, at - committedAt);
  });
  return { p50: percentile(waits, 0.5), p95: percentile(waits, 0.95) };
}

/** @type {import('./group.mjs').Group} */
export const relayBeside = {
  title: `One mail beside a backlog of ${OTHER_ACCOUNTS} other accounts: from its commit to the gate`,
  notes: [
    'one sender with 20 connections, on each of which a mail takes 20 ms, always busy; the caller is another process',
  ],
  metrics: { p50: 'ms', p95: 'ms' },
  goals: [{ of: 'RabbitMQ', metric: 'p50', against: 'direct', atMost: 2 }],
  open: async (bench) => {
    const broker = await startBroker();
    return [
      { name: 'direct', run: () => measure(bench, broker, false) },
      { name: 'RabbitMQ', run: () => measure(bench, broker, true), close: broker.stop },
    ];
  },
};
