// @ts-check

/** @typedef {{ median: number, min: number, max: number }} Spread */

/** @param {readonly number[]} values */
const sorted = (values) => [...values].sort((a, b) => a - b);

/**
 * The middle of all rounds, and how far they lie apart.
 *
 * @param {readonly number[]} values
 * @returns {Spread}
 */
export function spread(values) {
  const order = sorted(values);
  return { median: percentile(order, 0.5), min: order[0] ?? NaN, max: order.at(-1) ?? NaN };
}

/**
 * A value that was measured, not one between two.
 *
 * @param {readonly number[]} values
 * @param {number} share
 */
export function percentile(values, share) {
  const order = sorted(values);
  return order[Math.max(0, Math.ceil(order.length * share) - 1)] ?? NaN;
}

/**
 * Round by round, because what slows down a round slows down both.
 *
 * @param {readonly number[]} of
 * @param {readonly number[]} against
 */
export const ratios = (of, against) => of.map((value, round) => value / (against[round] ?? NaN));

/** The same clock in every process of one host, in ms. */
export const instant = () => performance.timeOrigin + performance.now();

/**
 * @typedef {{ seconds: number, cpuMicroseconds: number }} Cost
 *
 * @param {() => Promise<unknown>} work
 * @returns {Promise<Cost>} the CPU time is that of this process
 */
export async function timed(work) {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  return { seconds, cpuMicroseconds: user + system };
}
