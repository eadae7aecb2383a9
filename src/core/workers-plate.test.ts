import { describe, expect, test } from 'vitest';
import { judgeWorkers, type WorkersFacts } from './workers-plate.js';

const up = { standing: 'up', silentMs: 0, consumers: 2, directAfterSeconds: 60 } as const;
const fine: WorkersFacts = {
  ...{ senders: 2, relays: 1, lastHeardMs: null, waiting: 126, queued: 126, oldestQueuedMs: 4_000 },
  ...{ places: 60, busy: 12 },
  broker: up,
};

describe('workers, relays and the broker', () => {
  test.each<[string, Partial<WorkersFacts>, string, string]>([
    ['all is well', {}, 'fine', 'Mail is leaving. 126 wait in the broker, the oldest for 4 seconds.'],
    [
      'all has left',
      { waiting: 0, queued: 0, oldestQueuedMs: null },
      'fine',
      'Mail is leaving. Nothing waits in the broker.',
    ],
    ['without a broker', { broker: null, queued: 0 }, 'fine', 'Mail is leaving. 126 mails wait.'],
    [
      'nobody sends',
      { senders: 0, waiting: 7_311, lastHeardMs: 720_000 },
      'act',
      'No worker answers for 12 minutes. 7,311 mails wait.',
    ],
    ['nobody ever sent', { senders: 0, waiting: 0 }, 'look', 'No worker answers. Nothing waits.'],
    [
      'the broker is away',
      { broker: { ...up, standing: 'down', silentMs: 720_000, consumers: null } },
      'look',
      'RabbitMQ has not answered for 12 minutes. Nothing is lost.',
    ],
    [
      'the broker is full',
      { broker: { ...up, standing: 'blocked' } },
      'look',
      'RabbitMQ takes nothing: it is short of memory or disk. Nothing is lost.',
    ],
    [
      'nobody consumes',
      { broker: { ...up, consumers: 0 } },
      'look',
      '126 wait in the broker and no sender takes them.',
    ],
    [
      'nobody takes in time',
      { oldestQueuedMs: 90_000, queued: 1 },
      'look',
      '1 waits in the broker and no sender takes them.',
    ],
    [
      'no relay',
      { relays: 0, queued: 0, oldestQueuedMs: null },
      'look',
      'No relay answers. Senders take mail from the database themselves.',
    ],
  ])('%s', (_, over, level, sentence) => {
    expect(judgeWorkers({ ...fine, ...over })).toMatchObject({ level, sentence });
  });

  test.each<[string, Partial<WorkersFacts>, string]>([
    ['all is well', {}, '2 workers, 1 relay alive; 12 of 60 places are taken.'],
    ['without a broker', { broker: null }, '2 workers alive; 12 of 60 places are taken.'],
    [
      'crowded',
      { busy: 57, waiting: 200 },
      '2 workers, 1 relay alive; 57 of 60 places are taken. One more would shorten the wait.',
    ],
    [
      'the broker is away',
      { broker: { ...up, standing: 'down' }, waiting: 7_311 },
      '7,311 mails wait in the database. Senders take what is late by 60 seconds themselves; the rest leaves when it is back, without your doing.',
    ],
    [
      'the broker is away and nobody goes past it',
      { broker: { ...up, standing: 'down', directAfterSeconds: 0 }, waiting: 1 },
      '1 mail waits in the database. They leave when it is back, without your doing.',
    ],
    ['nobody sends', { senders: 0 }, 'Start one: pillarbox work. What waits is safe in the database.'],
  ])('what it rests on: %s', (_, over, evidence) => {
    expect(judgeWorkers({ ...fine, ...over })).toMatchObject({ evidence });
  });
});
