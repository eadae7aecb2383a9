// @ts-check
import { readFileSync } from 'node:fs';
import { Child, play } from '../children.mjs';
import { pillarbox } from '../contenders/pillarbox.mjs';
import { count, settleDown, withDatabase } from '../database.mjs';
import { handleAll, waitUntil } from '../draining.mjs';
import { instant } from '../figures.mjs';
import { processorTime } from '../processor-time.mjs';
import { startBroker } from '../servers/broker.mjs';
import { addChannels } from '../stock/channels.mjs';
import { addDue, addFinished } from '../stock/rows.mjs';

const SENDERS = 2;
const CONNECTIONS = 20;
/** A server that takes 20 ms a turn has MAIL, RCPT, DATA and the mail itself to answer. */
const SEND_MS = 80;

/** @typedef {import('./group.mjs').BenchContext} BenchContext */
/** @typedef {{ sendMs: number, mails: number, relayed: boolean }} Load */

/**
 * @param {BenchContext} bench
 * @param {import('../servers/broker.mjs').Broker} broker
 * @param {Load} load
 */
async function dispatch({ ground }, { control, pid }, { sendMs, mails, relayed }) {
  const place = await ground.fresh('postgres');
  const { url } = place;
  const amqpUrl = relayed ? await control.virtualHost() : undefined;
  /** @type {Child[]} */
  const children = [];
  try {
    await play('fill', { contender: 'pillarbox', url, mails });
    await settleDown(url);
    const servers = [pid, await postmasterOf(url)];
    const senders = Array.from(
      { length: SENDERS },
      () => new Child('relay-sender', { url, amqpUrl, sendMs, connections: CONNECTIONS }),
    );
    children.push(...senders);
    await Promise.all(senders.map((child) => child.heard('ready')));
    const before = servers.map(processorTime);
    const relay = relayed
      ? new Child('relay', { url, amqpUrl, concurrency: sendMs === 0 ? 1_000 : CONNECTIONS })
      : undefined;
    if (relay) children.push(relay);
    await relay?.heard('ready');
    const startedAt = await handleAll(senders, mails);
    await withDatabase(url, (db) => waitUntil(() => pillarbox.isEmpty(db)));
    const seconds = (instant() - startedAt) / 1_000;
    const used = servers.map((server, n) => processorTime(server) - (before[n] ?? 0));
    for (const child of children) child.tell({ kind: 'stop' });
    const results = await Promise.all(children.map((child) => child.heard('result')));
    await withDatabase(url, (db) => pillarbox.check(db, mails));
    const eachMail = (/** @type {number[]} */ some) => some.reduce((sum, each) => sum + each, 0) / mails;
    const own = results.map((result) => result['cpuMicroseconds']);
    const [broker = 0, database = 0] = used;
    const parts = {
      senders: eachMail(own.slice(0, SENDERS)),
      relay: eachMail(own.slice(SENDERS)),
      broker: relayed ? broker / mails : 0,
      database: database / mails,
    };
    const cpu = parts.senders + parts.relay + parts.broker + parts.database;
    return { delivered: mails / seconds, cpu, ...parts };
  } finally {
    await Promise.all(children.map((child) => child.end()));
    await place.drop();
  }
}

/** @param {string} url */
const postmasterOf = (url) =>
  withDatabase(url, async (db) => {
    const backend = await count(db, 'select pg_backend_pid()');
    const [, parent] = readFileSync(`/proc/${backend}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(parent);
  });

/** @type {import('./group.mjs').Group} */
export const relay = {
  title: `Dispatch through RabbitMQ, and direct claims, ${SENDERS} senders on PostgreSQL`,
  notes: [
    `slow: a transport that takes ${SEND_MS} ms a mail on ${CONNECTIONS} connections of each sender, as a server does that takes 20 ms a turn`,
    'at once: a transport that takes no time; CPU is that of senders, relay, PostgreSQL and broker together',
  ],
  metrics: {
    ...{ delivered: 'mails/s', cpu: 'µs CPU of all processes a mail' },
    ...{ senders: 'µs of it', relay: 'µs of it', broker: 'µs of it', database: 'µs of it' },
  },
  goals: [
    { of: 'RabbitMQ, slow', metric: 'delivered', against: 'direct, slow', atLeast: 0.9 },
    { of: 'RabbitMQ, at once', metric: 'cpu', against: 'direct, at once', atMost: 2.2 },
  ],
  open: async (bench) => {
    const broker = await startBroker();
    const { relayed: mails, relayedSlow } = bench.sizes;
    /** @type {[string, Load][]} */
    const loads = [
      ['direct, slow', { sendMs: SEND_MS, mails: relayedSlow, relayed: false }],
      ['RabbitMQ, slow', { sendMs: SEND_MS, mails: relayedSlow, relayed: true }],
      ['direct, at once', { sendMs: 0, mails, relayed: false }],
      ['RabbitMQ, at once', { sendMs: 0, mails, relayed: true }],
    ];
    return loads.map(([name, load], place) => ({
      name,
      run: () => dispatch(bench, broker, load),
      ...(place === loads.length - 1 && { close: broker.stop }),
    }));
  },
};

/** @type {import('./group.mjs').Group} */
export const relayAlone = {
  title: 'A relay alone: marked, published, confirmed; and its statements beside a long history',
  notes: ['nobody consumes; batches of 500, at most 2,000 unconfirmed'],
  metrics: { passed: 'messages/s', look: 'ms', mark: 'µs a message' },
  goals: [
    { of: 'few finished', metric: 'passed', atLeast: 8_000 },
    { of: 'many finished', metric: 'mark', against: 'few finished', atMost: 1.4 },
    { of: 'many finished', metric: 'look', against: 'few finished', atMost: 1.4 },
  ],
  open: async (bench) => {
    const broker = await startBroker();
    const { finishedFew, finishedMany, relayed: mails } = bench.sizes;
    const runners = [];
    for (const [name, finished] of /** @type {const} */ ([
      ['few finished', finishedFew],
      ['many finished', finishedMany],
    ])) {
      const { url, drop } = await bench.ground.fresh('postgres');
      const channels = await addChannels(url, 1, { blocked: false });
      await withDatabase(url, (db) => addFinished(db, channels, finished));
      const run = async () => {
        await withDatabase(url, async (db) => {
          await db.query('delete from due');
          await addDue(db, channels, mails, { contents: false });
        });
        await settleDown(url);
        const amqpUrl = await broker.control.virtualHost();
        const args = { url, amqpUrl, channelId: channels.firstChannelId, mails };
        const { figures } = await play('relay-alone', args);
        return figures;
      };
      const close = async () => {
        await drop();
        if (name === 'many finished') await broker.stop();
      };
      runners.push({ name, run, close });
    }
    return runners;
  },
};
