import { DatabaseSync } from '@photostructure/sqlite';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  createPillarbox,
  fileTransport,
  type EnqueueManyOptions,
  type EnqueueOptions,
  type MailInput,
  type Pillarbox,
} from 'pillarbox';
import { scriptedTransport } from 'pillarbox/testing';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';
import { readyDatabase } from '../postgres.js';

const MAIL: MailInput = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.' };

/** Taken silently, each of these would be a mail that outlives the rollback of its booking. */
describe('what is no open transaction is refused, and nothing is stored', () => {
  let database: FreshDatabase;
  let box: Pillarbox;

  const open = async (make: () => Promise<FreshDatabase>) => {
    database = await make();
    box = await createPillarbox({ databaseUrl: database.url, from: 'host@example.org' });
  };

  afterEach(async () => {
    await box.stop();
    await database.drop();
  });

  const refused = async (tx: unknown, words: RegExp) => {
    await expect(box.outbox.enqueue(MAIL, { tx } as EnqueueOptions)).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'tx',
      message: expect.stringMatching(words),
    });
    await expect(box.outbox.enqueueMany([MAIL], { tx } as EnqueueManyOptions)).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'tx',
    });
    expect((await box.messages.list()).items).toEqual([]);
  };

  describe('on PostgreSQL', () => {
    beforeEach(() => open(readyDatabase));

    test('a pool', async () => {
      const pool = new pg.Pool({ connectionString: database.url });
      await refused(pool, /is a pool.*the client of pool\.connect\(\) that said begin/);
      // @ts-expect-error the compiler knows it too
      const options: EnqueueOptions = { tx: pool };
      expect(options).toBeDefined();
      await pool.end();
    });

    test('a client that has not begun, or has ended', async () => {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await refused(client, /not in a transaction: give the pg client that said begin/);
      await client.query('begin');
      await client.query('commit');
      await refused(client, /not in a transaction/);
      await refused(
        async (sql: string, values: unknown[]) => (await client.query(sql, values)).rows as unknown[],
        /not in a/,
      );
      const prisma = {
        $queryRawUnsafe: async (sql: string, ...values: unknown[]) =>
          (await client.query(sql, values)).rows as unknown[],
      };
      await refused(prisma, /not in a transaction/);
      // The connection is as it was.
      expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
      await client.end();
    });

    test('a Kysely outside of a transaction', async () => {
      const db = new Kysely<object>({
        dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: database.url }) }),
      });
      await refused(db, /a Kysely that is not in a transaction/);
      // @ts-expect-error the compiler knows it too
      const options: EnqueueOptions = { tx: db };
      expect(options).toBeDefined();
      await db.destroy();
    });
  });

  describe('on SQLite', () => {
    beforeEach(() => open(freshSqlite));

    test('a handle that has not begun, whether it knows or not', async () => {
      const handle = new DatabaseSync(database.url.slice('sqlite:'.length));
      await refused(handle, /not in a transaction/);
      const prepare = (sql: string) => handle.prepare(sql);
      await refused({ prepare }, /not in a transaction/);
      await refused({ prepare, inTransaction: false }, /not in a transaction/);
      handle.exec('begin immediate');
      const { id } = await box.outbox.enqueue(MAIL, { tx: { prepare } as never });
      handle.exec('commit');
      expect((await box.messages.list()).items.map((message) => message.id)).toEqual([id]);
      handle.close();
    });
  });

  describe.each(databases)('on $name', ({ ready }) => {
    beforeEach(() => open(ready));

    test.each([
      ['null', null],
      ['a text', 'begin'],
      ['an object that runs nothing', {}],
      ['a flag', true],
    ])('%s', (_, tx) => refused(tx, /is not a transaction: give/));
  });
});

