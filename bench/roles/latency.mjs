// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { createPillarbox } from '../../dist/index.js';
import { log } from '../contenders/pillarbox.mjs';
import { instant } from '../figures.mjs';
import { aMail } from '../mails.mjs';

const SHORTEST_PAUSE_MS = 10;
const PAUSE_SPREAD_MS = 30;

/**
 * Sends now and then, or waits for what others send, or both. Tells of each mail, by its address, when it was
 * called for, when it was known to be committed, and when its transport began.
 *
 * @param {{ url: string, consume: boolean, samples: number, firstNumber?: number }} args Mails are numbered from there.
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, consume, samples, firstNumber = 0 }, parent) {
  /** @type {[address: string, at: number][]} */
  const begun = [];
  const box = await createPillarbox({
    databaseUrl: url,
    log,
    transport: {
      kind: 'none',
      capacity: Infinity,
      send: async (message, gate) => {
        begun.push([message.mail.to.email, instant()]);
        await gate();
        return { status: 'sent', provider: 'none' };
      },
      close: async () => {},
    },
  });
  if (consume) await box.start();
  parent.tell({ kind: 'ready' });
  /** @type {[address: string, calledAt: number, committedAt: number][]} */
  const sent = [];
  for (let n = 0; n < samples; n += 1) {
    // Idle again before each one, and not in step with any timer of the worker.
    await sleep(SHORTEST_PAUSE_MS + Math.random() * PAUSE_SPREAD_MS);
    const mail = aMail(firstNumber + n);
    const calledAt = instant();
    await box.outbox.enqueue(mail);
    sent.push([mail.to, calledAt, instant()]);
  }
  parent.tell({ kind: 'sent', sent });
  await parent.heard('stop');
  await box.stop();
  parent.tell({ kind: 'result', begun });
}
