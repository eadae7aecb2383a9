import pg from 'pg';
import { createPillarbox, type EnqueueOptions, type MailInput, type Pillarbox } from 'pillarbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readyDatabase, type FreshDatabase } from '../postgres.js';
import { ORMS, type Orm } from './orms.js';

const MAIL: MailInput = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday, {"a":"$1?"}.' };

const SECRET = 'a secret for tests that is long enough';

let database: FreshDatabase;
let box: Pillarbox;
let bookings: pg.Client;

beforeAll(async () => {
  database = await readyDatabase();
  box = await createPillarbox({ databaseUrl: database.url, from: 'host@example.org', secret: SECRET });
  await box.templates.save({
    id: 'booked',
    version: 'v1',
    locale: 'en',
    subject: 'Booked',
    text: '{{ name }}',
  });
  for (const contactValue of ['ada@example.org', 'grace@example.org'])
    await box.subscriptions.add({ topic: 'rooms', contactType: 'email', contactValue, locale: 'en' });
  bookings = new pg.Client({ connectionString: database.url });
  await bookings.connect();
  await bookings.query('create table bookings (name text primary key)');
});
afterAll(async () => {
  await bookings.end();
  await box.stop();
  await database.drop();
});

/** How many mails and events there are, and which bookings. */
async function kept() {
  const mails = Object.values(await box.messages.countByState()).reduce((sum, each) => sum + each, 0);
  const { rows } = await bookings.query<{ name: string }>('select name from bookings order by 1');
  return {
    mails,
    events: (await box.events.list()).items.length,
    bookings: rows.map(({ name }) => name),
  };
}

describe.each(Object.entries(ORMS))('%s', (name, open) => {
  let orm: Orm;
  beforeAll(async () => {
    orm = await open(database.url);
  });
  afterAll(() => orm.close());

  test('mail and event exist exactly when the booking does', async () => {
    const before = await kept();
    const keyed = { idempotencyKey: `booking of ${name}` };
    const ids: string[] = [];
    const write = async (tx: EnqueueOptions['tx']) => {
      ids.push((await box.outbox.enqueue(MAIL, { tx, ...keyed })).id);
      const { accepted } = await box.outbox.enqueueMany([MAIL, MAIL], { tx });
      expect(accepted).toBe(2);
      await box.events.publish(
        { type: 'booked', topic: 'rooms', template: { id: 'booked' }, payload: { name } },
        { tx },
      );
      expect(await kept()).toEqual(before);
    };
    await expect(
      orm.book(name, async (tx) => {
        await write(tx);
        throw new Error('no room is left');
      }),
    ).rejects.toThrow('no room is left');
    expect(await kept()).toEqual(before);

    await orm.book(name, write);
    const after = await kept();
    expect(after).toMatchObject({ mails: before.mails + 5, events: before.events + 1 });
    expect(after.bookings).toContain(name);
    const [, id = ''] = ids;
    expect(await box.messages.get(id)).toMatchObject({ id, state: 'scheduled' });
    await orm.book(`${name} again`, async (tx) => {
      expect(await box.outbox.enqueue(MAIL, { tx, ...keyed })).toEqual({ id, duplicate: true });
    });
  });

  test('what is in no transaction is refused, with what to give instead', async () => {
    const before = await kept();
    for (const [what, tx] of Object.entries(orm.outside)) {
      await expect(box.outbox.enqueue(MAIL, { tx } as EnqueueOptions), what).rejects.toMatchObject({
        code: 'invalid_input',
        field: 'tx',
        message: expect.stringMatching(/^tx: is .*: (?:give|call) /),
      });
    }
    expect(await kept()).toEqual(before);
  });
});
