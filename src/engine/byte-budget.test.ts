import { describe, expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.js';

const ADA = { workspaceId: 1, accountId: 1 };
const BOB = { workspaceId: 2, accountId: 2 };

/** Borrows, and tells whether it has been served yet. */
function borrow(budget: ByteBudget, bytes: number, owner = ADA) {
  const loan: { served: boolean; giveBack: () => void } = { served: false, giveBack: () => undefined };
  void budget.borrow(bytes, owner).then((giveBack) => {
    loan.served = true;
    loan.giveBack = giveBack;
  });
  return loan;
}

const aTurn = () => new Promise(setImmediate);

describe('a byte budget', () => {
  test('serves at once while there is room, and the next when there is room again', async () => {
    const budget = new ByteBudget(100);
    const loans = [60, 40, 10].map((bytes) => borrow(budget, bytes));
    await aTurn();
    expect(loans.map(({ served }) => served)).toEqual([true, true, false]);
    loans[1]!.giveBack();
    await aTurn();
    expect(loans[2]!.served).toBe(true);
  });

  test('serves in order: a small one does not pass a large one that waits', async () => {
    const budget = new ByteBudget(100);
    const [first, large, small] = [80, 50, 10].map((bytes) => borrow(budget, bytes));
    await aTurn();
    expect([large!.served, small!.served]).toEqual([false, false]);
    first!.giveBack();
    await aTurn();
    expect([large!.served, small!.served]).toEqual([true, true]);
  });

  test('lets one that is larger than all of it go alone', async () => {
    const budget = new ByteBudget(100);
    const small = borrow(budget, 1);
    const huge = borrow(budget, 5_000);
    await aTurn();
    expect(huge.served).toBe(false);
    small.giveBack();
    await aTurn();
    expect(huge.served).toBe(true);
    const next = borrow(budget, 1);
    await aTurn();
    expect(next.served).toBe(false);
    huge.giveBack();
    await aTurn();
    expect(next.served).toBe(true);
  });

  test('is whole again after everything was given back', async () => {
    const budget = new ByteBudget(100);
    for (let round = 0; round < 50; round += 1) {
      const loans = [70, 70, 500].map((bytes) => borrow(budget, bytes));
      for (const loan of loans) {
        await aTurn();
        loan.giveBack();
      }
    }
    const whole = borrow(budget, 100);
    await aTurn();
    expect(whole.served).toBe(true);
  });

  test('gives one account its share of what another does not give back, also if it needs a little more', async () => {
    const budget = new ByteBudget(100);
    const held = [60, 40, 30].map((bytes) => borrow(budget, bytes));
    const [first, second, third] = [70, 10, 20].map((bytes) => borrow(budget, bytes, BOB));
    await aTurn();
    expect(held.map(({ served }) => served)).toEqual([true, true, false]);
    expect([first!.served, second!.served, third!.served]).toEqual([true, false, false]);
    first!.giveBack();
    await aTurn();
    expect([second!.served, third!.served]).toEqual([true, true]);
    expect(held[2]!.served).toBe(false);
    held[0]!.giveBack();
    await aTurn();
    expect(held[2]!.served).toBe(true);
  });

  test('lends no more than as much again', async () => {
    const budget = new ByteBudget(100);
    const loans = [1, 2, 3, 4, 5].map((id) => borrow(budget, 60, { workspaceId: id, accountId: id }));
    await aTurn();
    expect(loans.map(({ served }) => served)).toEqual([true, true, true, false, false]);
    expect(budget.tryBorrow(60, ADA)).toBeUndefined();
    loans[0]!.giveBack();
    await aTurn();
    expect(loans.map(({ served }) => served)).toEqual([true, true, true, true, false]);
  });
});
