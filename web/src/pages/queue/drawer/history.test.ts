import { expect, test } from 'vitest';
import type { AuditEntry, MessageDetail } from '../../../api/types';
import { historyOf } from './history';

const at = (second: number): string => `2026-11-16T10:00:0${String(second)}.000Z`;
const tried = { startedAt: at(1), handedOverAt: null, finishedAt: at(1), outcome: 'failed', number: 1 };
const message = {
  ...{
    state: 'sent',
    createdAt: at(0),
    scheduledFor: at(0),
    updatedAt: at(5),
    reason: 'confirmed_by_person',
  },
  ...{ inlineAttempt: { ...tried, errorCode: '451', errorMessage: 'busy' }, attemptLog: [] },
} as unknown as MessageDetail;

test('what happened and who did what stand in the order of time, newest first', () => {
  const entry = {
    at: at(5),
    actor: 'ada@example.org',
    action: 'message.resolve',
    details: { body: { as: 'sent' } },
  };
  const events = historyOf(message, [entry as AuditEntry], 'UTC');
  expect(events.map(({ what }) => what)).toEqual([
    'Sent',
    'Decided as sent by ada@example.org',
    'Inline try: failed',
    'Accepted',
  ]);
  expect(events[0]?.detail).toBe('confirmed by person');
  expect(events[2]?.detail).toContain('451 busy');
});

test('a mail for later says when', () => {
  const later = { ...message, scheduledFor: '2026-11-20T09:00:00.000Z' };
  expect(historyOf(later, [], 'UTC').at(-1)?.detail).toBe('Not before Fri 20 Nov 2026, 09:00:00 UTC');
});

test('what still waits has not ended', () => {
  const waiting = { ...message, state: 'retry_scheduled' } as MessageDetail;
  expect(historyOf(waiting, [], 'UTC').map(({ what }) => what)).toEqual(['Inline try: failed', 'Accepted']);
});
