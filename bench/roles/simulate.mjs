// @ts-check
import { simulateHere } from '../../dist/simulate/simulate.js';
import { timed } from '../figures.mjs';

const STEPS = 3;
const ACCOUNTS = 5;
/** Enough for ten thousand within sixty days, with little to spare. */
const QUOTA = 160;

/**
 * Lets a campaign run to its end.
 *
 * @param {{ people: number, timezone: string, from: string, days: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ people, timezone, from, days }, parent) {
  const description = { people, steps: STEPS, accounts: ACCOUNTS, quota: QUOTA, delayDays: 3, timezone };
  /** @type {import('../../dist/core/simulation.js').Simulation | undefined} */
  let simulation;
  const { seconds, cpuMicroseconds } = await timed(async () => {
    simulation = await simulateHere({ description, from: Date.parse(from), days });
  });
  const { sent = 0, waiting = 0, violations = [] } = simulation ?? {};
  if (sent !== people * STEPS || waiting > 0) throw new Error(`${sent} left, ${waiting} still wait`);
  if (violations.length > 0) throw new Error(`a limit was broken: ${JSON.stringify(violations[0])}`);
  parent.tell({ kind: 'result', seconds, cpuMicroseconds, sent });
}
