// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { createPillarbox } from '../../dist/index.js';
import { log } from '../contenders/pillarbox.mjs';
import { instant } from '../figures.mjs';

/** As many as an account usually has connections, each of which takes its time. */
const CONNECTIONS = 20;
const SEND_MS = 20;

/**
 * One sender with more to do than it can: told by a broker, or looking by itself. Tells of each mail, by its address,
 * when it had passed the gate.
 *
 * @param {{ url: string, amqpUrl?: string }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, amqpUrl }, parent) {
  /** @type {[address: string, at: number][]} */
  const begun = [];
  const box = await createPillarbox({
    ...{ databaseUrl: url, amqpUrl, log, concurrency: CONNECTIONS },
    transport: {
      kind: 'none',
      capacity: CONNECTIONS,
      send: async ({ mail }, gate) => {
        if (!(await gate())) throw new Error('the gate did not open');
        begun.push([mail.to.email, instant()]);
        if (begun.length === CONNECTIONS) parent.tell({ kind: 'busy' });
        await sleep(SEND_MS);
        return { status: 'sent', provider: 'none' };
      },
      close: async () => {},
    },
  });
  await box.start();
  parent.tell({ kind: 'ready' });
  await parent.heard('stop');
  await box.stop();
  parent.tell({ kind: 'result', begun });
}
