// @ts-check
// Runs the tests against real servers: `node scripts/test.mjs [folders, files and vitest arguments]`, or with --changed
// those that have to do with what differs from the last commit. The product must be built.
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changedFiles } from './changed.mjs';
import { quickestDirectory } from './memory.mjs';
import { runInForeground, watchInterrupts } from './services/foreground.mjs';
import { startServices, statusOf, variablesOf } from './services/index.mjs';
import { reason } from './services/waiting.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const REPORTER = join(ROOT, 'scripts/test-report.mjs');
/** So many files are named with the time that they took, so that it shows where time goes. */
const SLOWEST = 10;
/**
 * Projects of vitest.config.ts, side by side. Processes are waited for half of the time, and vitest itself would run
 * projects with numbers of workers of their own only one after the other.
 */
const LANES = ['processes', 'everything else'];

/** @typedef {import('./test-report.mjs').Report} Report */

/**
 * @param {string} path Where a lane wrote its report, unless it ended too early.
 * @returns {Promise<Report>}
 */
async function read(path) {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? { passed: 0, failures: [], files: [] } : JSON.parse(text);
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<readonly string[]>} what vitest is told to do
 */
async function whatToRun(args) {
  if (!args.includes('--changed')) return ['run', ...args];
  return ['related', '--run', ...args.filter((arg) => arg !== '--changed'), ...(await changedFiles(ROOT))];
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
async function test(args) {
  const interrupts = watchInterrupts();
  const { signal } = interrupts;
  const what = await whatToRun(args);
  process.env['TMPDIR'] = await quickestDirectory();
  const services = await startServices({ signal, log: console.log });
  try {
    if (signal.aborted) return interrupts.exitCode() ?? 1;
    const lines = statusOf(services);
    for (const { line } of lines) console.log(line);
    // What tests leave behind goes with the servers.
    const TMPDIR = join(services.directory, 'tests');
    await mkdir(TMPDIR);
    await chmod(TMPDIR, 0o755); // tests have servers that run as other users
    /** @type {NodeJS.ProcessEnv} */
    const env = { ...process.env, TMPDIR, ...variablesOf(services, 'testVariables') };
    // What a test runs must not find a developer's database by accident: tests hand over the one they mean.
    delete env['DATABASE_URL'];
    delete env['AMQP_URL'];
    const lanes = await Promise.all(
      LANES.map(async (lane) => {
        const report = join(services.directory, `${lane}.json`);
        const reporters = ['--reporter=default', `--reporter=${REPORTER}`];
        // Among the files that were asked for, a lane may have none.
        const vitest = [VITEST, ...what, `--project=${lane}`, '--passWithNoTests', ...reporters];
        const laneEnv = { ...env, PILLARBOX_TEST_REPORT: report };
        const code = await runInForeground(process.execPath, vitest, { env: laneEnv, signal, sweep: true });
        return { code, ...(await read(report)) };
      }),
    );
    const passed = lanes.reduce((total, lane) => total + lane.passed, 0);
    const failures = lanes.flatMap((lane) => lane.failures);
    const slowest = lanes.flatMap((lane) => lane.files).toSorted((a, b) => b.seconds - a.seconds);
    for (const { file, seconds } of slowest.slice(0, SLOWEST))
      console.log(`${seconds.toFixed(1)} s, ${file}`);
    for (const { line } of lines.filter(({ present }) => !present)) console.log(`failed, ${line}`);
    // Once more, last of all: a lane that ended earlier has said so thousands of lines above.
    for (const failure of failures) console.log(`failed, ${failure}\n`);
    console.log(`${passed} passed, ${failures.length} failed`);
    const complete = lines.every(({ present }) => present) && passed > 0 && failures.length === 0;
    const code = lanes.find((lane) => lane.code !== 0)?.code ?? 0;
    return interrupts.exitCode() ?? (complete ? code : code || 1);
  } finally {
    await services.stop();
  }
}

try {
  process.exitCode = await test(process.argv.slice(2));
} catch (error) {
  console.error(reason(error));
  process.exitCode = 1;
}
