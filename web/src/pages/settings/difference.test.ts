import { expect, test } from 'vitest';
import { difference } from './difference';

const LANE = { retryPolicy: 'outbox', onDoubt: 'hold', guarded: false };
const BEFORE = { lanes: { outbox: LANE, campaign: LANE }, retentionDays: 30 };

test('nothing changed is nothing to send', () => {
  expect(difference(BEFORE, structuredClone(BEFORE), 3)).toEqual({});
});

test('only what changed is sent, as deep as the API takes parts', () => {
  const after = { ...BEFORE, lanes: { ...BEFORE.lanes, campaign: { ...LANE, guarded: true } } };
  expect(difference(BEFORE, after, 3)).toEqual({ lanes: { campaign: { guarded: true } } });
});

test('a retry policy goes as a whole', () => {
  const waits = (maxAttempts: number) => ({ maxAttempts, delaysSeconds: [60] });
  const lanes = (maxAttempts: number) => ({
    lanes: { outbox: { ...LANE, retryPolicy: waits(maxAttempts) } },
  });
  expect(difference(lanes(2), lanes(3), 3)).toEqual({
    lanes: { outbox: { retryPolicy: { maxAttempts: 3, delaysSeconds: [60] } } },
  });
});
