import { expect, test } from 'vitest';
import type { Sequence } from '../../api/types';
import {
  added,
  asKind,
  changedWords,
  delayWords,
  draftOf,
  mayThread,
  moved,
  removed,
  stepsOf,
  withStep,
} from './draft';

const step = (order: number, body: string, subject: string | null = null) => ({
  ...{ order, delayDays: order - 1, delayUnit: 'days' as const, action: 'email' as const },
  ...{ subject, body, bodyText: null },
});
const saved: Sequence = {
  ...{ id: 'seq_1', name: 'Autumn', version: 1, usedBy: { campaigns: 0, running: 0 } },
  ...{ createdAt: '', updatedAt: '', steps: [step(1, 'a', 'Hi'), step(2, 'b'), step(3, 'c')] },
};
const draft = draftOf(saved);

test('what nobody touched is what is saved', () => {
  expect(stepsOf(draft)).toEqual(saved.steps);
  expect(changedWords(saved, draft)).toEqual([]);
});

test('a step that moves takes its key along, and not beyond the ends', () => {
  const down = moved(draft, 0, 1);
  expect(stepsOf(down).map(({ order, body }) => [order, body])).toEqual([
    [1, 'b'],
    [2, 'a'],
    [3, 'c'],
  ]);
  expect(down.steps[1]?.key).toBe(draft.steps[0]?.key);
  expect(changedWords(saved, down)).toEqual(['step 1', 'step 2']);
  expect(moved(draft, 0, -1)).toBe(draft);
  expect(moved(draft, 2, 1)).toBe(draft);
});

test('what is added, removed or renamed is told', () => {
  expect(changedWords(saved, removed(draft, 2))).toEqual(['steps']);
  expect(changedWords(saved, added(draft))).toEqual(['step 4']);
  expect(changedWords(saved, { ...withStep(draft, 1, { body: 'x' }), name: 'Winter' })).toEqual([
    'name',
    'step 2',
  ]);
});

test('another kind keeps what it can', () => {
  const first = draft.steps[0]!;
  expect(asKind({ ...first, bodyText: 'x' }, 'message', false)).toMatchObject({
    ...{ action: 'message', subject: null, body: 'a', bodyText: null },
  });
  expect(asKind({ ...first, subject: null }, 'email', true).subject).toBe('');
  expect([mayThread(draft, 0), mayThread(draft, 1)]).toEqual([false, true]);
});

test('delays in words', () => {
  expect(delayWords({ delayDays: 1, delayUnit: 'sendingDays' })).toBe('1 sending day later');
  expect(delayWords({ delayDays: 2, delayUnit: 'hours' })).toBe('2 hours later');
  expect(delayWords({ delayDays: 0, delayUnit: 'days' })).toBe('as soon as it may');
});
