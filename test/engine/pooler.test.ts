import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { startPgbouncer } from '../../scripts/services/pgbouncer.mjs';
import { Cli } from '../cli/cli.js';
import { CutLine } from '../cut-line.js';
import { freshDatabase, required, type FreshDatabase } from '../postgres.js';
import { Carrier } from './carrier.js';
import { aMail } from './post.js';
import { Posts } from './posts.js';

describe('behind PgBouncer in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPgbouncer>>;
  let database: FreshDatabase;
  let pooled: string;

  beforeAll(async () => {
    const program = required('PILLARBOX_TEST_PGBOUNCER');
    pooler = await startPgbouncer(required('TEST_POSTGRES_URL'), { program });
  });
  afterAll(() => pooler.stop());

  beforeEach(async () => {
    database = await freshDatabase();
    pooled = pooler.urlOf(database.url);
  });
  afterEach(() => database.drop());

  const prepareSchema = async () => {
    const store = await openStore({ databaseUrl: database.url, leaseMs: 60_000, log: silent });
    await store.close();
  };

  const listening = () => {
    const lines: string[] = [];
    const hear = (_: object, text: string) => lines.push(text);
    return { lines, log: { ...silent, info: hear, warn: hear } };
  };

  test('mail is stored, claimed, passed and settled, each once, and people decide', async () => {
    const posts = new Posts({ databaseUrl: pooled });
    const direct = { databaseDirectUrl: database.url, concurrency: 10 };
    const { lines, log } = listening();
    const one = await posts.start(new Carrier(), { ...direct, log });
    const two = await posts.start(new Carrier(), direct);
    expect(lines).toContainEqual(expect.stringMatching(/^a connection pooler stands before PostgreSQL/));
    expect(lines).not.toContainEqual(
      expect.stringMatching(/^databaseDirectUrl \(DATABASE_DIRECT_URL\) is not set/),
    );
    const ids = [...(await one.putMany(150))];
    ids.push(...(await Promise.all(Array.from({ length: 50 }, () => two.put()))));
    const sent = await Promise.all(Array.from({ length: 10 }, () => one.box.outbox.send(aMail())));
    expect(sent).toEqual(sent.map(() => expect.objectContaining({ delivered: true }) as object));
    for (const id of ids) await one.becomes('sent', id);
    for (const id of ids) expect(one.carrier.copiesOf(id) + two.carrier.copiesOf(id)).toBe(1);
    await one.box.pause('a person wants it');
    const waiting = await one.put();
    expect(await two.box.messages.cancel(waiting)).toMatchObject({ state: 'cancelled' });
    await posts.close();
  });

  test('without a direct way it says that nobody is woken, and mail leaves all the same', async () => {
    await prepareSchema();
    const posts = new Posts({ databaseUrl: pooled });
    const { lines, log } = listening();
    const post = await posts.start(new Carrier(), { log });
    expect(lines).toContainEqual(
      expect.stringMatching(/^databaseDirectUrl \(DATABASE_DIRECT_URL\) is not set/),
    );
    await post.becomes('sent', await post.put());
    await posts.close();
  });

  test('the schema is not changed through it', async () => {
    await expect(openStore({ databaseUrl: pooled, leaseMs: 60_000, log: silent })).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/^databaseDirectUrl: should lead to PostgreSQL itself/),
    });
    const through = { databaseUrl: pooled, databaseDirectUrl: pooled, leaseMs: 60_000, log: silent };
    await expect(openStore(through)).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/^databaseDirectUrl: leads to a connection pooler too/),
    });
  });

  test('doctor says which way it goes', async () => {
    await prepareSchema();
    const ask = (more: Record<string, string>) =>
      new Cli({ DATABASE_URL: pooled, SMTP_URL: 'smtp://127.0.0.1:1', ...more }).run([
        'doctor',
        '--no-verify',
      ]);
    expect((await ask({})).stdout).toMatch(
      /pooler +stands before PostgreSQL: .*250 ms.* Set DATABASE_DIRECT_URL/,
    );
    const { stdout } = await ask({ DATABASE_DIRECT_URL: database.url });
    expect(stdout).toMatch(
      /pooler +stands before PostgreSQL: .*LISTEN and migrations go by DATABASE_DIRECT_URL/,
    );
    expect((await ask({ DATABASE_URL: database.url })).stdout).not.toContain('pooler');
    const lost = await ask({ DATABASE_DIRECT_URL: pooled });
    expect(lost.stdout).toMatch(/database +DATABASE_DIRECT_URL: leads to a connection pooler too/);
  });

  test('an answer that is lost: what is found is stored, what is not found is unknown', async () => {
    await prepareSchema();
    const line = await CutLine.to(pooled);
    const posts = new Posts({ databaseUrl: line.url });
    const post = await posts.open();
    const stored = (to: string) =>
      post.box.messages.list({ to }).then(({ items }) => items.map(({ id }) => id));
    const cut = line.cut('insert into pillarbox.messages', 'answered');
    const { id } = await post.box.outbox.enqueue(aMail({ to: 'found@example.org' }));
    await cut;
    expect(await stored('found@example.org')).toEqual([id]);
    const lost = line.cut('insert into pillarbox.messages', 'before');
    const unknown = post.box.outbox.enqueue(aMail({ to: 'lost@example.org' }));
    await Promise.all([lost, expect(unknown).rejects.toMatchObject({ code: 'commit_unknown' })]);
    expect(await stored('lost@example.org')).toEqual([]);
    await posts.close();
    await line.close();
  });
});
