import { expect, test } from 'vitest';
import { Timeline } from './timeline.js';

test('what leaves while clocks are being set may have gone by the one before, or by the new one', () => {
  const timeline = new Timeline();
  timeline.set({ startMs: 1_000, speed: 1, firstMs: 0, lastMs: 0 });
  timeline.set({ startMs: 900_000, speed: 1, firstMs: 100, lastMs: 150 });
  expect(timeline.earliest(120)).toBeLessThanOrEqual(1_120);
  expect(timeline.latest(120)).toBeGreaterThanOrEqual(900_020);
  expect(timeline.earliest(200)).toBeGreaterThanOrEqual(900_040);
  expect(timeline.latest(99)).toBeLessThanOrEqual(1_101);
});
