// @ts-check
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, install } from './apt.mjs';
import { run } from './processes.mjs';
import { reason } from './waiting.mjs';

/** The first has nothing of what only somebody who looks would need, and takes a third less of the processor. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
/** Older distributions have only the second. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];
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
  /** @type {unknown} */
  let failure = 'it was installed, but is nowhere in PATH';
  for (const name of PACKAGES) {
    log(`installing ${name} with apt-get, this once`);
    await install([name]).catch((/** @type {unknown} */ error) => {
      failure = `it could not be installed (${reason(error)})`;
    });
    const installed = findProgram();
    if (installed) return installed;
  }
  throw new Error(`${String(failure)}. ${REMEDY}`);
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
