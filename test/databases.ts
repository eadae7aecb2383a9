import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase, readyDatabase } from './postgres.js';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

interface Kind {
  readonly name: string;
  /** Empty. */
  readonly fresh: () => Promise<FreshDatabase>;
  /** With our tables in it, or as good as: on SQLite they are made in no time. */
  readonly ready: () => Promise<FreshDatabase>;
}

/** Each test that speaks of "the database" runs on both: `describe.each(databases)`. */
export const databases: readonly Kind[] = [
  { name: 'SQLite', fresh: freshSqlite, ready: freshSqlite },
  { name: 'PostgreSQL', fresh: freshDatabase, ready: readyDatabase },
];

export async function freshSqlite(): Promise<FreshDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-test-'));
  return {
    url: `sqlite:${join(directory, 'mail.db')}`,
    drop: () => rm(directory, { recursive: true, force: true }),
  };
}
