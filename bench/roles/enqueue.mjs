// @ts-check
import { createPillarbox } from '../../dist/index.js';
import { bossProducer } from '../contenders/pg-boss.mjs';
import { log } from '../contenders/pillarbox.mjs';
import { timed } from '../figures.mjs';
import { mails } from '../mails.mjs';

/** @typedef {{ send: (mail: import('../mails.mjs').BenchMail) => Promise<unknown>, stop: () => Promise<void> }} Producer */

/** @type {Record<string, (url: string, callers: number) => Promise<Producer>>} */
const PRODUCERS = {
  pillarbox: async (databaseUrl) => {
    const box = await createPillarbox({ databaseUrl, log });
    return { send: (mail) => box.outbox.enqueue(mail), stop: () => box.stop() };
  },
  pgBoss: bossProducer,
};

/**
 * Some callers, each of which waits for its commit before it sends the next.
 *
 * @param {{ producer: string, url: string, callers: number, mails: number, warmUp: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ producer, url, callers, mails: total, warmUp }, parent) {
  const open = PRODUCERS[producer];
  if (!open) throw new Error(`${producer}: there is no such producer`);
  const { send, stop } = await open(url, callers);
  await sendAll(send, callers, warmUp);
  const { seconds, cpuMicroseconds } = await sendAll(send, callers, total);
  await stop();
  parent.tell({ kind: 'result', perSecond: total / seconds, cpuMicroseconds: cpuMicroseconds / total });
}

/**
 * @param {Producer['send']} send
 * @param {number} callers
 * @param {number} total
 */
function sendAll(send, callers, total) {
  const waiting = mails(total);
  const call = async () => {
    for (let mail = waiting.pop(); mail; mail = waiting.pop()) await send(mail);
  };
  return timed(() => Promise.all(Array.from({ length: callers }, call)));
}
