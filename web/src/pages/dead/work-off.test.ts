import { expect, test } from 'vitest';
import { workOff, type Step } from './work-off';

test('each is asked again until nothing is left of it, and says how far it is', async () => {
  const answers: Record<string, Step[]> = {
    a: [
      { done: 500, more: true },
      { done: 500, more: true },
      { done: 20, more: false },
    ],
    b: [{ done: 3, more: false }],
  };
  const told: number[] = [];
  const step = (item: string) => Promise.resolve(answers[item]?.shift() ?? { done: 0, more: false });
  expect(await workOff({ items: ['a', 'b'], step, onProgress: (done) => told.push(done) })).toBe(1_023);
  expect(told).toEqual([500, 1_000, 1_020, 1_023]);
});

test('what gets nowhere ends', async () => {
  let asked = 0;
  const step = () => Promise.resolve({ done: 0, more: (asked += 1) > 0 });
  expect(await workOff({ items: ['a'], step, onProgress: () => undefined })).toBe(0);
  expect(asked).toBe(1);
});
