import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { startServices } from '../scripts/services/index.mjs';
import { end } from '../scripts/services/processes.mjs';
import { ask, type StopMode } from '../scripts/services/postgres.mjs';
import { PATIENCE_MS } from './patience.js';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database of its own for whoever asks, in the server the tests were given. */
export function freshDatabase(): Promise<FreshDatabase> {
  return makeDatabase('template1');
}

/** The same with our tables in it, as a copy of one that was made for all tests: that takes a third of the time. */
export async function readyDatabase(): Promise<FreshDatabase> {
  ready ??= makeTemplate();
  await ready;
  return makeDatabase(TEMPLATE);
}

const TEMPLATE = 'pillarbox_template';
let ready: Promise<void> | undefined;

async function makeDatabase(template: string): Promise<FreshDatabase> {
  const server = required('TEST_POSTGRES_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await command(server, `create database ${name} template ${template} ${await howToCopy()}`);
  return {
    url: urlOf(name),
    drop: () => command(server, `drop database if exists ${name} with (force)`),
  };
}

/** File by file where that can be chosen: page by page through the log, which is the default then, takes twice as long. */
const howToCopy = (): Promise<string> =>
  (copying ??= ask(required('TEST_POSTGRES_URL')).then(({ version }) =>
    Number.parseInt(version, 10) >= 15 ? 'strategy file_copy' : '',
  ));
let copying: Promise<string> | undefined;

/** By whichever process of the tests comes first; the others wait for it. */
async function makeTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: required('TEST_POSTGRES_URL') });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(4711)');
    const known = await client.query(
      `select 1 from pg_database where datname = '${TEMPLATE}' and datistemplate`,
    );
    if (known.rowCount === 1) return;
    // One that was begun and never finished.
    await client.query(`drop database if exists ${TEMPLATE} with (force)`);
    await client.query(`create database ${TEMPLATE}`);
    const store = await openStore({ databaseUrl: urlOf(TEMPLATE), leaseMs: 60_000, log: silent });
    await store.close();
    await client.query(`alter database ${TEMPLATE} with is_template true allow_connections false`);
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(required('TEST_POSTGRES_URL'));
  url.pathname = `/${name}`;
  return url.href;
}

export interface PrivatePostgres {
  readonly url: string;
  readonly dataDirectory: string;
  restart(mode: StopMode): Promise<void>;
  stop(): Promise<void>;
}

/** A server for one test alone, to restart and crash without disturbing the others. */
export async function privatePostgres(serverArgs: readonly string[] = []): Promise<PrivatePostgres> {
  const { postgres, stop } = await startServices({ want: ['postgres'], serverArgs });
  if (postgres && 'url' in postgres && postgres.dataDirectory !== undefined) {
    const { url, dataDirectory, restart } = postgres;
    return { url, dataDirectory, restart, stop };
  }
  await stop();
  throw new Error(
    `no PostgreSQL of our own: ${postgres && 'unavailable' in postgres ? postgres.unavailable : 'unset DATABASE_URL'}`,
  );
}

/** Ends the server as a crash would, until `restart`. */
export async function crash({ dataDirectory }: PrivatePostgres): Promise<void> {
  const pid = Number.parseInt(await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8'), 10);
  await end(pid, ['SIGQUIT'], PATIENCE_MS);
}

async function command(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A variable that `npm test` sets. */
export function required(variable: string): string {
  const value = process.env[variable];
  if (value) return value;
  throw new Error(
    `${variable} is not set: run the tests through \`npm test\`, which starts the servers they need`,
  );
}
