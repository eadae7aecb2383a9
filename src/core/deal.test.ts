import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deal } from './deal.js';

const channels = (...perWorkspace: number[]) => {
  let id = 0;
  return perWorkspace.flatMap((count, workspaceId) =>
    Array.from({ length: count }, () => ({ id: (id += 1), workspaceId })),
  );
};

describe('dealing a claim', () => {
  test('one channel gets all of it', () => {
    expect(deal(channels(1), 500, 0)).toEqual([{ channelId: 1, limit: 500 }]);
  });

  test('a workspace with a hundred accounts gets as much as one with a single account', () => {
    const all = channels(100, 1);
    const shares = deal(all, 500, 3);
    const of = (workspaceId: number) =>
      shares
        .filter(({ channelId }) => all.find(({ id }) => id === channelId)?.workspaceId === workspaceId)
        .reduce((sum, { limit }) => sum + limit, 0);
    expect(of(0)).toBe(250);
    expect(of(1)).toBe(250);
  });

  test('a newcomer is served in the very next claim', () => {
    const shares = deal([...channels(1), { id: 9, workspaceId: 9 }], 40, 17);
    expect(shares).toContainEqual({ channelId: 9, limit: 20 });
  });

  test('gives out exactly the size, to each channel once, and everybody gets a turn', () => {
    const counts = fc.array(fc.integer({ min: 1, max: 80 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(counts, fc.integer({ min: 1, max: 500 }), (perWorkspace, size) => {
        const all = channels(...perWorkspace);
        const served = new Set<number>();
        for (let turn = 0; turn < 7_000 && served.size < all.length; turn += 1) {
          const shares = deal(all, size, turn);
          expect(shares.reduce((sum, { limit }) => sum + limit, 0)).toBe(size);
          expect(new Set(shares.map(({ channelId }) => channelId)).size).toBe(shares.length);
          expect(shares.every(({ limit }) => limit > 0)).toBe(true);
          for (const { channelId } of shares) served.add(channelId);
        }
        expect(served.size).toBe(all.length);
      }),
      { numRuns: 40 },
    );
  });

  test('nobody there: nothing is dealt', () => {
    expect(deal([], 500, 1)).toEqual([]);
  });
});
