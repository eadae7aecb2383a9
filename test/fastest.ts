const TRIES = 5;

/**
 * What some work costs by itself: the best of several tries, so that it does not count what else the machine had to do.
 * To be compared with the cost of other work, not with a number.
 */
export function fastestMs(work: () => void): number {
  const tries = Array.from({ length: TRIES }, () => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...tries);
}
