// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServices } from '../scripts/services/index.mjs';
import { Child } from './children.mjs';
import { Ground } from './database.mjs';
import { describeMachine } from './machine.mjs';
import { runRounds } from './rounds.mjs';
import { FULL, QUICK } from './sizes.mjs';
import { groupTable, machineLine, verdictTable } from './table.mjs';
import { judge } from './verdicts.mjs';

const RESULTS = fileURLToPath(new URL('./results', import.meta.url));

/** @param {import('./options.mjs').Options} options */
export async function bench(options) {
  const { groups, rounds, quick } = options;
  const startedAt = new Date();
  Child.profiling = options.profile;
  // A server that others use is neither idle nor known to be durable.
  delete process.env['DATABASE_URL'];
  const services = await startServices({ want: ['postgres'], durable: true, log: say });
  try {
    const { postgres, directory } = services;
    if (!postgres || 'unavailable' in postgres) throw new Error(postgres?.unavailable ?? 'no PostgreSQL');
    const machine = await describeMachine(postgres.url, directory);
    say(machineLine(machine));
    const sizes = quick ? QUICK : FULL;
    const context = { ground: new Ground(postgres.url, directory), sizes };
    const results = await runRounds(groups, rounds, context, say);
    const verdicts = results.flatMap(({ name, group, measured }) => judge(name, group, measured));
    const measured = results.map(({ name, measured, runners }) => ({
      group: name,
      rounds: Object.fromEntries(measured),
      missing: runners.filter((runner) => 'missing' in runner),
    }));
    const file = await keep(startedAt, { startedAt, quick, rounds, sizes, machine, measured, verdicts });
    const tables = results.map((result) => groupTable(result));
    console.log(
      ['', machineLine(machine), ...tables, verdictTable(verdicts), `written to ${file}`].join('\n\n'),
    );
    if (quick) console.log('\nThese are small numbers, to see that it works: do not quote them.');
  } finally {
    await services.stop();
  }
}

/**
 * @param {Date} startedAt
 * @param {object} result
 */
async function keep(startedAt, result) {
  await mkdir(RESULTS, { recursive: true });
  const file = join(RESULTS, `${startedAt.toISOString().slice(0, 19).replaceAll(':', '')}.json`);
  await writeFile(file, `${JSON.stringify(result, undefined, 2)}\n`);
  return file;
}

/** @param {string} line */
const say = (line) => console.error(`${new Date().toISOString().slice(11, 19)}  ${line}`);
