import { expect, test } from 'vitest';
import { Line } from './line.js';

/** Work that goes on until it is told to end. */
class Worker {
  working = 0;
  most = 0;
  readonly begun: number[] = [];
  readonly #ends = new Map<number, (error?: Error) => void>();

  readonly work = (name: number) => () => {
    this.begun.push(name);
    this.working += 1;
    this.most = Math.max(this.most, this.working);
    return new Promise<number>((resolve, reject) => {
      this.#ends.set(name, (error) => {
        this.working -= 1;
        if (error) reject(error);
        else resolve(name);
      });
    });
  };

  async end(name: number, error?: Error): Promise<void> {
    this.#ends.get(name)!(error);
    await new Promise(setImmediate);
  }
}

test('a few work at once, some wait in order, and the rest is told to come back', async () => {
  const line = new Line({ atOnce: 2, waiting: 3 });
  const worker = new Worker();
  const runs = Array.from({ length: 8 }, (_, name) => line.run(worker.work(name)));
  const answers = Promise.allSettled(runs);
  await new Promise(setImmediate);
  expect(worker.begun).toEqual([0, 1]);
  await worker.end(1);
  expect(worker.begun).toEqual([0, 1, 2]);
  await worker.end(0, new Error('it failed'));
  expect(worker.begun).toEqual([0, 1, 2, 3]);
  await worker.end(2);
  for (const name of [3, 4]) await worker.end(name);
  const busy = { status: 'rejected', reason: { code: 'busy', retryAfterSeconds: 2 } };
  expect(await answers).toMatchObject([
    { status: 'rejected', reason: { message: 'it failed' } },
    ...[1, 2, 3, 4].map((value) => ({ status: 'fulfilled', value })),
    ...[busy, busy, busy],
  ]);
  expect(worker.most).toBe(2);
});

test('whoever comes later finds the room that is free again, and no more', async () => {
  const line = new Line({ atOnce: 1, waiting: 0 });
  const worker = new Worker();
  for (const name of [1, 2, 3]) {
    const run = line.run(worker.work(name));
    await expect(line.run(worker.work(9))).rejects.toMatchObject({ code: 'busy' });
    await worker.end(name);
    expect(await run).toBe(name);
  }
  expect(worker.begun).toEqual([1, 2, 3]);
});
