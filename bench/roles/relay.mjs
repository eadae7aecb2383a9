// @ts-check
import { createPillarbox } from '../../dist/index.js';
import { log } from '../contenders/pillarbox.mjs';

/**
 * One relay.
 *
 * @param {{ url: string, amqpUrl: string, concurrency: number, queueType?: 'classic' | 'quorum' }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, amqpUrl, concurrency, queueType }, parent) {
  const box = await createPillarbox({ databaseUrl: url, amqpUrl, concurrency, queueType, log });
  await box.startRelay();
  const cpu = process.cpuUsage();
  parent.tell({ kind: 'ready' });
  await parent.heard('stop');
  const { user, system } = process.cpuUsage(cpu);
  await box.stop();
  parent.tell({ kind: 'result', cpuMicroseconds: user + system });
}
