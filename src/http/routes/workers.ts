import { setTimeout as sleep } from 'node:timers/promises';
import { PillarboxError } from '../../core/errors.js';
import type { Brokerage } from '../../library/brokerage.js';
import { presentWorkForce, WorkForce, type KnownWorkForce } from '../../presentation/work-force.js';
import { readAnnouncements } from '../../store/scripts/announcements.js';
import { countAllWaiting, readQueued, readWorkForce } from '../../store/scripts/work-force.js';
import { route, type Route } from '../route.js';

/** A broker that hangs must not keep who asks how it is. */
const LOOK_MS = 2_000;

/** Who works for this installation, and how it stands with the broker. */
export const workerRoutes: readonly Route[] = [
  route(
    'admin',
    {
      method: 'GET',
      url: '/api/workers',
      operation: 'listWorkers',
      summary:
        'Who sends and who passes mail on, what the broker says, and how long mail waits, of all workspaces',
      answer: WorkForce,
    },
    async ({ principal, service: { box } }) => {
      if (!principal.administersInstallation)
        throw new PillarboxError(
          'forbidden',
          'workers serve all workspaces: only an administrator of the first one sees them',
        );
      const { store, broker } = box;
      const { queued, oldestAt: oldestQueuedAt } = await store.read(readQueued(store));
      return presentWorkForce({
        now: await store.now(),
        speed: store.speed,
        workers: await store.read(readWorkForce(store)),
        waiting: await store.read(countAllWaiting(store)),
        ...{ queued, oldestQueuedAt },
        announcements: await store.read(readAnnouncements(store)),
        broker: broker ? await brokerSeen(broker) : null,
      });
    },
  ),
];

async function brokerSeen(broker: Brokerage): Promise<NonNullable<KnownWorkForce['broker']>> {
  const seen = await Promise.race([
    broker.look().catch(() => undefined),
    sleep(LOOK_MS, undefined, { ref: false }),
  ]);
  const { standing, silentMs } = broker;
  return {
    ...{ standing, silentMs },
    product: seen?.product ?? null,
    queues: Object.entries(seen?.queues ?? {}).map(([name, queue]) => ({ name, ...queue })),
  };
}
