// @ts-check
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { end, lastLines, launch, whileAlive } from './processes.mjs';
import { Hopeless, reason, until } from './waiting.mjs';

const READY_TIMEOUT_MS = 30_000;
const STOP_TIMEOUT_MS = 15_000;

/**
 * All that is needed to stop a private PostgreSQL and start it again, from any process. It is kept as JSON.
 *
 * @typedef {object} PostgresDescriptor
 * @property {string} binDirectory
 * @property {string} directory Where it runs and logs.
 * @property {string} dataDirectory
 * @property {string} pidFile Written and removed by the server itself.
 * @property {string} logFile
 * @property {number} port
 * @property {string[]} args
 * @property {number} [uid]
 * @property {number} [gid]
 */

/**
 * `fast` ends open sessions and writes a checkpoint; `immediate` drops everything as a crash would, so that
 * the next start has to recover.
 *
 * @typedef {'fast' | 'immediate'} StopMode
 */

/** @type {Record<StopMode, NodeJS.Signals>} */
const STOP_SIGNALS = { fast: 'SIGINT', immediate: 'SIGQUIT' };

/**
 * @param {string} path
 * @returns {Promise<PostgresDescriptor>}
 */
export async function readDescriptor(path) {
  return /** @type {PostgresDescriptor} */ (JSON.parse(await readFile(path, 'utf8')));
}

/** @param {{ port: number }} descriptor */
export const urlOf = ({ port }) => `postgres://postgres@127.0.0.1:${port}/postgres`;

/**
 * Starts the server and waits until it answers queries.
 *
 * @param {PostgresDescriptor} descriptor
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>} its version
 */
export async function launchPostgres(descriptor, signal) {
  const { binDirectory, directory, dataDirectory, port, args, logFile, uid, gid } = descriptor;
  const daemon = await launch(
    join(binDirectory, 'postgres'),
    ['-D', dataDirectory, '-p', String(port), ...args],
    { logFile, cwd: directory, ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) },
  );
  const ready = async () => {
    const server = await ask(urlOf(descriptor));
    // A stranger on our port answers just as well; its databases are not ours to use.
    if (server.dataDirectory !== dataDirectory) throw new Error(`port ${port} belongs to another PostgreSQL`);
    return server.version;
  };
  try {
    return await until(`PostgreSQL on port ${port}`, () => whileAlive(daemon, ready), {
      timeoutMs: READY_TIMEOUT_MS,
      signal,
    });
  } catch (error) {
    await end(daemon.pid, ['SIGQUIT', 'SIGKILL'], STOP_TIMEOUT_MS);
    const log = lastLines(await readFile(logFile, 'utf8'));
    throw new Error(`${reason(error)}; its log ends:\n${log}`, {
      cause: error,
    });
  }
}

/**
 * Stops the server if it runs.
 *
 * @param {PostgresDescriptor} descriptor
 * @param {StopMode} mode
 * @returns {Promise<void>}
 */
export async function stopPostgres({ pidFile }, mode) {
  const pid = await readFile(pidFile, 'utf8').then(
    (text) => Number.parseInt(text, 10),
    () => undefined,
  );
  if (pid) await end(pid, [STOP_SIGNALS[mode], 'SIGQUIT', 'SIGKILL'], STOP_TIMEOUT_MS);
}

/**
 * Stops the server and starts it again on the same port and data.
 *
 * @param {PostgresDescriptor} descriptor
 * @param {StopMode} mode
 * @returns {Promise<void>}
 */
export async function restartPostgres(descriptor, mode) {
  await stopPostgres(descriptor, mode);
  await launchPostgres(descriptor);
}

/**
 * What a server says of itself over a real connection.
 *
 * @param {string} url
 * @returns {Promise<{ version: string, dataDirectory: string | undefined }>} the directory only if it may be known
 */
export async function ask(url) {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
  });
  client.on('error', () => {}); // a connection that breaks shows in the query that fails
  try {
    await client.connect();
    const { rows } = await client.query(
      `select version(), (select setting from pg_settings where name = 'data_directory') as directory`,
    );
    const [row] = /** @type {{ version: string, directory: string | null }[]} */ (rows);
    // "PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by …"
    const version = /^PostgreSQL (\S+)/.exec(row?.version ?? '')?.[1];
    if (!version) throw new Hopeless(`this is not PostgreSQL: ${row?.version}`);
    return { version, dataDirectory: row?.directory ?? undefined };
  } finally {
    await client.end();
  }
}
