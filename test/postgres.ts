import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { startServices } from '../scripts/services/index.mjs';
import { end } from '../scripts/services/processes.mjs';
import type { StopMode } from '../scripts/services/postgres.mjs';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** An empty database of its own for whoever asks, in the server the tests were given. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const server = required('TEST_POSTGRES_URL');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await command(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () => command(server, `drop database if exists ${name} with (force)`),
  };
}

export interface PrivatePostgres {
  readonly url: string;
  readonly dataDirectory: string;
  restart(mode: StopMode): Promise<void>;
  stop(): Promise<void>;
}

/** A server for one test alone, to restart and crash without disturbing the others. */
export async function privatePostgres(): Promise<PrivatePostgres> {
  const { postgres, stop } = await startServices({ want: ['postgres'] });
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
  await end(pid, ['SIGQUIT'], 10_000);
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
