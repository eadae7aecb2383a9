import { DatabaseSync } from '@photostructure/sqlite';
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox, type MailInput, type Pillarbox, type SendResult } from 'pillarbox';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';

const mail = (over: Partial<MailInput> = {}): MailInput => ({
  to: 'ada@example.org',
  subject: 'Booked',
  text: 'See you on Monday.',
  ...over,
});

describe.each(databases)('the outbox on $name', ({ name, ready }) => {
  let database: FreshDatabase;
  let box: Pillarbox;

  beforeEach(async () => {
    database = await ready();
    box = await createPillarbox({ databaseUrl: database.url, from: 'Host <host@example.org>' });
  });

  afterEach(async () => {
    await box.stop();
    await database.drop();
  });

  const stored = async () => (await box.messages.list()).items;

  test('a mail that was accepted waits for a worker', async () => {
    const { id, duplicate } = await box.outbox.enqueue(
      mail({ to: { email: 'ada@EXAMPLE.org', name: 'Ada' } }),
    );
    expect(duplicate).toBe(false);
    expect(await box.messages.get(id)).toMatchObject({
      lane: 'outbox',
      action: 'email',
      state: 'scheduled',
      to: { email: 'ada@example.org', name: 'Ada' },
      subject: 'Booked',
      maxAttempts: 5,
      messageId: expect.stringMatching(/^<msg_\w+\.\w+@example\.org>$/),
    });
  });

  test('a known key answers the first mail; with other content it is a conflict', async () => {
    const first = await box.outbox.enqueue(mail(), { idempotencyKey: 'booking-7' });
    expect(await box.outbox.enqueue(mail(), { idempotencyKey: 'booking-7' })).toEqual({
      id: first.id,
      duplicate: true,
    });
    await expect(
      box.outbox.enqueue(mail({ subject: 'Cancelled' }), { idempotencyKey: 'booking-7' }),
    ).rejects.toMatchObject({
      code: 'idempotency_conflict',
      field: 'idempotencyKey',
    });
    expect(await stored()).toHaveLength(1);
  });

  test('a hundred callers with the same key make one mail', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => box.outbox.enqueue(mail(), { idempotencyKey: 'k' })),
    );
    expect(answers.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
  });

  test('in bulk, what is wrong with one mail does not stop the others', async () => {
    const report = await box.outbox.enqueueMany([
      mail({ idempotencyKey: 'a' }),
      mail({ to: 'nobody' }),
      mail({ idempotencyKey: 'a' }),
      mail({ idempotencyKey: 'a', subject: 'Other' }),
      mail(),
    ]);
    expect(report).toMatchObject({
      accepted: 2,
      duplicates: 1,
      errors: [
        { index: 1, code: 'invalid_input' },
        { index: 3, code: 'idempotency_conflict' },
      ],
    });
    expect(await stored()).toHaveLength(2);
  });

  test('takes a time, an expiry, a policy and a doubt policy of its own', async () => {
    const { id } = await box.outbox.enqueue(
      mail({
        sendAt: '2031-01-01T09:00:00+01:00',
        expiresAt: '2031-01-02T09:00:00Z',
        retryPolicy: { maxAttempts: 2, delaysSeconds: [7] },
        onDoubt: 'hold',
      }),
    );
    expect(await box.messages.get(id)).toMatchObject({
      scheduledFor: Date.UTC(2031, 0, 1, 8),
      expiresAt: Date.UTC(2031, 0, 2, 9),
      maxAttempts: 2,
    });
  });

  describe("in the caller's own transaction", () => {
    /** More than are stored at a time. */
    const manyWithAFault = () =>
      Array.from({ length: 1_102 }, (_, n) => (n === 7 ? mail({ to: 'nobody' }) : mail()));
    const howMany = async () =>
      Object.values(await box.messages.countByState()).reduce((total, each) => total + each, 0);

    if (name === 'PostgreSQL') {
      test('a pg client: the mail exists exactly when the booking does', async () => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        try {
          await client.query('create table bookings (id int)');
          await client.query('begin');
          await client.query('insert into bookings values (1)');
          await box.outbox.enqueue(mail(), { tx: client, idempotencyKey: 'b1' });
          await client.query('rollback');
          expect(await stored()).toEqual([]);

          await client.query('begin');
          await client.query('insert into bookings values (2)');
          const { id } = await box.outbox.enqueue(mail(), { tx: client, idempotencyKey: 'b1' });
          expect(await stored()).toEqual([]);
          await client.query('commit');
          expect((await stored()).map((message) => message.id)).toEqual([id]);
          await client.query('begin');
          expect(await box.outbox.enqueue(mail(), { tx: client, idempotencyKey: 'b1' })).toEqual({
            id,
            duplicate: true,
          });
          await client.query('commit');
        } finally {
          await client.end();
        }
      });

      test('many at once: all of them or none, and what is wrong with one is told', async () => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        try {
          for (const [end, kept] of [
            ['rollback', 0],
            ['commit', 1_101],
          ] as const) {
            await client.query('begin');
            const report = await box.outbox.enqueueMany(manyWithAFault(), { tx: client });
            expect(report).toMatchObject({ accepted: 1_101, errors: [{ index: 7, code: 'invalid_input' }] });
            expect(await howMany()).toBe(0);
            await client.query(end);
            expect(await howMany()).toBe(kept);
          }
        } finally {
          await client.end();
        }
      });

      test('of a transaction that broke nothing is left, and many at once say so', async () => {
        const client = new pg.Client({ connectionString: database.url });
        await client.connect();
        try {
          await client.query('begin');
          await expect(client.query('select 1 / 0')).rejects.toThrow();
          await expect(box.outbox.enqueueMany([mail()], { tx: client })).rejects.toThrow(/aborted/);
        } finally {
          await client.end();
        }
        expect(await howMany()).toBe(0);
      });

      test('a Kysely transaction, and anything that runs a parameterised query', async () => {
        const pool = new pg.Pool({ connectionString: database.url });
        const db = new Kysely<object>({ dialect: new PostgresDialect({ pool }) });
        await db.transaction().execute(async (trx) => {
          await box.outbox.enqueue(mail(), { tx: trx });
          await box.outbox.enqueue(mail(), {
            tx: async (sql, values) => (await trx.executeQuery(CompiledQuery.raw(sql, [...values]))).rows,
          });
        });
        expect(await stored()).toHaveLength(2);
        await db.destroy();
      });
    } else {
      test('a SQLite handle: the mail exists exactly when the booking does', async () => {
        const handle = new DatabaseSync(database.url.slice('sqlite:'.length));
        handle.exec('create table bookings (id integer)');
        handle.exec('begin immediate; insert into bookings values (1)');
        await box.outbox.enqueue(mail(), { tx: handle, idempotencyKey: 'b1' });
        handle.exec('rollback');
        expect(await stored()).toEqual([]);

        handle.exec('begin immediate; insert into bookings values (2)');
        const { id } = await box.outbox.enqueue(mail(), { tx: handle, idempotencyKey: 'b1' });
        handle.exec('commit');
        expect((await stored()).map((message) => message.id)).toEqual([id]);
        handle.exec('begin immediate');
        expect(await box.outbox.enqueue(mail(), { tx: handle, idempotencyKey: 'b1' })).toEqual({
          id,
          duplicate: true,
        });
        handle.exec('commit');
        handle.close();
      });

      test('many at once: all of them or none, and what is wrong with one is told', async () => {
        const handle = new DatabaseSync(database.url.slice('sqlite:'.length));
        for (const [end, kept] of [
          ['rollback', 0],
          ['commit', 1_101],
        ] as const) {
          handle.exec('begin immediate');
          const report = await box.outbox.enqueueMany(manyWithAFault(), { tx: handle });
          expect(report).toMatchObject({ accepted: 1_101, errors: [{ index: 7, code: 'invalid_input' }] });
          handle.exec(end);
          expect(await howMany()).toBe(kept);
        }
        handle.close();
      });
    }

    test('what is no transaction is refused', async () => {
      await expect(box.outbox.enqueue(mail(), { tx: {} as never })).rejects.toMatchObject({ field: 'tx' });
    });
  });
});

