import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshDatabase } from './postgres.js';

export interface FreshDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Each test that speaks of "the database" runs on both: `describe.each(databases)`. */
export const databases: readonly { readonly name: string; readonly fresh: () => Promise<FreshDatabase> }[] = [
  { name: 'SQLite', fresh: freshSqlite },
  { name: 'PostgreSQL', fresh: freshDatabase },
];

export async function freshSqlite(): Promise<FreshDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-test-'));
  return {
    url: `sqlite:${join(directory, 'mail.db')}`,
    drop: () => rm(directory, { recursive: true, force: true }),
  };
}
