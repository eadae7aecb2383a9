import { expect } from 'vitest';

/**
 * That a piece of work costs less than this, in milliseconds of the processor: what others do on the machine meanwhile is
 * not counted. Of up to ten rounds the cheapest counts, which is the one that was disturbed least.
 */
export function expectCost(work: () => unknown, belowMs: number): void {
  let cheapest = Infinity;
  for (let round = 0; round < 10 && cheapest >= belowMs; round += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    cheapest = Math.min(cheapest, (user + system) / 1_000);
  }
  expect(cheapest, 'milliseconds of the processor').toBeLessThan(belowMs);
}
