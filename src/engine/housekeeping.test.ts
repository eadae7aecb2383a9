import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silent } from '../log/log.js';
import { Housekeeping } from './housekeeping.js';
import type { Sweeper } from './sweeper.js';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('an outage that the chores meet is told with its stack once, and when it is over', async () => {
  const lines: (readonly [level: string, facts: object, text: string])[] = [];
  const log = {
    ...silent,
    warn: (facts: object, text: string) => void lines.push(['warn', facts, text]),
    info: (facts: object, text: string) => void lines.push(['info', facts, text]),
  };
  const away = new Error('away');
  const sweep = vi.fn<() => Promise<void>>().mockRejectedValue(away);
  const housekeeping = new Housekeeping({ sweep } as unknown as Sweeper, log);
  housekeeping.start();
  await vi.advanceTimersByTimeAsync(3 * MINUTE_MS);
  sweep.mockResolvedValue();
  await vi.advanceTimersByTimeAsync(2 * MINUTE_MS);
  await housekeeping.stop();
  const text = 'a chore failed; it is tried again';
  expect(lines).toEqual([
    ['warn', { err: away, failures: 1 }, text],
    ['warn', { last: 'away', failures: 1 }, text],
    ['warn', { last: 'away', failures: 1 }, text],
    ['info', { failures: 3, seconds: 180 }, 'chores are done again'],
  ]);
});
