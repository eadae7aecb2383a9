import { expect, test } from 'vitest';
import type { MessageDetail } from '../../../api/types';
import { trackOf } from './track';

const AT = Date.UTC(2026, 10, 16, 10);
const iso = (seconds: number): string => new Date(AT + seconds * 1_000).toISOString();
const message = (made: readonly number[], planned: readonly number[]) =>
  ({
    attempts: made.length,
    inlineAttempt: null,
    attemptLog: made.map((at) => ({ startedAt: iso(at), finishedAt: iso(at), outcome: 'failed' })),
    plannedAttempts: planned.map(iso),
  }) as unknown as MessageDetail;

test('tries made, now and tries to come stand on one line by their time', () => {
  const marks = trackOf(message([0, 60], [300, 600]), AT + 120_000);
  expect(marks.map(({ kind, left }) => [kind, Math.round(left)])).toEqual([
    ['made', 0],
    ['made', 10],
    ['now', 20],
    ['planned', 50],
    ['planned', 100],
  ]);
  expect(marks.map(({ number }) => number)).toEqual([undefined, undefined, undefined, 3, 4]);
  expect(marks.map(({ labelled }) => labelled)).toEqual([true, false, false, true, true]);
});

test('marks that would hide each other stand side by side, inside of the line', () => {
  const lefts = trackOf(message([0, 1, 2], [86_399, 86_400]), AT + 3_000).map(({ left }) => left);
  lefts.reduce((before, left) => {
    expect(left - before).toBeGreaterThanOrEqual(3);
    return left;
  }, -3);
  expect(Math.max(...lefts)).toBeLessThanOrEqual(100);
});

test('a single try is no way', () => {
  expect(trackOf(message([0], []), AT)).toEqual([]);
});
