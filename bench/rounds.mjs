// @ts-check
import { GROUPS } from './groups/index.mjs';

/** @typedef {import('./groups/group.mjs').Group} Group */
/** @typedef {import('./groups/group.mjs').Runner} Runner */
/** @typedef {{ name: import('./options.mjs').GroupName, group: Group, runners: readonly Runner[] }} OpenGroup */
/** @typedef {Map<string, Record<string, number>[]>} Measured Of each runner: its rounds. */

/**
 * Every contender once a round, beside those it is compared with. Who comes first changes, so that nobody always
 * runs on a machine that is still busy with the one before.
 *
 * @param {readonly import('./options.mjs').GroupName[]} names
 * @param {number} rounds
 * @param {import('./groups/group.mjs').BenchContext} context
 * @param {(line: string) => void} say
 * @returns {Promise<(OpenGroup & { measured: Measured })[]>}
 */
export async function runRounds(names, rounds, context, say) {
  /** @type {(OpenGroup & { measured: Measured })[]} */
  const open = [];
  try {
    for (const name of names) {
      const group = GROUPS[name];
      say(`preparing ${name}`);
      const runners = await group.open(context);
      for (const runner of runners) {
        if ('missing' in runner) say(`${name}  ${runner.name} is not measured: ${runner.missing}`);
      }
      open.push({ name, group, runners, measured: new Map(runners.map((runner) => [runner.name, []])) });
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, runners, measured } of open) {
        for (const runner of rotate(runners, round)) {
          if ('missing' in runner) continue;
          const values = await runner.run();
          measured.get(runner.name)?.push(values);
          say(`round ${round + 1}/${rounds}  ${name}  ${runner.name}: ${describe(values)}`);
        }
      }
    }
    return open;
  } finally {
    for (const { runners } of open) {
      for (const runner of runners) if ('close' in runner) await runner.close?.();
    }
  }
}

/**
 * @template T
 * @param {readonly T[]} all
 * @param {number} by
 */
const rotate = (all, by) => all.map((_, place) => /** @type {T} */ (all[(place + by) % all.length]));

/** @param {Record<string, number>} values */
const describe = (values) =>
  Object.entries(values)
    .map(([metric, value]) => `${metric} ${Number(value.toPrecision(4))}`)
    .join(', ');
