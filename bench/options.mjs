// @ts-check
import { parseArgs } from 'node:util';

/** Known without loading them: their code needs the peers, which may not be installed yet. */
export const GROUP_NAMES = /** @type {const} */ ([
  'drain',
  'drain-2',
  'drain-sqlite',
  'enqueue',
  'bulk',
  'claim-growth',
  'latency',
  'memory',
  'smtp',
  'smtp-tls',
  'far',
  'compose',
  'render',
  'lists',
  'people',
  'admin',
  'calendar',
  'guard',
  'simulate',
  'plan',
  'import',
  'fan-out',
  'fan-out-beside',
  'jobs',
  'relay',
  'relay-alone',
  'relay-beside',
]);

/** @typedef {typeof GROUP_NAMES[number]} GroupName */
/**
 * @typedef {object} Options
 * @property {readonly GroupName[]} groups
 * @property {number} rounds
 * @property {boolean} quick
 * @property {boolean} profile
 * @property {boolean} help
 */

export const USAGE = `Usage: node bench/main.mjs [group...] [options]

Measures Pillarbox beside its peers and beside plain SQL, round by round, on this machine.
Only ratios within one run mean anything: the same machine can differ by 1.7 from one hour to the next.

Groups (all, if none is named): ${GROUP_NAMES.join(', ')}

  --rounds <n>  how often each contender runs, in turns (default 3)
  --quick       small numbers: to see that it works, not to quote
  --profile     writes a CPU profile of each child process into bench/results/profiles
  --help

Writes bench/results/<date>.json. Goals that are not reached do not fail the run; wrong results do.`;

/**
 * @param {string[]} args
 * @returns {Options | { wrong: string }}
 */
export function readOptions(args) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        rounds: { type: 'string', default: '3' },
        quick: { type: 'boolean', default: false },
        profile: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
    const { quick, profile, help } = values;
    const rounds = Number(values.rounds);
    if (!Number.isInteger(rounds) || rounds < 1)
      return { wrong: '--rounds: should be a whole number above 0' };
    const unknown = positionals.find((name) => !GROUP_NAMES.some((known) => known === name));
    if (unknown !== undefined) return { wrong: `${unknown}: there is no such group` };
    const groups = GROUP_NAMES.filter((name) => positionals.length === 0 || positionals.includes(name));
    return { groups, rounds, quick, profile, help };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}