describe('options that nobody knows are refused by their name', () => {
  let database: FreshDatabase;
  let box: Pillarbox;

  beforeEach(async () => {
    database = await freshSqlite();
    box = await createPillarbox({ databaseUrl: database.url, from: 'host@example.org' });
  });

  afterEach(async () => {
    await box.stop();
    await database.drop();
  });

  const strange = { transaction: 1 } as never;

  test.each<[string, () => Promise<unknown>]>([
    ['enqueue', () => box.outbox.enqueue(MAIL, strange)],
    ['send', () => box.outbox.send(MAIL, strange)],
    ['enqueueMany', () => box.outbox.enqueueMany([MAIL], strange)],
    ['suppressions.list', () => box.suppressions.list(strange)],
    ['suppressions.add', () => box.suppressions.add({ email: 'ada@example.org', ...(strange as object) })],
    ['suppressions.remove', () => box.suppressions.remove('ada@example.org', strange)],
    ['privacy.export', () => box.privacy.export('ada@example.org', strange)],
    [
      'scriptedTransport',
      () => Promise.resolve().then(() => scriptedTransport({ port: 1, ...(strange as object) })),
    ],
    ['list', () => box.messages.list(strange)],
    ['deadLetters', () => box.messages.deadLetters(strange)],
    ['actOnMatching', () => box.messages.actOnMatching({ kind: 'cancel' }, strange)],
    ['pass', () => box.pass(strange)],
    ['accounts.list', () => box.home.accounts.list(strange)],
    ['accounts.activity', () => box.home.accounts.activity('acc_1', strange)],
    [
      'fileTransport',
      () => Promise.resolve().then(() => fileTransport({ directory: '/tmp', ...(strange as object) })),
    ],
  ])('of %s', async (_, call) => {
    await expect(call()).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'transaction',
      message: expect.stringMatching(/^transaction: is not a known option; there are \w+/),
    });
    expect((await box.messages.list()).items).toEqual([]);
  });

  test('of createPillarbox', async () => {
    await expect(createPillarbox({ databaseURL: database.url } as never)).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/^databaseURL: is not a known option/),
    });
  });

  test('and options that are none', async () => {
    await expect(box.outbox.enqueue(MAIL, null as never)).rejects.toMatchObject({ field: 'options' });
    await expect(box.outbox.send(MAIL, 'now' as never)).rejects.toMatchObject({ field: 'options' });
  });
});

test('a person resolves as sent or as unsent, and as nothing else', async () => {
  const database = await freshSqlite();
  const box = await createPillarbox({ databaseUrl: database.url, from: 'host@example.org' });
  const { id } = await box.outbox.enqueue(MAIL);
  const refusal = { code: 'invalid_input', field: 'as' };
  for (const as of ['Sent', 'delivered', undefined] as never[]) {
    await expect(box.messages.resolve(id, as)).rejects.toMatchObject(refusal);
    await expect(box.messages.act({ kind: 'resolve', as }, [id])).rejects.toMatchObject(refusal);
    await expect(box.messages.actOnMatching({ kind: 'resolve', as }, {})).rejects.toMatchObject(refusal);
  }
  await expect(box.messages.resolve(id, 'sent')).rejects.toMatchObject({ code: 'illegal_move' });
  await box.stop();
  await database.drop();
});

describe.each(databases)('many mails at once on $name', ({ ready }) => {
  /** How often the database was asked for anything but to store. */
  const looksFor = async (box: Pillarbox, count: number): Promise<number> => {
    const { id: accountId } = await box.home.accounts.create({
      name: `other ${String(count)}`,
      emailAddress: 'other@example.org',
      transport: { kind: 'smtp', url: 'smtp://127.0.0.1:2525' },
    });
    const one = { ...MAIL, accountId };
    await box.outbox.enqueue(one);
    const store = box.store as unknown as Record<'read' | 'now', (...given: unknown[]) => Promise<unknown>>;
    let looks = 0;
    for (const name of ['read', 'now'] as const) {
      const ask = store[name].bind(box.store);
      store[name] = (...given) => {
        looks += 1;
        return ask(...given);
      };
    }
    const { accepted } = await box.outbox.enqueueMany(Array.from({ length: count }, () => one));
    expect(accepted).toBe(count);
    return looks;
  };

  test('the account and the clock are looked at once a batch, not once a mail', async () => {
    const database = await ready();
    const box = await createPillarbox({
      databaseUrl: database.url,
      from: 'host@example.org',
      secret: 'a secret for tests that is long enough',
      allowPrivateHosts: true,
    });
    await box.home.settings.changeDelivery({ lanes: { outbox: { expirySeconds: 3_600 } } });
    expect(await looksFor(box, 1_500)).toBeLessThanOrEqual(6);
    await box.stop();
    await database.drop();
  });
});
