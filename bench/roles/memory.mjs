// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { createPillarbox } from '../../dist/index.js';
import { log } from '../contenders/pillarbox.mjs';
import { mostResident } from '../resident.mjs';

const SAMPLE_EVERY_MS = 100;
const SEND_MS = 1;

/**
 * A busy worker, watched for a while.
 *
 * @param {{ url: string, workspace: string, seconds: number, concurrency: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, workspace, seconds, concurrency }, parent) {
  let sent = 0;
  const box = await createPillarbox({
    databaseUrl: url,
    workspace,
    concurrency,
    log,
    transport: {
      kind: 'slow',
      capacity: Infinity,
      send: async (_, gate) => {
        await sleep(SEND_MS);
        if (!(await gate())) throw new Error('the gate did not open');
        sent += 1;
        return { status: 'sent', provider: 'slow' };
      },
      close: async () => {},
    },
  });
  await box.start();
  /** @type {number[]} */
  const samples = [];
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline) {
    await sleep(SAMPLE_EVERY_MS);
    samples.push(process.memoryUsage.rss());
  }
  const drained = sent;
  await box.stop();
  parent.tell({ kind: 'result', sent, drained, samples, peak: mostResident() });
}
