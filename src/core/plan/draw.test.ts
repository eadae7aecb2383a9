import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawn } from './draw.js';

describe('what is drawn', () => {
  test('is in [0, 1), and the same for whoever asks for the same', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), fc.nat(), (...what) => {
        const one = drawn(...what);
        expect(one).toBeGreaterThanOrEqual(0);
        expect(one).toBeLessThan(1);
        expect(drawn(...what)).toBe(one);
      }),
    );
  });

  test.each<[string, (n: number) => number]>([
    ['gap after gap', (n) => drawn(1, 1, 20_000, n)],
    ['day after day', (n) => drawn(1, 1, 20_000 + n, 0)],
    ['account after account', (n) => drawn(1, n, 20_000, 0)],
    ['seed after seed', (n) => drawn(n, 1, 20_000, 0)],
  ])('is spread evenly, %s', (_, draw) => {
    const tenths = new Array<number>(10).fill(0);
    for (let n = 0; n < 10_000; n++) tenths[Math.floor(10 * draw(n))]! += 1;
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });
});
