// @ts-check
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 10_000;

/** Exit codes by which shells know these. */
const INTERRUPTS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };

/**
 * Turns the signals that end a program into one that can be awaited and passed on, so that nothing is left
 * running behind it.
 *
 * @returns {{ signal: AbortSignal, exitCode: () => number | undefined }} the code once a signal came
 */
export function watchInterrupts() {
  const controller = new AbortController();
  /** @type {number | undefined} */
  let exitCode;
  for (const [name, code] of Object.entries(INTERRUPTS)) {
    process.on(name, () => {
      exitCode ??= code;
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  return { signal: controller.signal, exitCode: () => exitCode };
}

/**
 * Runs a command in front of the user, and ends it when we are to end.
 *
 * With `sweep` it gets a process group of its own, nothing to read, and no terminal to draw on, so that several can
 * write at once. Whatever it leaves running in that group ends with it: a test runner that is killed leaves its workers
 * behind.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ env: NodeJS.ProcessEnv, signal: AbortSignal, sweep?: boolean }} options
 * @returns {Promise<number>} its exit code
 */
export async function runInForeground(command, args, { env, signal, sweep = false }) {
  if (signal.aborted) return 1;
  const child = spawn(command, args, {
    ...{ env, detached: sweep },
    stdio: sweep ? ['ignore', 'pipe', 'pipe'] : 'inherit',
  });
  const silence = new Promise((resolve) => child.once('close', resolve));
  child.stdout?.pipe(process.stdout, { end: false });
  child.stderr?.pipe(process.stderr, { end: false });
  const send = (/** @type {NodeJS.Signals} */ name) => {
    if (!sweep) return child.kill(name);
    try {
      if (child.pid) process.kill(-child.pid, name);
    } catch {
      // the group is empty already
    }
  };
  /** @type {NodeJS.Timeout | undefined} */
  let lastResort;
  const endIt = () => {
    send('SIGTERM');
    lastResort = setTimeout(() => send('SIGKILL'), PATIENCE_MS);
  };
  signal.addEventListener('abort', endIt, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      child.once('error', (error) => reject(new Error(`${command} did not start: ${error.message}`)));
      child.once('exit', (code) => resolve(code ?? 1));
    });
  } finally {
    signal.removeEventListener('abort', endIt);
    clearTimeout(lastResort);
    if (sweep) {
      send('SIGKILL');
      // All that it has said, unless somebody whom it left behind in another group could still say more.
      await Promise.race([silence, sleep(PATIENCE_MS, undefined, { ref: false })]);
    }
  }
}
