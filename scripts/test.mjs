// @ts-check
// Runs the tests against real servers: `node scripts/test.mjs [vitest arguments]`. The product must be built.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runInForeground, watchInterrupts } from './services/foreground.mjs';
import { startServices, statusOf, variablesOf } from './services/index.mjs';
import { reason } from './services/waiting.mjs';

const VITEST = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

/**
 * What is read of vitest's JSON report.
 *
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {{ status: string, assertionResults: unknown[] }[]} testResults
 */

/**
 * @param {string} path Where vitest wrote its JSON report, unless it ended too early.
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function count(path) {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return { passed: 0, failed: 0 };
  const report = /** @type {Report} */ (JSON.parse(text));
  // A file that cannot even be loaded has no tests to fail; it counts as one.
  const unloadable = report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { passed: report.numPassedTests, failed: report.numFailedTests + unloadable.length };
}

/**
 * @param {readonly string[]} args
 * @returns {Promise<number>} the exit code
 */
async function test(args) {
  const interrupts = watchInterrupts();
  const { signal } = interrupts;
  const services = await startServices({ signal, log: console.log });
  try {
    if (signal.aborted) return interrupts.exitCode() ?? 1;
    const lines = statusOf(services);
    for (const { line } of lines) console.log(line);
    const report = join(services.directory, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const env = { ...process.env, ...variablesOf(services, 'testVariables') };
    // What a test runs must not find a developer's database by accident: tests hand over the one they mean.
    delete env['DATABASE_URL'];
    delete env['AMQP_URL'];
    const code = await runInForeground(process.execPath, [VITEST, 'run', ...reporters, ...args], {
      env,
      signal,
      sweep: true,
    });
    const { passed, failed } = await count(report);
    for (const { line } of lines.filter(({ present }) => !present)) console.log(`failed, ${line}`);
    console.log(`${passed} passed, ${failed} failed`);
    const complete = lines.every(({ present }) => present) && passed > 0 && failed === 0;
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
