// @ts-check
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unprivileged } from './account.mjs';
import { freePorts } from './ports.mjs';
import { findBinaries } from './postgres-binaries.mjs';
import { ask, launchPostgres, restartPostgres, stopPostgres, urlOf } from './postgres.mjs';
import { run } from './processes.mjs';
import { reason } from './waiting.mjs';

const INITDB_TIMEOUT_MS = 60_000;
const MOST_STARTS = 3;

const ALWAYS = [
  ...['-c', 'listen_addresses=127.0.0.1'],
  ...['-c', 'unix_socket_directories='],
  ...['-c', 'max_connections=200'],
  ...['-c', 'shared_buffers=128MB'],
  ...['-c', 'log_min_messages=warning'],
];

// A killed server loses nothing by this, since what it wrote stays with the kernel; only a power cut would show.
const FAST_NOT_DURABLE = ['-c', 'fsync=off', '-c', 'synchronous_commit=on', '-c', 'full_page_writes=off'];

/**
 * @typedef {object} Postgres
 * @property {string} url
 * @property {string} version
 * @property {string} [descriptorFile] Only of a private server, as are the rest.
 * @property {string} [dataDirectory]
 * @property {(mode: import('./postgres.mjs').StopMode) => Promise<void>} restart
 * @property {() => Promise<void>} stop
 */

/**
 * The server at DATABASE_URL if that is PostgreSQL, else a private one.
 *
 * @param {import('./catalogue.mjs').StartOptions} options
 * @returns {Promise<Postgres>}
 */
export function startPostgres(options) {
  const given = process.env['DATABASE_URL'];
  return given && /^postgres(ql)?:/.test(given) ? borrowed(given) : startPrivate(options);
}

/**
 * @param {string} url
 * @returns {Promise<Postgres>}
 */
async function borrowed(url) {
  const { version } = await ask(url).catch((/** @type {unknown} */ error) => {
    throw new Error(
      `DATABASE_URL is set, but its server does not answer (${reason(error)}). Start it, or unset it`,
    );
  });
  return {
    url,
    version,
    restart: () =>
      Promise.reject(new Error('the PostgreSQL of DATABASE_URL is not ours to restart; unset it')),
    stop: () => Promise.resolve(),
  };
}

/**
 * @param {import('./catalogue.mjs').StartOptions} options
 * @returns {Promise<Postgres>}
 */
async function startPrivate({ directory, durable, serverArgs = [], takePorts = freePorts, signal, log }) {
  const binDirectory = await findBinaries();
  const account = unprivileged(['postgres', 'nobody']);
  const dataDirectory = join(directory, 'data');
  await createCluster({ binDirectory, directory, dataDirectory, account, signal });
  const lasting = {
    ...account,
    ...{ binDirectory, directory, dataDirectory },
    pidFile: join(dataDirectory, 'postmaster.pid'),
    logFile: join(directory, 'log'),
    args: [...ALWAYS, ...(durable ? [] : FAST_NOT_DURABLE), ...serverArgs],
  };
  const descriptorFile = join(directory, 'descriptor.json');
  for (let start = 1; ; start += 1) {
    const [port = 0] = await takePorts(1);
    const descriptor = { ...lasting, port };
    await writeFile(descriptorFile, JSON.stringify(descriptor, undefined, 2));
    try {
      const version = await launchPostgres(descriptor, signal);
      return {
        url: urlOf(descriptor),
        version,
        descriptorFile,
        dataDirectory,
        restart: (mode) => restartPostgres(descriptor, mode),
        stop: () => stopPostgres(descriptor, 'immediate'),
      };
    } catch (error) {
      if (signal?.aborted) throw error;
      if (start === MOST_STARTS) {
        const remedy = 'Set POSTGRES_BIN_DIR to another installation, or DATABASE_URL to a running server';
        throw new Error(`PostgreSQL did not start in ${MOST_STARTS} tries (${reason(error)}). ${remedy}`, {
          cause: error,
        });
      }
      log(`PostgreSQL did not start on port ${port}, trying another: ${reason(error)}`);
    }
  }
}

/**
 * @param {{ binDirectory: string, directory: string, dataDirectory: string,
 *   account: import('./processes.mjs').Account, signal: AbortSignal | undefined }} cluster
 */
async function createCluster({ binDirectory, directory, dataDirectory, account, signal }) {
  await mkdir(dataDirectory, { mode: 0o700 });
  if (account.uid !== undefined && account.gid !== undefined)
    await chown(dataDirectory, account.uid, account.gid);
  const how = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync'];
  try {
    await run(join(binDirectory, 'initdb'), ['-D', dataDirectory, ...how], {
      ...account,
      ...{ cwd: directory, timeoutMs: INITDB_TIMEOUT_MS, signal },
    });
  } catch (error) {
    const who = account.uid === undefined ? 'you' : `user ${account.uid}`;
    throw new Error(
      `${reason(error)}. The directories ${binDirectory} and ${directory} must be open to ${who}: ` +
        'check them, or set TMPDIR or POSTGRES_BIN_DIR to others',
      { cause: error },
    );
  }
}
