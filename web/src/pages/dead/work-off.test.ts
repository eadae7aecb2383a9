import { expect, test } from 'vitest';
import { workOff, type Step } from './work-off';

test('each is asked again until nothing is left of it, and says how far it is', async () => {
  const answers: Record<string, Step[]> = {
    a: [
      { done: 500, conflicts: 0, more: true },
      { done: 500, conflicts: 5, more: true },
      { done: 20, conflicts: 7, more: false },
    ],
    b: [{ done: 3, conflicts: 1, more: false }],
  };
  const told: number[] = [];
  const step = (item: string) =>
    Promise.resolve(answers[item]?.shift() ?? { done: 0, conflicts: 0, more: false });
  const made = await workOff({ items: ['a', 'b'], step, onProgress: (done) => told.push(done) });
  expect(made).toEqual({ done: 1_023, conflicts: 8 });
  expect(told).toEqual([500, 1_000, 1_020, 1_023]);
});

test('what gets nowhere ends', async () => {
  let asked = 0;
  const step = () => Promise.resolve({ done: 0, conflicts: 2, more: (asked += 1) > 0 });
  const made = await workOff({ items: ['a'], step, onProgress: () => undefined });
  expect(made).toEqual({ done: 0, conflicts: 2 });
  expect(asked).toBe(1);
});
