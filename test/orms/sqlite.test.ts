import { cp, mkdtemp, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sql } from 'drizzle-orm';
import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { CompiledQuery, Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';
import {
  createPillarbox,
  DatabaseSync,
  type EnqueueOptions,
  type MailInput,
  type Pillarbox,
} from 'pillarbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freshSqlite, type FreshDatabase } from '../databases.js';

const MAIL: MailInput = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.' };

let database: FreshDatabase;
let file: string;
let box: Pillarbox;

beforeEach(async () => {
  database = await freshSqlite();
  file = database.url.slice('sqlite:'.length);
  box = await createPillarbox({ databaseUrl: database.url, from: 'host@example.org' });
});
afterEach(async () => {
  await box.stop();
  await database.drop();
});

const fail = (): never => {
  throw new Error('no room is left');
};
const stored = async () => (await box.messages.list()).items.map(({ id }) => id);

test('Drizzle through its proxy: the handle that it began on', async () => {
  const handle = new DatabaseSync(file);
  const db = drizzle((text, values: string[], method) => {
    const statement = handle.prepare(text);
    if (method === 'run') return Promise.resolve({ rows: [statement.run(...values)] });
    statement.setReturnArrays(true);
    return Promise.resolve({ rows: statement.all(...values) });
  });
  const bookings = sqliteTable('bookings', { name: text() });
  await db.run(sql`create table bookings (name text)`);
  const book = (work: () => void) =>
    db.transaction(async (tx) => {
      await tx.insert(bookings).values({ name: 'Ada' });
      await box.outbox.enqueue(MAIL, { tx: handle });
      await box.outbox.enqueueMany([MAIL, MAIL], { tx: handle });
      const outside = {
        code: 'invalid_input',
        message: expect.stringMatching(/a Drizzle on SQLite.*give the handle/),
      };
      await expect(box.outbox.enqueue(MAIL, { tx } as unknown as EnqueueOptions)).rejects.toMatchObject(
        outside,
      );
      work();
    });
  await expect(book(fail)).rejects.toThrow('no room is left');
  expect([await stored(), await db.select().from(bookings)]).toEqual([[], []]);
  await book(() => undefined);
  expect(await stored()).toHaveLength(3);
  expect(await db.select().from(bookings)).toEqual([{ name: 'Ada' }]);
  handle.close();
});

/** node:sqlite has no `reader`, which is all that Kysely asks of a driver beyond it. */
const forKysely = (handle: InstanceType<typeof DatabaseSync>): SqliteDatabase => ({
  close: () => {
    handle.close();
  },
  prepare: (text) => {
    const statement = handle.prepare(text);
    return {
      reader: statement.columns().length > 0,
      all: (values) => statement.all(...(values as string[])) as unknown[],
      run: (values) => statement.run(...(values as string[])),
      iterate: (values) => statement.iterate(...(values as string[])) as IterableIterator<unknown>,
    };
  },
});

test('Kysely: its transaction', async () => {
  const db = new Kysely<object>({
    dialect: new SqliteDialect({ database: forKysely(new DatabaseSync(file)) }),
  });
  const book = (work: () => void) =>
    db.transaction().execute(async (tx) => {
      await tx.executeQuery(CompiledQuery.raw('create table bookings (name text)'));
      await box.outbox.enqueue(MAIL, { tx });
      work();
    });
  await expect(book(fail)).rejects.toThrow('no room is left');
  expect(await stored()).toEqual([]);
  await book(() => undefined);
  expect(await stored()).toHaveLength(1);
  await db.destroy();
});

/** As node:sqlite, better-sqlite3 or libsql are: a copy of SQLite with locks of its own. */
async function anotherLibrary(): Promise<typeof DatabaseSync> {
  const own = dirname(createRequire(import.meta.url).resolve('@photostructure/sqlite/package.json'));
  const copy = await mkdtemp(join(tmpdir(), 'pillarbox-test-'));
  const here = `prebuilds/${process.platform}-${process.arch}`;
  for (const part of ['package.json', 'dist', here])
    await cp(join(own, part), join(copy, part), { recursive: true });
  await symlink(join(own, '../..'), join(copy, 'node_modules'));
  const library = createRequire(join(copy, 'package.json'))('./dist/index.cjs') as {
    readonly DatabaseSync: typeof DatabaseSync;
  };
  return library.DatabaseSync;
}

test('of another SQLite library in this process, whose locks ours does not see, is refused', async () => {
  const Another = await anotherLibrary();
  expect(Another).not.toBe(DatabaseSync);
  const handle = new Another(file);
  handle.exec('create table bookings (name text)');
  for (const begin of ['begin', 'begin immediate']) {
    handle.exec(begin);
    await expect(box.outbox.enqueue(MAIL, { tx: handle })).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'tx',
      message: expect.stringMatching(/another SQLite library.*the DatabaseSync that pillarbox exports/),
    });
    handle.exec('rollback');
  }
  expect(await stored()).toEqual([]);
  handle.close();
});
