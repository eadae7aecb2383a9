import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Passing } from './passing.js';

describe('passing over places that are shut', () => {
  test('finds the first open one, whatever was shut and in which order', () => {
    const place = fc.integer({ min: 0, max: 29 });
    fc.assert(
      fc.property(fc.array(fc.tuple(place, place)), (steps) => {
        const passing = new Passing(30);
        const open = new Set(Array.from({ length: 30 }, (_, at) => at));
        for (const [shut, from] of steps) {
          passing.shut(shut);
          open.delete(shut);
          expect(passing.from(from)).toBe([...open].find((at) => at >= from) ?? 30);
        }
        passing.reopen();
        expect(passing.from(7)).toBe(7);
      }),
    );
  });
});
