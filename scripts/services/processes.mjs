// @ts-check
import { execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { Hopeless, until } from './waiting.mjs';

/**
 * @typedef {object} Account The user a process runs as; without it, our own.
 * @property {number} [uid]
 * @property {number} [gid]
 */

/**
 * Runs a command to its end.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Account & { timeoutMs: number, input?: string, cwd?: string, env?: NodeJS.ProcessEnv, signal?: AbortSignal | undefined }} options
 * @returns {Promise<string>} what it wrote to its standard output
 */
export function run(command, args, { timeoutMs, input, ...options }) {
  return new Promise((resolve, reject) => {
    const settings = { ...options, timeout: timeoutMs, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, settings, (error, stdout, stderr) => {
      if (!error) {
        resolve(stdout);
        return;
      }
      const line = [command, ...args].join(' ');
      const how = error.killed ? `was ended after ${timeoutMs / 1000} s` : ending(error.code, error.signal);
      reject(new Error(`\`${line}\` ${how}: ${lastLines(stderr || stdout)}`, { cause: error }));
    });
    // Whoever does not read it says why by how it ends.
    if (input !== undefined) child.stdin?.on('error', () => {}).end(input);
  });
}

/**
 * @typedef {object} Daemon
 * @property {number} pid
 * @property {Promise<string>} ended How it ended, once it has.
 */

/**
 * Starts a server that outlives this process if need be. It leads a process group of its own, so that Ctrl-C
 * in a terminal reaches us and not the server: we stop it when nothing needs it any more.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {Account & { logFile: string, cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<Daemon>}
 */
export function launch(command, args, { logFile, ...options }) {
  const log = openSync(logFile, 'a', 0o644);
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  child.unref();
  /** @type {Promise<string>} */
  const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(ending(code, signal))));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`${command} did not start: ${error.message}`)));
    child.once('spawn', () => resolve({ pid: Number(child.pid), ended }));
  });
}

/**
 * What `probe` finds out, unless the server ends first: a probe of whatever else has its port may take long to
 * tell, or be content.
 *
 * @template T
 * @param {Daemon} daemon
 * @param {() => Promise<T>} probe
 * @returns {Promise<T>}
 */
export function whileAlive(daemon, probe) {
  const lost = daemon.ended.then((how) => {
    throw new Hopeless(`it ${how}`);
  });
  return Promise.race([lost, probe()]);
}

/**
 * Ends one process by its id: the first signal, and harder ones only if it is still there.
 *
 * @param {number} pid
 * @param {readonly NodeJS.Signals[]} signals
 * @param {number} patienceMs How long each signal is given.
 * @returns {Promise<void>}
 */
export async function end(pid, signals, patienceMs) {
  for (const [index, signal] of signals.entries()) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    try {
      await untilGone(pid, patienceMs);
    } catch (error) {
      if (index === signals.length - 1) throw error;
    }
  }
}

/**
 * @param {number} pid
 * @param {number} timeoutMs
 * @returns {Promise<void>}
 */
export function untilGone(pid, timeoutMs) {
  return until(
    `the end of process ${pid}`,
    () => {
      if (isAlive(pid)) throw new Error('it is still running');
    },
    { timeoutMs, everyMs: 20 },
  );
}

/**
 * A process that has ended but whose parent has not noticed is not alive: in containers the first process
 * often never does, and waiting for it would never end.
 *
 * @param {number} pid
 * @returns {boolean}
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/^\d+ \(.*\) Z/s.test(status);
  } catch {
    return true; // no /proc here
  }
}

/**
 * @param {string} text
 * @returns {string} its end, short enough for an error message
 */
export function lastLines(text) {
  return text.trim().split('\n').slice(-8).join('\n').slice(-1_000) || 'it said nothing';
}

/**
 * @param {number | string | null | undefined} code
 * @param {string | null | undefined} signal
 * @returns {string}
 */
const ending = (code, signal) => (signal ? `ended by ${signal}` : `ended with ${code}`);
