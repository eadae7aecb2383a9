import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { missingToShare, roomFor, type Holdings } from './fair-share.js';

const SUPPLY = { limit: 20, most: 60 };
const holdings = (over: Partial<Holdings>): Holdings => ({
  all: 0,
  workspace: 0,
  account: 0,
  workspaces: 1,
  accounts: 1,
  ...over,
});

describe('the room of an account in what all share', () => {
  test('is all that is free', () => {
    expect(roomFor(SUPPLY, holdings({}))).toBe(20);
    expect(roomFor(SUPPLY, holdings({ all: 15, workspace: 15, account: 15 }))).toBe(5);
    expect(roomFor(SUPPLY, holdings({ all: 20, workspace: 20, account: 20 }))).toBe(0);
  });

  test('is what is missing to the share of its workspace, when nothing is free', () => {
    expect(roomFor(SUPPLY, holdings({ all: 20, workspaces: 2 }))).toBe(10);
    expect(roomFor(SUPPLY, holdings({ all: 24, workspace: 4, account: 4, workspaces: 2 }))).toBe(6);
    expect(roomFor(SUPPLY, holdings({ all: 20, workspaces: 200 }))).toBe(1);
  });

  test('is what is missing to its own share, while its workspace has not twice its own', () => {
    expect(roomFor(SUPPLY, holdings({ all: 20, workspace: 20, accounts: 4 }))).toBe(5);
    expect(roomFor(SUPPLY, holdings({ all: 38, workspace: 38, accounts: 4 }))).toBe(2);
    expect(roomFor(SUPPLY, holdings({ all: 40, workspace: 40, accounts: 51 }))).toBe(0);
  });

  test('ends with what there is in all', () => {
    expect(roomFor(SUPPLY, holdings({ all: 57, workspaces: 2 }))).toBe(3);
    expect(roomFor(SUPPLY, holdings({ all: 60, workspaces: 2 }))).toBe(0);
  });

  test('leaves something to what is more urgent, except of the last one', () => {
    expect(roomFor(SUPPLY, holdings({}), 1)).toBe(19);
    expect(roomFor(SUPPLY, holdings({ all: 20, workspaces: 2 }), 1)).toBe(9);
    expect(roomFor({ limit: 1, most: 3 }, holdings({}), 1)).toBe(1);
  });

  test('whoever came before: one workspace after the other finds its share, until all of it is lent', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 9 }), (limit, newcomers) => {
        const supply = { limit, most: 3 * limit };
        let all = 0;
        for (let workspaces = 1; workspaces <= newcomers; workspaces += 1) {
          const room = roomFor(supply, holdings({ all, workspaces }));
          expect(room).toBeGreaterThanOrEqual(Math.min(Math.floor(limit / workspaces), supply.most - all));
          expect(missingToShare(supply, holdings({ all, workspaces }))).toBeLessThanOrEqual(room);
          all += room;
        }
        expect(all).toBeLessThanOrEqual(supply.most);
      }),
    );
  });
});
