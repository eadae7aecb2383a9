import { formatId } from '../core/ids.js';
import { judgeWorkers, type WorkersFacts } from '../core/workers-plate.js';
import type { WorkerKind } from '../core/workers.js';
import type { Told } from '../store/scripts/announcements.js';
import type { BrokerDay, BrokerPoint } from '../store/scripts/relay-minutes.js';
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
    places: nullable(Type.Integer(), 'Sends at once; null: it does not send.', 20),
    lastMinute: nullable(Type.Integer(), 'Sent, or passed on, in its last minute.', 849),
    leasesLost: nullable(Type.Integer(), 'Results that came after their lease was lost.', 0),
    confirmMs: nullable(Type.Integer(), 'Of a relay: how long the broker takes to confirm.'),
    seenAt: instant(),
    silentMs: whole(400, 'Since then.'),
    startedAt: instant(),
  },
  { title: 'Worker' },
);

const Broker = Type.Object(
  {
    standing: word(['up', 'blocked', 'down'], { description: '`blocked`: short of memory or disk.' }),
    product: nullable(Type.String(), undefined, 'RabbitMQ 4.1.0'),
    host: text('mq.example.org:5672'),
    upSince: nullable(instant()),
    downSince: nullable(instant()),
    trouble: nullable(
      Type.Object({ why: text('connect ECONNREFUSED 192.0.2.7:5672'), tries: whole(41) }),
      'Why it cannot be used, and how often that was tried.',
    ),
    prefetch: whole(620, 'So much each sender may have in hand.'),
    directAfterSeconds: whole(60, 'What is so late is claimed past the broker; 0: never.'),
    queuesAt: nullable(instant('When its queues were looked at last.')),
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
    due: whole(38, 'Of that, what could leave now and nobody has taken or passed on.'),
    oldestDueAt: nullable(instant()),
    queued: whole(126, 'And what is with the broker.'),
    oldestQueuedAt: nullable(instant()),
    lastMinute: Type.Object({ sent: whole(2_431), published: whole(2_460) }),
    lastDay: Type.Object(
      {
        again: whole(2, 'Passed on again because nobody took it.'),
        dropped: whole(17, 'Deliveries that were stale, or known already.'),
        returned: whole(31, 'Not confirmed by the broker, and put back.'),
      },
      { description: 'Through the broker.' },
    ),
    series: list(
      Type.Object({ at: instant(), queued: whole(126), away: flag(false, 'It could not be reached.') }),
      'The most that was with the broker at once: 60 minutes, or a day in steps of 5.',
    ),
    announcements: Type.Object({
      waiting: whole(0, 'Dead letters that the broker has not been told of.'),
      oldestAt: nullable(instant()),
      last: list(
        Type.Object({
          id: text('msg_01KA7QX2'),
          workspaceId: text('ws_1'),
          at: instant(),
          deadReason: nullable(Type.String(), undefined, 'max_attempts'),
          error: nullable(Type.String(), undefined, '451 4.3.0 busy'),
        }),
        'Those that it was told of last, the latest first.',
      ),
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
  readonly due: number;
  readonly oldestDueAt: number | null;
  readonly queued: number;
  readonly oldestQueuedAt: number | null;
  readonly lastDay: BrokerDay;
  readonly series: readonly BrokerPoint[];
  readonly announcements: {
    readonly waiting: number;
    readonly oldestAt: number | null;
    readonly last: readonly Told[];
  };
  readonly broker: {
    readonly standing: 'up' | 'blocked' | 'down';
    readonly silentMs: number;
    readonly host: string;
    readonly upSince: number | undefined;
    readonly trouble: { readonly why: string; readonly tries: number } | undefined;
    readonly prefetch: number;
    readonly directAfterSeconds: number;
    readonly queuesAt: number | undefined;
    readonly product: string | null;
    readonly queues: readonly {
      readonly name: string;
      readonly messages: number;
      readonly consumers: number;
    }[];
  } | null;
}

export function presentWorkForce(known: KnownWorkForce): WorkForce {
  const { broker, workers, waiting, due, queued, announcements } = known;
  const inLastMinute = (kind: WorkerKind) =>
    workers
      .filter((each) => each.kind === kind && each.alive)
      .reduce((sum, { lastMinute }) => sum + (lastMinute ?? 0), 0);
  return {
    plate: judgeWorkers(factsOf(known)),
    workers: workers.map(presentWorker),
    broker: broker && presentBroker(broker),
    ...{ waiting, due, queued },
    oldestDueAt: presentInstant(known.oldestDueAt),
    oldestQueuedAt: presentInstant(known.oldestQueuedAt),
    lastMinute: { sent: inLastMinute('worker'), published: inLastMinute('relay') },
    lastDay: known.lastDay,
    series: known.series.map(({ at, queued: then, away }) => ({ at: iso(at), queued: then, away })),
    announcements: {
      waiting: announcements.waiting,
      oldestAt: presentInstant(announcements.oldestAt),
      last: announcements.last.map(({ messageId, workspaceId, toldAt, deadReason, error }) => ({
        id: formatId('message', messageId),
        workspaceId: formatId('workspace', workspaceId),
        at: iso(toldAt),
        ...{ deadReason, error },
      })),
    },
  };
}

const presentWorker = ({ seenAt, startedAt, ...worker }: Laborer): Static<typeof Worker> => {
  const { name, kind, host, version, alive, busy, places, lastMinute, leasesLost, confirmMs } = worker;
  const silentMs = Math.round(worker.silentMs);
  return {
    ...{ name, kind, host, version, alive, busy, places, lastMinute, leasesLost, confirmMs },
    ...{ silentMs, seenAt: iso(seenAt), startedAt: iso(startedAt) },
  };
};

const presentBroker = (broker: NonNullable<KnownWorkForce['broker']>): Static<typeof Broker> => {
  const { standing, product, host, upSince, silentMs, trouble, queuesAt, queues } = broker;
  const { prefetch, directAfterSeconds } = broker;
  return {
    ...{ standing, product, host, queues, prefetch, directAfterSeconds },
    upSince: presentInstant(upSince ?? null),
    downSince: standing === 'down' ? iso(Date.now() - silentMs) : null,
    trouble: standing === 'down' && trouble ? trouble : null,
    queuesAt: presentInstant(queuesAt ?? null),
  };
};

function factsOf({ now, speed, workers, broker, ...known }: KnownWorkForce): WorkersFacts {
  const senders = workers.filter(({ kind }) => kind === 'worker');
  const send = broker?.queues.find(({ name }) => name.endsWith('.send'));
  return {
    senders: senders.filter(({ alive }) => alive).length,
    relays: workers.filter(({ kind, alive }) => kind === 'relay' && alive).length,
    lastHeardMs: senders.length === 0 ? null : Math.min(...senders.map(({ silentMs }) => silentMs)),
    places: senders.reduce((sum, { alive, places }) => sum + (alive ? (places ?? 0) : 0), 0),
    busy: senders.reduce((sum, { alive, busy }) => sum + (alive ? busy : 0), 0),
    waiting: known.waiting,
    queued: known.queued,
    oldestQueuedMs: known.oldestQueuedAt === null ? null : (now - known.oldestQueuedAt) / speed,
    broker: broker && { ...broker, consumers: send?.consumers ?? null },
  };
}
