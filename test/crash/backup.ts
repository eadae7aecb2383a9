import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { findBinaries } from '../../scripts/services/postgres-binaries.mjs';
import { run } from '../../scripts/services/processes.mjs';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';
import { freshDatabase } from '../postgres.js';

/** A backup as operators make it, of a database that is being worked on, restored elsewhere. */
export async function backUp(url: string): Promise<FreshDatabase> {
  return url.startsWith('sqlite:') ? ofFile(url) : ofServer(url);
}

async function ofFile(url: string): Promise<FreshDatabase> {
  const elsewhere = await freshSqlite();
  const database = new DatabaseSync(pathOf(url));
  database.exec('pragma busy_timeout = 20000');
  database.prepare('vacuum into ?').run(pathOf(elsewhere.url));
  database.close();
  return elsewhere;
}

async function ofServer(url: string): Promise<FreshDatabase> {
  const elsewhere = await freshDatabase();
  const programs = await findBinaries();
  const directory = await mkdtemp(join(tmpdir(), 'pillarbox-backup-'));
  try {
    const dump = join(directory, 'dump.sql');
    const file = [`--file=${dump}`];
    await run(join(programs, 'pg_dump'), [...file, url], { timeoutMs: PATIENCE_MS });
    const psql = ['--quiet', '--set=ON_ERROR_STOP=1', '--no-psqlrc', ...file, elsewhere.url];
    await run(join(programs, 'psql'), psql, { timeoutMs: PATIENCE_MS });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
  return elsewhere;
}

/** The file alone, as it lies there, with what its log holds. */
export async function copyOf(url: string): Promise<FreshDatabase> {
  const elsewhere = await freshSqlite();
  await copyFile(pathOf(url), pathOf(elsewhere.url));
  await copyFile(`${pathOf(url)}-wal`, `${pathOf(elsewhere.url)}-wal`);
  return elsewhere;
}

const pathOf = (url: string): string => url.slice('sqlite:'.length);
