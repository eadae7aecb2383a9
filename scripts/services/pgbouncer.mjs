// @ts-check
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivileged } from './account.mjs';
import { canInstall, install } from './apt.mjs';
import { freePorts } from './ports.mjs';
import { ask } from './postgres.mjs';
import { end, lastLines, launch, run, whileAlive } from './processes.mjs';
import { reason, until } from './waiting.mjs';

const VARIABLE = 'PILLARBOX_TEST_PGBOUNCER';
const PROGRAMS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'];
const READY_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 10_000;
const ASK_TIMEOUT_MS = 20_000;
const REMEDY = `Install it (sudo apt-get install pgbouncer), or set ${VARIABLE} to the program`;

/**
 * @typedef {object} Pgbouncer A program that tests start, not a server: there is nothing to stop.
 * @property {string} program
 * @property {string} version
 * @property {() => Promise<void>} stop
 */

/**
 * The pooler that PILLARBOX_TEST_PGBOUNCER names, else that of this machine, installed first where that is possible:
 * before the tests, because whatever apt-get does in the middle of them, every one of them would wait for.
 *
 * @param {Pick<import('./catalogue.mjs').StartOptions, 'log' | 'signal'>} options
 * @returns {Promise<Pgbouncer>}
 */
export async function findPgbouncer({ log, signal }) {
  const found = () => PROGRAMS.find((path) => existsSync(path));
  const program = process.env[VARIABLE] || found() || (await installed(log, found));
  signal?.throwIfAborted();
  const answer = await run(program, ['--version'], { timeoutMs: ASK_TIMEOUT_MS, signal }).catch(
    (/** @type {unknown} */ error) => {
      throw new Error(`${program} can't be run (${reason(error)}). ${REMEDY}`, { cause: error });
    },
  );
  const version = /^PgBouncer (\S+)/i.exec(answer)?.[1];
  if (version === undefined) throw new Error(`${program} is no PgBouncer. ${REMEDY}`);
  return { program, version, stop: () => Promise.resolve() };
}

/**
 * @param {(line: string) => void} log
 * @param {() => string | undefined} found
 * @returns {Promise<string>}
 */
async function installed(log, found) {
  if (!canInstall()) {
    throw new Error(
      `it is not installed, and only root on Debian or Ubuntu can have it installed here. ${REMEDY}`,
    );
  }
  log('installing pgbouncer with apt-get, this once');
  await install(['pgbouncer']).catch((/** @type {unknown} */ error) => {
    throw new Error(`it could not be installed (${reason(error)}). ${REMEDY}`);
  });
  const program = found();
  if (!program) throw new Error(`it was installed, but is nowhere to be found. ${REMEDY}`);
  return program;
}

/**
 * A PgBouncer in transaction mode before a server, for one test alone.
 *
 * @param {string} databaseUrl Of the server; every database of it can be had through the pooler.
 * @param {{ program: string, poolSize?: number }} options
 * @returns {Promise<{ urlOf: (databaseUrl: string) => string, stop: () => Promise<void> }>}
 */
export async function startPgbouncer(databaseUrl, { program, poolSize = 3 }) {
  const account = unprivileged(['postgres', 'nobody']);
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-pgbouncer-'));
  const [port = 0] = await freePorts(1);
  const server = new URL(databaseUrl);
  const settings = join(directory, 'pgbouncer.ini');
  const lines = [
    '[databases]',
    `* = host=${server.hostname} port=${server.port} user=${server.username}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir ='],
    ...['auth_type = any', 'pool_mode = transaction', `default_pool_size = ${poolSize}`],
    ...['max_client_conn = 200', 'server_round_robin = 1', ''],
  ];
  await writeFile(settings, lines.join('\n'), { mode: 0o644 });
  if (account.uid !== undefined && account.gid !== undefined)
    await chown(directory, account.uid, account.gid);
  const logFile = join(directory, 'log');
  const daemon = await launch(program, [settings], { ...account, cwd: directory, logFile });
  const urlOf = (/** @type {string} */ url) => {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(port);
    return through.href;
  };
  const stop = async () => {
    await end(daemon.pid, ['SIGTERM', 'SIGKILL'], STOP_TIMEOUT_MS);
    await rm(directory, { recursive: true, force: true });
  };
  try {
    const ready = () => whileAlive(daemon, () => ask(urlOf(databaseUrl)));
    await until(`PgBouncer on port ${port}`, ready, { timeoutMs: READY_TIMEOUT_MS });
    return { urlOf, stop };
  } catch (error) {
    const log = lastLines(await readFile(logFile, 'utf8').catch(() => ''));
    await stop();
    throw new Error(`${reason(error)}; its log ends:\n${log}`, { cause: error });
  }
}
