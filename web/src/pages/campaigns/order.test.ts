import { expect, test } from 'vitest';
import type { Campaign } from '../../api/types';
import { inOrder } from './order';

const campaign = (name: string, over: Partial<Campaign>): Campaign =>
  ({ name, state: 'running', holdUp: null, endsAt: null, finishedAt: null, ...over }) as Campaign;
const holdUp = {
  level: 'look',
  sentence: 'It waits.',
  verb: 'Look',
  to: '/accounts',
  awaits: 'you',
} as const;

test('what needs a person comes first, then what runs by its end, and what is over last, the newest first', () => {
  const items = [
    campaign('stopped', { state: 'stopped', finishedAt: '2026-09-01T00:00:00Z' }),
    campaign('draft', { state: 'draft' }),
    campaign('later', { endsAt: '2026-12-24T00:00:00Z' }),
    campaign('completed', { state: 'completed', finishedAt: '2026-10-01T00:00:00Z' }),
    campaign('paused', { state: 'paused' }),
    campaign('sooner', { endsAt: '2026-12-01T00:00:00Z' }),
    campaign('waits', { endsAt: '2027-01-01T00:00:00Z', holdUp }),
  ];
  expect(inOrder(items).map(({ name }) => name)).toEqual([
    ...['waits', 'sooner', 'later', 'paused', 'draft', 'completed', 'stopped'],
  ]);
});
