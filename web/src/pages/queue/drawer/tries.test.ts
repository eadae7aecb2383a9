import { expect, test } from 'vitest';
import type { Attempt } from '../../../api/types';
import { foldTries, gateWords, phasesOf, replyWords } from './tries';

const attempt = (over: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  startedAt: '2026-11-16T10:00:00.000Z',
  handedOverAt: null,
  finishedAt: '2026-11-16T10:00:00.412Z',
  outcome: 'failed',
  errorClass: 'retryable',
  errorCode: '451 4.3.0',
  errorMessage: 'Temporary lookup failure',
  providerMessageId: null,
  workerId: 'w1',
  ...over,
});

test('equal replies in a row fold, others do not', () => {
  const other = attempt({ number: 4, errorMessage: 'busy' });
  const tries = [attempt(), attempt({ number: 2 }), attempt({ number: 3 }), other, attempt({ number: 5 })];
  expect(foldTries(tries).map(({ attempts }) => attempts.map(({ number }) => number))).toEqual([
    [1, 2, 3],
    [4],
    [5],
  ]);
  const afterTheGate = attempt({ number: 2, handedOverAt: '2026-11-16T10:00:00.100Z' });
  expect(foldTries([attempt(), afterTheGate])).toHaveLength(2);
});

test('the gate says whether something may have left', () => {
  const handedOverAt = '2026-11-16T10:00:00.300Z';
  expect(gateWords(attempt())).toContain('nothing left');
  expect(gateWords(attempt({ handedOverAt, outcome: 'in_doubt' }))).toContain('may have left');
  expect(gateWords(attempt({ handedOverAt, outcome: 'success' }))).toContain('taken');
  expect(phasesOf(attempt({ handedOverAt }))).toEqual({ before: 300, after: 112 });
  expect(phasesOf(attempt())).toEqual({ before: 412, after: 0 });
  expect(phasesOf(attempt({ startedAt: null }))).toBeUndefined();
});

test('a reply is code and text, once', () => {
  expect(replyWords(attempt())).toBe('451 4.3.0 Temporary lookup failure');
  expect(replyWords(attempt({ errorCode: '451', errorMessage: '451 busy' }))).toBe('451 busy');
  expect(replyWords(attempt({ errorCode: null, errorMessage: null }))).toBeUndefined();
});
