import { describe, expect, test } from 'vitest';
import { judgeWorkers, type WorkersFacts } from './workers-plate.js';

const up = { standing: 'up', silentMs: 0, consumers: 2 } as const;
const fine: WorkersFacts = {
  ...{ senders: 2, relays: 1, lastHeardMs: null, waiting: 126, queued: 126, oldestQueuedMs: 4_000 },
  broker: up,
};

describe('workers, relays and the broker', () => {
  test.each<[string, Partial<WorkersFacts>, string, string]>([
    ['all is well', {}, 'fine', 'Mail is leaving. 126 wait in the broker, the oldest for 4 seconds.'],
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
      { broker: { standing: 'down', silentMs: 720_000, consumers: null } },
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
});
