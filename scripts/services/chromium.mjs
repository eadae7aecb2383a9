// @ts-check
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, install } from './apt.mjs';
import { run } from './processes.mjs';
import { reason } from './waiting.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const VARIABLE = 'PILLARBOX_TEST_CHROMIUM';
const ASK_TIMEOUT_MS = 20_000;
const REMEDY = `Install it (sudo apt-get install chromium), or set ${VARIABLE} to the program`;

/**
 * @typedef {object} Chromium A program that tests start, not a server: there is nothing to stop.
 * @property {string} program
 * @property {string} version
 * @property {() => Promise<void>} stop
 */

/**
 * The browser that PILLARBOX_TEST_CHROMIUM names, else one of this machine, installed first where that is possible.
 *
 * @param {Pick<import('./catalogue.mjs').StartOptions, 'log' | 'signal'>} options
 * @returns {Promise<Chromium>}
 */
export async function findChromium({ log, signal }) {
  const named = process.env[VARIABLE];
  const program = named || findProgram() || (await installChromium(log));
  signal?.throwIfAborted();
  const version = await versionOf(program, signal).catch((/** @type {unknown} */ error) => {
    throw new Error(`${program} can't be run (${reason(error)}). ${REMEDY}`, { cause: error });
  });
  return { program, version, stop: () => Promise.resolve() };
}

/** @returns {string | undefined} */
function findProgram() {
  const paths = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const programs = NAMES.flatMap((name) => paths.map((path) => join(path, name)));
  return programs.find((program) => existsSync(program));
}

/**
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 */
async function installChromium(log) {
  if (!canInstall()) {
    throw new Error(
      `it is not installed, and only root on Debian or Ubuntu can have it installed here. ${REMEDY}`,
    );
  }
  log('installing chromium with apt-get, this once');
  await install(['chromium']).catch((/** @type {unknown} */ error) => {
    throw new Error(`it could not be installed (${reason(error)}). ${REMEDY}`);
  });
  const installed = findProgram();
  if (!installed) throw new Error(`it was installed, but is nowhere in PATH. ${REMEDY}`);
  return installed;
}

/**
 * @param {string} program
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<string>}
 */
async function versionOf(program, signal) {
  // Wrappers of distributions complain on standard error; what counts is on the other.
  const answer = await run(program, ['--version'], { timeoutMs: ASK_TIMEOUT_MS, signal });
  const version = /\bChrom(?:e|ium)\D*(\d+(?:\.\d+)+)/.exec(answer)?.[1];
  if (version === undefined) throw new Error(`it calls itself "${answer.trim().slice(0, 100)}"`);
  return version;
}
