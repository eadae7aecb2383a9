// @ts-check
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { withDatabase } from './database.mjs';
import { percentile } from './figures.mjs';

const SYNCS = 200;
const PAGE = Buffer.alloc(8_192, 1);
/** What every commit's durability hangs on. A server without them would win every comparison, and lose mail. */
const DURABLE = ['fsync', 'synchronous_commit', 'full_page_writes'];

/**
 * @typedef {object} Machine
 * @property {number} cores
 * @property {string} processor
 * @property {number} memoryGigabytes
 * @property {string} node
 * @property {string} postgres
 * @property {string} sqlite
 * @property {number} fdatasyncMicroseconds Of a page, where the databases are: the price of a commit.
 */

/**
 * @param {string} postgresUrl
 * @param {string} directory
 * @returns {Promise<Machine>}
 */
export async function describeMachine(postgresUrl, directory) {
  return {
    cores: cpus().length,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
    node: process.version,
    postgres: await durablePostgres(postgresUrl),
    sqlite: sqliteVersion(),
    fdatasyncMicroseconds: Math.round(timeSync(directory)),
  };
}

/** @param {string} url */
const durablePostgres = (url) =>
  withDatabase(url, async (db) => {
    for (const name of DURABLE) {
      const [row] = await db.query(`show ${name}`);
      if (row?.[name] !== 'on') throw new Error(`PostgreSQL runs with ${name} = ${String(row?.[name])}`);
    }
    const [row] = await db.query('show server_version');
    return String(row?.['server_version']);
  });

function sqliteVersion() {
  const db = new DatabaseSync(':memory:');
  const row = /** @type {{ version: string }} */ (db.prepare('select sqlite_version() as version').get());
  db.close();
  return row.version;
}

/** @param {string} directory */
function timeSync(directory) {
  const path = join(directory, 'sync-probe');
  const file = openSync(path, 'w');
  const microseconds = Array.from({ length: SYNCS }, () => {
    writeSync(file, PAGE);
    const started = performance.now();
    fdatasyncSync(file);
    return (performance.now() - started) * 1_000;
  });
  closeSync(file);
  rmSync(path);
  return percentile(microseconds, 0.5);
}
