// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { createPillarbox } from '../../dist/library/pillarbox.js';
import { silent } from '../../dist/log/log.js';
import { settleDown } from '../database.mjs';
import { aMail } from '../mails.mjs';
import { PAYLOAD, subscribe } from '../notifications.mjs';

const SHORTEST_PAUSE_MS = 20;
const PAUSE_SPREAD_MS = 60;
const WARM_UP = 20;
/** As many as an account usually has connections, each of which takes its time. */
const CONNECTIONS = 5;
const SERVER_MS = 20;

/**
 * One worker that tells an event, renders and sends its mails, and has a password reset to send now and then.
 *
 * @param {{ url: string, subscriptions: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, subscriptions }, parent) {
  /** @type {Map<string, (at: number) => void>} */
  const awaited = new Map();
  let told = 0;
  const box = await createPillarbox({
    databaseUrl: url,
    ...{ secret: 'a secret of some length, for figures', log: silent, publicUrl: 'https://mail.example' },
    transport: {
      kind: 'none',
      capacity: CONNECTIONS,
      send: async ({ mail }, gate) => {
        const begin = awaited.get(mail.to.email);
        if (begin) begin(performance.now());
        else told += 1;
        await sleep(SERVER_MS);
        await gate();
        return { status: 'sent', provider: 'none' };
      },
      close: async () => {},
    },
  });
  await subscribe(box.store, box.home.id, 'section', subscriptions);
  await settleDown(url);
  await box.start();
  const reset = async (/** @type {number} */ n) => {
    await sleep(SHORTEST_PAUSE_MS + Math.random() * PAUSE_SPREAD_MS);
    const mail = aMail(n);
    const began = new Promise((/** @type {(at: number) => void} */ begin) => awaited.set(mail.to, begin));
    const calledAt = performance.now();
    await box.outbox.enqueue(mail);
    const ms = (await began) - calledAt;
    awaited.delete(mail.to);
    return ms;
  };
  let n = 0;
  const before = [];
  for (; n < 2 * WARM_UP; n += 1) before.push(await reset(n));
  const rss = process.memoryUsage.rss();
  let peak = rss;
  const started = performance.now();
  const { eventId } = await box.events.publish({
    ...{ type: 'figures', topic: 'section', template: { id: 'open-seat' }, payload: PAYLOAD },
  });
  /** @type {number[]} */
  const meanwhile = [];
  let seen = 0;
  for (let looked = 0; seen < subscriptions; n += 1) {
    meanwhile.push(await reset(n));
    peak = Math.max(peak, process.memoryUsage.rss());
    if (performance.now() - looked < 1_000) continue;
    looked = performance.now();
    const { event } = await box.events.get(eventId);
    seen = event.seen ?? 0;
  }
  const perSecond = (subscriptions * 1_000) / (performance.now() - started);
  await box.stop();
  parent.tell({
    ...{ kind: 'result', perSecond, told, meanwhile, alone: before.slice(WARM_UP) },
    grownMb: (peak - rss) / 1_048_576,
  });
}