test('a result is told apart by `delivered`, without casts', () => {
  const told = (result: SendResult): string => {
    if (result.delivered) return result.messageId;
    return 'state' in result ? result.state : result.error.message;
  };
  expect(told({ delivered: true, id: 'msg_1', messageId: '<1@x>', recorded: true })).toBe('<1@x>');
  expect(told({ duplicate: true, id: 'msg_1', state: 'sent' })).toBe('sent');
});

test('a list of recipients is told that one address belongs there', async () => {
  const database = await freshSqlite();
  const box = await createPillarbox({ databaseUrl: database.url, from: 'host@example.org' });
  await expect(box.outbox.enqueue({ ...mail(), to: ['a@example.org'] } as never)).rejects.toThrow(
    /^to: should be one address, not a list/,
  );
  await box.stop();
  await database.drop();
});

describe.each(databases)('bad input is refused by its field and stores nothing on $name', ({ ready }) => {
  let database: FreshDatabase;
  let box: Pillarbox;

  // One for all: each leaves it as it was.
  beforeAll(async () => {
    database = await ready();
    box = await createPillarbox({ databaseUrl: database.url, from: 'Host <host@example.org>' });
  });

  afterAll(async () => {
    await box.stop();
    await database.drop();
  });

  const unusual = (over: Record<string, unknown>) => ({ ...mail(), ...over });
  test.each<[string, MailInput, string]>([
    ['no mail at all', null as unknown as MailInput, 'mail'],
    ['a text instead of a mail', 'hello' as unknown as MailInput, 'mail'],
    ['an unknown field', unusual({ subjekt: 'x' }), 'subjekt'],
    [
      '__proto__ as a field',
      JSON.parse('{"to":"a@b.c","subject":"x","__proto__":{"a":1}}') as MailInput,
      '__proto__',
    ],
    ['no recipient', unusual({ to: undefined }), 'to'],
    ['a list where one address belongs', unusual({ to: ['a@example.org'] }), 'to'],
    ['two addresses in one', mail({ to: 'a@example.org, b@example.org' }), 'to'],
    ['an address without a domain', mail({ to: 'ada' }), 'to'],
    ['CRLF in an address', mail({ to: 'a@example.org\r\nBcc: evil@example.org' }), 'to'],
    ['CRLF in a name', mail({ to: { email: 'a@example.org', name: 'A\r\nBcc: e@x.y' } }), 'to.name'],
    ['CRLF in the subject', mail({ subject: 'Hi\r\nBcc: evil@example.org' }), 'subject'],
    ['NUL in the text', mail({ text: 'a\0b' }), 'text'],
    ['half a surrogate pair in the html', mail({ html: '<p>\ud800</p>' }), 'html'],
    ['NUL in a key', mail({ idempotencyKey: 'a\0' }), 'idempotencyKey'],
    ['an empty key', mail({ idempotencyKey: '' }), 'idempotencyKey'],
    ['a key of 256 characters', mail({ idempotencyKey: 'k'.repeat(256) }), 'idempotencyKey'],
    ['a number as subject', unusual({ subject: 7 }), 'subject'],
    ['a header that the mail sets itself', mail({ headers: { Bcc: 'evil@example.org' } }), 'headers.Bcc'],
    ['CRLF in a header', mail({ headers: { 'X-A': 'a\r\nb' } }), 'headers.X-A'],
    ['the third of many bad addresses', mail({ cc: ['a@example.org', 'b@example.org', 'c'] }), 'cc.2'],
    [
      'an attachment that is not base64',
      mail({ attachments: [{ filename: 'a', contentType: 'text/plain', contentBase64: '!' }] }),
      'attachments.0.contentBase64',
    ],
    [
      'a calendar whose method differs',
      mail({ ics: { method: 'CANCEL', content: 'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nEND:VCALENDAR' } }),
      'ics.method',
    ],
    ['a date in words', mail({ sendAt: 'tomorrow' }), 'sendAt'],
    ['a date without an offset', mail({ sendAt: '2026-11-16T08:00:00' }), 'sendAt'],
    ['the year 9999', mail({ sendAt: '9999-01-01T00:00:00Z' }), 'sendAt'],
    ['the 31st of February', mail({ sendAt: '2027-02-31T00:00:00Z' }), 'sendAt'],
    [
      'an expiry before the start',
      mail({ sendAt: '2027-02-03T00:00:00Z', expiresAt: '2027-02-02T00:00:00Z' }),
      'expiresAt',
    ],
    ['an unknown policy', unusual({ retryPolicy: 'never' }), 'retryPolicy'],
    [
      'no tries at all',
      mail({ retryPolicy: { maxAttempts: 0, delaysSeconds: [1] } }),
      'retryPolicy.maxAttempts',
    ],
    ['an unknown account', mail({ accountId: 'acc_zz' }), 'accountId'],
    ['33 MB of text', mail({ text: 'x'.repeat(33 * 1024 * 1024) }), 'mail'],
    ['a subject of 1000 characters', mail({ subject: 'x'.repeat(1_000) }), 'subject'],
  ])('%s', async (_, input, field) => {
    await expect(box.outbox.enqueue(input)).rejects.toMatchObject({
      name: 'PillarboxError',
      code: 'invalid_input',
      field,
    });
    expect((await box.messages.list()).items).toEqual([]);
  });
});
