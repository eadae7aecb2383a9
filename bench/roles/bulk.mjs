// @ts-check
import { createPillarbox } from '../../dist/index.js';
import { insertRaw } from '../contenders/raw-insert.mjs';
import { log } from '../contenders/pillarbox.mjs';
import { timed } from '../figures.mjs';
import { mails } from '../mails.mjs';

/** @type {Record<string, (url: string, mails: import('../mails.mjs').BenchMail[]) => Promise<import('../figures.mjs').Cost>>} */
const LOADERS = {
  pillarbox: async (databaseUrl, input) => {
    const box = await createPillarbox({ databaseUrl, log });
    const cost = await timed(() => box.outbox.enqueueMany(input));
    await box.stop();
    return cost;
  },
  raw: async (databaseUrl, input) => {
    const box = await createPillarbox({ databaseUrl, log });
    await box.stop();
    return insertRaw(databaseUrl, input);
  },
};

/**
 * Many mails in one call.
 *
 * @param {{ loader: string, url: string, mails: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ loader, url, mails: total }, parent) {
  const load = LOADERS[loader];
  if (!load) throw new Error(`${loader}: there is no such loader`);
  const { seconds, cpuMicroseconds } = await load(url, mails(total));
  parent.tell({ kind: 'result', perSecond: total / seconds, cpuMicroseconds: cpuMicroseconds / total });
}
