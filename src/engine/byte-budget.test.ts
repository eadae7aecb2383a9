import { describe, expect, test } from 'vitest';
import { ByteBudget } from './byte-budget.js';

/** Borrows, and tells whether it has been served yet. */
function borrow(budget: ByteBudget, bytes: number) {
  const loan: { served: boolean; giveBack: () => void } = { served: false, giveBack: () => undefined };
  void budget.borrow(bytes).then((giveBack) => {
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
});
