import { judgeWorkers, type WorkersFacts } from '../core/workers-plate.js';
import type { Laborer } from '../store/scripts/work-force.js';
import { Type, type Static } from '../vendor/typebox.js';
import { iso, presentInstant } from './instant.js';
import { flag, instant, list, nullable, text, whole, word } from './shape.js';
import { LevelWord } from './words.js';

const Worker = Type.Object(
  {
    name: text('mail-1:4711:3f9a2c', 'Host, process, and a part that no other has.'),
    kind: word(['worker', 'relay']),
    host: text('mail-1'),
    version: text('0.1.0'),
    alive: flag(true, 'False: it has not been heard for a minute.'),
    busy: whole(12, 'So many messages it has in hand.'),
    seenAt: instant(),
    startedAt: instant(),
  },
  { title: 'Worker' },
);

const Broker = Type.Object(
  {
    standing: word(['up', 'blocked', 'down'], { description: '`blocked`: short of memory or disk.' }),
    product: nullable(Type.String(), undefined, 'RabbitMQ 4.1.0'),
    downSince: nullable(instant()),
    queues: list(
      Type.Object({ name: text('email.dispatcher.send'), messages: whole(126), consumers: whole(4) }),
    ),
  },
  { title: 'Broker', description: 'As the process sees it that answers this.' },
);

export const WorkForce = Type.Object(
  {
    plate: Type.Object({
      level: LevelWord,
      sentence: text('Mail is leaving. 126 wait in the broker, the oldest for 4 seconds.'),
      evidence: text('4 workers, 2 relays alive.'),
    }),
    workers: list(Worker, 'Those that are gone are shown for an hour.'),
    broker: nullable(Broker, 'Null: AMQP_URL is not set.'),
    waiting: whole(412, 'What waits, in all workspaces; counted up to 100,000.'),
    queued: whole(126, 'Of that, what is with the broker.'),
    oldestQueuedAt: nullable(instant()),
    announcements: Type.Object({
      waiting: whole(0, 'Dead letters that the broker has not been told of.'),
      oldestAt: nullable(instant()),
    }),
  },
  { title: 'WorkForce' },
);
export type WorkForce = Static<typeof WorkForce>;

/** What is known when somebody asks. `now` is the database's, virtual if so configured; the rest is real time. */
export interface KnownWorkForce {
  readonly now: number;
  readonly speed: number;
  readonly workers: readonly Laborer[];
  readonly waiting: number;
  readonly queued: number;
  readonly oldestQueuedAt: number | null;
  readonly announcements: { readonly waiting: number; readonly oldestAt: number | null };
  readonly broker: {
    readonly standing: 'up' | 'blocked' | 'down';
    readonly silentMs: number;
    readonly product: string | null;
    readonly queues: readonly {
      readonly name: string;
      readonly messages: number;
      readonly consumers: number;
    }[];
  } | null;
}

export function presentWorkForce(known: KnownWorkForce): WorkForce {
  const { broker, workers, queued, waiting, oldestQueuedAt, announcements } = known;
  return {
    plate: judgeWorkers(factsOf(known)),
    workers: workers.map(({ name, kind, host, version, alive, busy, startedAt, seenAt }) => ({
      ...{ name, kind, host, version, alive, busy },
      seenAt: iso(seenAt),
      startedAt: iso(startedAt),
    })),
    broker: broker && {
      standing: broker.standing,
      product: broker.product,
      downSince: broker.standing === 'down' ? iso(Date.now() - broker.silentMs) : null,
      queues: broker.queues,
    },
    ...{ waiting, queued },
    oldestQueuedAt: presentInstant(oldestQueuedAt),
    announcements: { waiting: announcements.waiting, oldestAt: presentInstant(announcements.oldestAt) },
  };
}

function factsOf({ now, speed, workers, broker, ...known }: KnownWorkForce): WorkersFacts {
  const senders = workers.filter(({ kind }) => kind === 'worker');
  const send = broker?.queues.find(({ name }) => name.endsWith('.send'));
  return {
    senders: senders.filter(({ alive }) => alive).length,
    relays: workers.filter(({ kind, alive }) => kind === 'relay' && alive).length,
    lastHeardMs: senders.length === 0 ? null : Math.min(...senders.map(({ silentMs }) => silentMs)),
    waiting: known.waiting,
    queued: known.queued,
    oldestQueuedMs: known.oldestQueuedAt === null ? null : (now - known.oldestQueuedAt) / speed,
    broker: broker && { ...broker, consumers: send?.consumers ?? null },
  };
}
