// @ts-check
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import pg from 'pg';

/**
 * A plain connection, beside the one that is measured: to fill, to look and to check.
 *
 * @typedef {object} Database
 * @property {'postgres' | 'sqlite'} dialect
 * @property {(sql: string) => Promise<Record<string, unknown>[]>} query
 * @property {() => Promise<void>} close
 */

/**
 * @param {string} url
 * @returns {Promise<Database>}
 */
export const openDatabase = async (url) =>
  url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);

/**
 * @param {string} url
 * @returns {Promise<Database>}
 */
async function openPostgres(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // Our tables have the same bare names on both databases; the peers' are always named with their schema.
  await client.query('set search_path to pillarbox, public');
  return {
    dialect: 'postgres',
    query: async (sql) => (await client.query(sql)).rows,
    close: () => client.end(),
  };
}

/**
 * @param {string} path
 * @returns {Database}
 */
function openSqlite(path) {
  const db = new DatabaseSync(path);
  db.exec('pragma busy_timeout = 5000');
  return {
    dialect: 'sqlite',
    query: async (sql) => /** @type {Record<string, unknown>[]} */ (db.prepare(sql).all()),
    close: async () => db.close(),
  };
}

/**
 * @template T
 * @param {string} url
 * @param {(db: Database) => Promise<T>} work
 */
export async function withDatabase(url, work) {
  const db = await openDatabase(url);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * One number.
 *
 * @param {Database} db
 * @param {string} sql
 */
export async function count(db, sql) {
  const [row = {}] = await db.query(sql);
  return Number(Object.values(row)[0]);
}

/** Where fresh databases are made. */
export class Ground {
  /**
   * @param {string} postgresUrl
   * @param {string} directory
   */
  constructor(postgresUrl, directory) {
    this.postgresUrl = postgresUrl;
    this.directory = directory;
  }

  /**
   * @param {'postgres' | 'sqlite'} dialect
   * @returns {Promise<{ url: string, drop: () => Promise<void> }>}
   */
  async fresh(dialect) {
    const name = `bench_${randomBytes(6).toString('hex')}`;
    if (dialect === 'sqlite') {
      const path = join(this.directory, `${name}.db`);
      const drop = async () => {
        for (const end of ['', '-wal', '-shm']) await rm(path + end, { force: true });
      };
      return { url: `sqlite:${path}`, drop };
    }
    const command = (/** @type {string} */ sql) => withDatabase(this.postgresUrl, (db) => db.query(sql));
    await command(`create database ${name}`);
    const url = new URL(this.postgresUrl);
    url.pathname = `/${name}`;
    return { url: url.href, drop: async () => void (await command(`drop database ${name} with (force)`)) };
  }
}

/**
 * What a database does anyway some time after it was filled, done now, so that it does not fall into a measurement.
 *
 * @param {string} url
 */
export const settleDown = (url) =>
  withDatabase(url, async (db) => {
    const chores =
      db.dialect === 'postgres' ? ['vacuum analyze', 'checkpoint'] : ['pragma wal_checkpoint(truncate)'];
    for (const chore of chores) await db.query(chore);
  });
