import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createPillarbox, fileTransport } from 'pillarbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { freshDatabase, required, type FreshDatabase } from '../postgres.js';
import { Cli } from './cli.js';

/** The statements of the document, for roles and a database of other names. */
async function documented(heading: string, names: Readonly<Record<string, string>>): Promise<string> {
  const document = await readFile(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const block = document.split(`**${heading}**`)[1]?.split('```sql')[1]?.split('```')[0];
  if (block === undefined) throw new Error(`no statements under ${heading}`);
  return block.replaceAll(/\b(?:app|mail_owner|mail_worker)\b/g, (name) => names[name] ?? name);
}

describe('roles with the least rights', () => {
  const some = randomBytes(6).toString('hex');
  const owner = `owner_${some}`;
  const worker = `worker_${some}`;
  let admin: pg.Client;
  let database: FreshDatabase;

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: required('TEST_POSTGRES_URL') });
    await admin.connect();
    for (const role of [owner, worker]) await admin.query(`create role ${role} login`);
  });
  afterAll(async () => {
    for (const role of [owner, worker]) await admin.query(`drop role if exists ${role}`);
    await admin.end();
  });
  beforeEach(async () => {
    database = await freshDatabase();
    await inDatabase(`revoke create on schema public from public`);
  });
  afterEach(() => database.drop());

  const as = (role: string): string => {
    const url = new URL(database.url);
    url.username = role;
    return url.href;
  };

  async function inDatabase(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }

  const grantAll = async () => {
    const name = new URL(database.url).pathname.slice(1);
    await inDatabase(await documented('Least rights', { app: name, mail_owner: owner, mail_worker: worker }));
  };

  test('one that may not make a schema is told what to do, from library and command line', async () => {
    const why = /permission denied for database .*let one who may run create schema pillarbox authorization/;
    await expect(createPillarbox({ databaseUrl: as(worker) })).rejects.toMatchObject({
      name: 'PillarboxError',
      message: expect.stringMatching(why),
    });
    const { code, stderr } = await new Cli({ DATABASE_URL: as(worker) }).run(['migrate']);
    expect(code).toBe(1);
    expect(stderr).toMatch(why);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test('one migrates, the other runs, and each does no more', async () => {
    await grantAll();
    expect(await new Cli({ DATABASE_URL: as(owner) }).run(['migrate'])).toMatchObject({ code: 0 });
    const directory = await mkdtemp(join(tmpdir(), 'pillarbox-test-'));
    const transport = fileTransport({ directory });
    const box = await createPillarbox({
      ...{ databaseUrl: as(worker), from: 'host@example.org', transport },
      secret: 'a secret for tests that is long enough',
    });
    await box.start();
    const mail = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.' };
    expect(await box.outbox.send(mail)).toMatchObject({ delivered: true });
    const { id } = await box.outbox.enqueue(mail);
    await expect.poll(async () => (await box.messages.get(id)).state).toBe('sent');
    await box.suppress('grace@example.org');
    await box.privacy.erase('ada@example.org');
    await box.stop();
    await expect(inDatabase(`set role ${worker}; create table pillarbox.mine (id int)`)).rejects.toThrow(
      /denied/,
    );
    await expect(inDatabase(`set role ${owner}; create schema mine`)).rejects.toThrow(/denied/);
  });

  test('what a role lacks is named, with the grant that it needs', async () => {
    await grantAll();
    await new Cli({ DATABASE_URL: as(owner) }).run(['migrate']);
    const told = async () => (await new Cli({ DATABASE_URL: as(worker) }).run(['queue', 'ls'])).stderr;
    await inDatabase(`revoke insert on all tables in schema pillarbox from ${worker}`);
    expect(await told()).toMatch(
      /^PostgreSQL is not available \(42501\): permission denied for table .*; grant select, insert/,
    );
    await inDatabase(`revoke usage on schema pillarbox from ${worker}`);
    expect(await told()).toMatch(/permission denied for schema pillarbox; grant usage on schema pillarbox/);
  });
});
