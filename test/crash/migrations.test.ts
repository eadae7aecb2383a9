import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { freshDatabase } from '../postgres.js';

const ROWS = 2_000_000;
const OFTEN = { interval: 20 };

interface Report {
  readonly applied: readonly string[];
  readonly waited: boolean;
}

class Migrator {
  readonly #process: ChildProcess;
  readonly #output: Promise<string>;
  readonly #ended: Promise<unknown[]>;

  constructor(url: string) {
    this.#process = spawn(process.execPath, [fileURLToPath(new URL('./migrator.mjs', import.meta.url))], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#output = text(this.#process.stdout!);
    this.#ended = once(this.#process, 'exit');
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }

  /** What it did, once it has ended well. */
  async report(): Promise<Report> {
    const output = await this.#output;
    expect(await this.#ended).toEqual([0, null]);
    return JSON.parse(output) as Report;
  }
}

/** Longer than 20 s: with fewer rows nobody could be killed half-way, and the index would be there at once. */
test('a migration over two million rows, killed half-way again and again, and run by three processes, is done once [F57]', async () => {
  const database = await freshDatabase();
  const store = await openStore({ databaseUrl: database.url, leaseMs: 60_000, log: silent });
  await store.close();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const one = async (sql: string): Promise<unknown> =>
    (await client.query({ text: sql, rowMode: 'array' })).rows[0]?.[0];
  await client.query(`create table pillarbox.ledger (id bigint primary key, amount int not null)`);
  await client.query(
    `insert into pillarbox.ledger select n, n % 1000 from generate_series(1, ${String(ROWS)}) as n`,
  );

  // The first dies in the middle of the backfill.
  const first = new Migrator(database.url);
  const cursor = async () => Number((await one('select max(cursor) from pillarbox.migration_parts')) ?? 0);
  await expect.poll(cursor, OFTEN).toBeGreaterThan(100_000);
  await first.kill();
  expect(await cursor()).toBeLessThan(ROWS);
  // What is half done is not called done: a program of the version before may still start.
  expect(await one('select max(version) from pillarbox.migrations')).toBeLessThan(9001);

  // Three that come after it die while the index is being built, which waits for one who writes.
  const writer = new pg.Client({ connectionString: database.url });
  await writer.connect();
  await writer.query('begin; lock table pillarbox.ledger in row exclusive mode');
  const builder = (): Promise<unknown> =>
    one(`select pid from pg_stat_progress_create_index where relid = 'pillarbox.ledger'::regclass`);
  const second = [0, 1, 2].map(() => new Migrator(database.url));
  await expect.poll(builder, OFTEN).toBeDefined();
  const cutOff = await builder();
  await Promise.all(second.map((migrator) => migrator.kill()));

  // The server lets go of what nobody waits for any more, and three more go on: one of them, the others wait.
  const third = [0, 1, 2].map(() => new Migrator(database.url));
  const there = () => one(`select count(*)::int from pg_stat_activity where pid = ${String(cutOff)}`);
  await expect.poll(there, OFTEN).toBe(0);
  await writer.query('commit');
  await writer.end();
  const reports = await Promise.all(third.map((migrator) => migrator.report()));
  expect(reports.flatMap(({ applied }) => applied)).toEqual(['large']);
  expect(reports.filter(({ waited }) => waited).length).toBeGreaterThanOrEqual(2);
  expect(await one(`select count(*) from pillarbox.migrations where version = 9001`)).toBe('1');
  expect(await one(`select count(*) from pillarbox.migration_parts`)).toBe('0');
  // Every step was done, and none twice.
  expect(await one(`select count(*) from pillarbox.ledger where touched = 1`)).toBe(String(ROWS / 8));
  expect(await one(`select max(touched) from pillarbox.ledger`)).toBe(1);
  expect(
    await one(`select indisvalid from pg_index where indexrelid = 'pillarbox.ledger_amount'::regclass`),
  ).toBe(true);
  await client.end();
  await database.drop();
});
