import { describe, expect, test } from 'vitest';
import { GroupWriter } from './group-writer.js';

/** A flush that answers with ten times each item when it is told to, and remembers its groups. */
function flushing() {
  const groups: (readonly number[])[] = [];
  const pending: { answer: () => void; fail: (error: Error) => void }[] = [];
  let heard = () => undefined as unknown;
  return {
    groups,
    flush: (items: readonly number[]) =>
      new Promise<readonly number[]>((resolve, reject) => {
        groups.push(items);
        pending.push({ answer: () => resolve(items.map((item) => item * 10)), fail: reject });
        heard();
      }),
    /** The next flush that is under way. */
    next: async () => {
      if (pending.length === 0) await new Promise((resolve) => (heard = () => resolve(undefined)));
      return pending.shift()!;
    },
  };
}

describe('a group writer', () => {
  test('writes one alone without waiting for others', async () => {
    const { flush, next, groups } = flushing();
    const written = new GroupWriter(flush).write(1);
    (await next()).answer();
    expect(await written).toBe(10);
    expect(groups).toEqual([[1]]);
  });

  test('takes along whoever comes in the same turn, and answers each with its own', async () => {
    const { flush, next, groups } = flushing();
    const writer = new GroupWriter(flush);
    const written = Promise.all([writer.write(1), writer.write(2), writer.write(3)]);
    (await next()).answer();
    expect(await written).toEqual([10, 20, 30]);
    expect(groups).toEqual([[1, 2, 3]]);
  });

  test('collects what comes during a flush for the next one, and has one under way at a time', async () => {
    const { flush, next, groups } = flushing();
    const writer = new GroupWriter(flush);
    const first = writer.write(1);
    const underWay = await next();
    const others = Promise.all([writer.write(2), writer.write(3)]);
    await new Promise(setImmediate);
    expect(groups).toEqual([[1]]);
    underWay.answer();
    (await next()).answer();
    expect([await first, ...(await others)]).toEqual([10, 20, 30]);
    expect(groups).toEqual([[1], [2, 3]]);
  });

  test('lets those who were just answered join the next group', async () => {
    const { flush, next, groups } = flushing();
    const writer = new GroupWriter(flush);
    const again = writer.write(1).then(() => writer.write(4));
    const underWay = await next();
    const other = writer.write(2);
    underWay.answer();
    (await next()).answer();
    expect([await again, await other]).toEqual([40, 20]);
    expect(groups).toEqual([[1], [2, 4]]);
  });

  test('cuts a crowd into groups of the largest size', async () => {
    const { flush, next, groups } = flushing();
    const writer = new GroupWriter(flush, { largest: 2 });
    const written = Promise.all([1, 2, 3, 4, 5].map((item) => writer.write(item)));
    for (let group = 0; group < 3; group += 1) (await next()).answer();
    expect(await written).toEqual([10, 20, 30, 40, 50]);
    expect(groups).toEqual([[1, 2], [3, 4], [5]]);
  });

  test('shares a crowd out between flushes that may be under way together, and keeps a few together', async () => {
    const { flush, next, groups } = flushing();
    const writer = new GroupWriter(flush, { atOnce: 2 });
    const crowd = Array.from({ length: 20 }, (_, n) => n);
    const written = Promise.all(crowd.map((item) => writer.write(item)));
    const [first, second] = [await next(), await next()];
    expect(groups).toEqual([crowd.slice(0, 10), crowd.slice(10)]);
    const few = Promise.all([writer.write(20), writer.write(21)]);
    await new Promise(setImmediate);
    expect(groups).toHaveLength(2);
    second.answer();
    (await next()).answer();
    expect(groups[2]).toEqual([20, 21]);
    first.answer();
    expect(await written).toEqual(crowd.map((item) => item * 10));
    expect(await few).toEqual([200, 210]);
  });

  test('tells a failure to its group and to nobody else', async () => {
    const { flush, next } = flushing();
    const writer = new GroupWriter(flush);
    const lost = Promise.allSettled([writer.write(1), writer.write(2)]);
    const underWay = await next();
    const kept = writer.write(3);
    underWay.fail(new Error('gone'));
    (await next()).answer();
    expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await kept).toBe(30);
  });

  test('is ready again after it had nothing to do', async () => {
    const { flush, next, groups } = flushing();
    const writer = new GroupWriter(flush);
    for (const item of [1, 2]) {
      const written = writer.write(item);
      (await next()).answer();
      await written;
      await new Promise(setImmediate);
      await new Promise(setImmediate);
    }
    expect(groups).toEqual([[1], [2]]);
  });
});
