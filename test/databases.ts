import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { freshDatabase, readyDatabase } from './postgres.js';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

interface Kind {
  readonly name: string;
  /** Empty. */
  readonly fresh: () => Promise<FreshDatabase>;
  /** With our tables in it. */
  readonly ready: () => Promise<FreshDatabase>;
}

/** Each test that speaks of "the database" runs on both: `describe.each(databases)`. */
export const databases: readonly Kind[] = [
  { name: 'SQLite', fresh: freshSqlite, ready: readySqlite },
  { name: 'PostgreSQL', fresh: freshDatabase, ready: readyDatabase },
];

export async function freshSqlite(): Promise<FreshDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-test-'));
  return {
    url: `sqlite:${join(directory, 'mail.db')}`,
    drop: () => rm(directory, { recursive: true, force: true }),
  };
}

/** As a copy of one that was made for all tests of this process, which takes a tenth of the time. */
async function readySqlite(): Promise<FreshDatabase> {
  template ??= makeTemplate();
  const database = await freshSqlite();
  await copyFile(await template, pathOf(database));
  return database;
}

let template: Promise<string> | undefined;

async function makeTemplate(): Promise<string> {
  const database = await freshSqlite();
  const store = await openStore({ databaseUrl: database.url, leaseMs: 60_000, log: silent });
  await store.close();
  // All of it stands in its log, and what is copied is the file.
  const file = new DatabaseSync(pathOf(database));
  file.exec('pragma wal_checkpoint(truncate)');
  file.close();
  return pathOf(database);
}

const pathOf = ({ url }: FreshDatabase): string => url.slice('sqlite:'.length);
