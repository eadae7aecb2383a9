import { expect, test } from 'vitest';
import { refusalWords, type PastAction } from './refusal.js';

const NOW = Date.UTC(2026, 10, 16, 12);
const past = (over: Partial<PastAction> = {}): PastAction => ({
  at: NOW - 3_000,
  actor: 'jonas@harbour.example',
  action: 'message.retry',
  details: null,
  ...over,
});

test('says who was first, and how long ago', () => {
  expect(refusalWords('scheduled', 'dismiss', past(), NOW)).toBe(
    'already retried by jonas@harbour.example, 3 s ago; it is scheduled now',
  );
  const bulk = past({ action: 'message.bulk', details: { body: { action: 'cancel' } }, at: NOW - 180_000 });
  expect(refusalWords('cancelled', 'cancel', bulk, NOW)).toBe(
    'already cancelled by jonas@harbour.example, 3 min ago; it is cancelled now',
  );
  const removed = past({ action: 'outbox.delete', at: NOW });
  expect(refusalWords('cancelled', 'retry', removed, NOW)).toContain('already dismissed by jonas');
});

test.each([
  ['nothing is known', undefined],
  ['it was long ago', past({ at: NOW - 3_600_000 })],
  ['it was no decision about a message', past({ action: 'account.update' })],
  ['what was decided is not known', past({ action: 'message.bulk', details: null })],
])('names the state when %s', (_, past) => {
  expect(refusalWords('sent', 'retry', past, NOW)).toBe("a message that is sent can't be retried");
});
