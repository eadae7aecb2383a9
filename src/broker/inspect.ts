import { QUEUES, type QueueName } from '../core/dispatch-message.js';
import { Wire, type QueueStanding } from './amqp.js';

export interface InspectedQueue extends QueueStanding {
  readonly name: QueueName;
  /** Of another kind than a plain durable one, in the broker's own words. */
  readonly difference: string | undefined;
}

export interface Inspection {
  readonly product: string;
  /** Those that are there. */
  readonly queues: readonly InspectedQueue[];
}

/** Logs in and looks at the queues, without making or changing any. */
export async function inspectBroker(url: string): Promise<Inspection> {
  const wire = await Wire.open(url, () => undefined, 'pillarbox doctor');
  try {
    const queues: InspectedQueue[] = [];
    for (const name of Object.values(QUEUES)) {
      const standing = await wire.standing(name);
      if (standing) queues.push({ name, ...standing, difference: await wire.differenceOf(name) });
    }
    return { product: wire.product, queues };
  } finally {
    await wire.close();
  }
}
