// @ts-check
import { setTimeout as sleep } from 'node:timers/promises';
import { createPillarbox } from '../../dist/index.js';
import { consume } from '../consuming.mjs';
import { log, noTransport } from '../contenders/pillarbox.mjs';

/**
 * One sender: told what to send by a broker, or looking by itself. A mail takes no time, or so long on one of its
 * connections.
 *
 * @param {{ url: string, amqpUrl?: string, queueType?: 'classic' | 'quorum', sendMs: number, connections: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export const act = ({ url, amqpUrl, queueType, sendMs, connections }, parent) =>
  consume(async (handled) => {
    const instant = noTransport(handled);
    /** @type {import('../../dist/transport/transport.js').Transport} */
    const slow = {
      ...instant,
      capacity: connections,
      send: async (mail, gate) => {
        await sleep(sendMs);
        return instant.send(mail, gate);
      },
    };
    const box = await createPillarbox({
      ...{ databaseUrl: url, amqpUrl, queueType, log },
      transport: sendMs === 0 ? instant : slow,
      concurrency: sendMs === 0 ? 1_000 : connections,
    });
    return { start: () => box.start(), stop: () => box.stop() };
  }, parent);
