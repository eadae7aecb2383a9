import { setTimeout as sleep } from 'node:timers/promises';
import { PillarboxError } from '../../core/errors.js';
import type { Brokerage } from '../../library/brokerage.js';
import { presentWorkForce, WorkForce, type KnownWorkForce } from '../../presentation/work-force.js';
import { readAnnouncements, readTold } from '../../store/scripts/announcements.js';
import { readBrokerDay, readBrokerSeries } from '../../store/scripts/relay-minutes.js';
import { countAllWaiting, readDueNow, readQueued, readWorkForce } from '../../store/scripts/work-force.js';
import { Type } from '../../vendor/typebox.js';
import { route, type Route } from '../route.js';

/** A broker that hangs must not keep who asks how it is. */
const LOOK_MS = 2_000;

/** As points: the last hour minute by minute, or a day in steps of five. */
const RANGES = { '1h': [60, 1], '24h': [288, 5] } as const;
const closed = { additionalProperties: false } as const;
const Query = Type.Object({ range: Type.Optional(Type.Enum(['1h', '24h'])) }, closed);
/** Shown of the dead letters that were told last. */
const TOLD = 4;

/** Who works for this installation, and how it stands with the broker. */
export const workerRoutes: readonly Route[] = [
  route(
    'admin',
    {
      method: 'GET',
      url: '/api/workers',
      operation: 'listWorkers',
      summary:
        'Who sends and who passes mail on, what the broker says, and how long mail waits, of all workspaces. `range` is that of the series: `1h`, unless told otherwise, or `24h`',
      query: Query,
      answer: WorkForce,
    },
    async ({ principal, service: { box }, query: { range = '1h' } }) => {
      if (!principal.administersInstallation)
        throw new PillarboxError(
          'forbidden',
          'workers serve all workspaces: only an administrator of the first one sees them',
        );
      const { store, broker } = box;
      const now = await store.now();
      const { queued, oldestAt: oldestQueuedAt } = await store.read(readQueued(store));
      const { due, oldestAt: oldestDueAt } = await store.read(readDueNow(store, now));
      const [points, minutesEach] = RANGES[range];
      return presentWorkForce({
        now,
        speed: store.speed,
        workers: await store.read(readWorkForce(store)),
        waiting: await store.read(countAllWaiting(store)),
        ...{ due, oldestDueAt, queued, oldestQueuedAt },
        lastDay: await store.read(readBrokerDay(store)),
        series: broker ? await store.read(readBrokerSeries(store, points, minutesEach)) : [],
        announcements: {
          ...(await store.read(readAnnouncements(store))),
          last: broker ? await store.read(readTold(store, TOLD)) : [],
        },
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
  const { standing, silentMs, contact, terms } = broker;
  return {
    ...{ standing, silentMs, ...contact, ...terms },
    queuesAt: seen?.at,
    product: seen?.product ?? null,
    queues: Object.entries(seen?.queues ?? {}).map(([name, queue]) => ({ name, ...queue })),
  };
}
