import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimStatement, openChannelsStatement } from '#pillarbox/store/postgres/claim';
import { PLANNING } from '#pillarbox/store/postgres/connections';
import { prepare } from '#pillarbox/store/postgres/statements';
import { nowExpression, type Prepared } from '#pillarbox/store/postgres/time';
import { silent } from '#pillarbox/log/log';
import { openStore } from '#pillarbox/store/open';
import { askCompiled, type Query, type Script } from '#pillarbox/store/script';
import { lockContacts } from '#pillarbox/store/scripts/contacts';
import { readListed } from '#pillarbox/store/scripts/suppression-list';
import { knownKeys } from '#pillarbox/store/scripts/plan-pages';
import pg from 'pg';
import { freshDatabase, readyDatabase, type FreshDatabase } from '../postgres.js';
import { openFixture, type Fixture } from './fixture.js';

const WAITING = 60_000;
const CHANNELS = 20;

/** How PostgreSQL means to answer, once one channel fills nearly all of the queue. */
describe('what a worker asks PostgreSQL beside 60,000 waiting mails of one channel', () => {
  let database: FreshDatabase;
  let fixture: Fixture;
  let client: pg.Client;
  const context = { schema: 'pillarbox', now: nowExpression(undefined), leaseMs: 60_000 };

  beforeAll(async () => {
    database = await freshDatabase();
    fixture = await openFixture(database.url);
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { workspaceId, channelId } = fixture;
    await client.query(`
      insert into pillarbox.channels (workspace_id, account_id, action, lane)
      select ${workspaceId}, 1000 + n, 'email', 'outbox' from generate_series(1, ${CHANNELS}) n;
      insert into pillarbox.due (message_id, workspace_id, channel_id, due_at)
      select n, ${workspaceId}, ${channelId}, n from generate_series(1, ${WAITING}) n;
      analyze pillarbox.due; analyze pillarbox.channels`);
  });

  afterAll(async () => {
    await client.end();
    await fixture.store.close();
    await database.drop();
  });

  /** The plan, as often as the connection would plan it anew, and as it would be kept. */
  const plansOf = async (text: string, types: string, values: string): Promise<readonly string[]> => {
    const plans = [];
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`);
      await client.query(`prepare asked${types} as ${text}`);
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute asked${values}`);
      await client.query('deallocate asked');
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
    }
    return plans;
  };

  test('which channels are open: by the index of each, not by a scan of all that waits', async () => {
    for (const plan of await plansOf(openChannelsStatement(context).text, '', '')) {
      expect(plan).not.toMatch(/Seq Scan on due/);
      expect(plan).toMatch(/Index.* Scan using due_claim on due/);
    }
    expect(await fixture.store.openChannels()).toMatchObject([
      { id: fixture.channelId, lane: 'outbox', together: true, alone: false },
    ]);
  });

  test('what to claim: the same', async () => {
    const { text } = claimStatement(context);
    const values = `(array[${fixture.channelId}, 2, 3], array[100, 100, 100], 'worker', 0)`;
    for (const plan of await plansOf(text, '(int[], int[], text, int)', values)) {
      expect(plan).not.toMatch(/Seq Scan on due/);
      expect(plan).toMatch(/Index.* Scan using due_claim on due/);
    }
  });
});

/** Of a few rows each: what an account has, and what is in flight. */
const ALWAYS_SMALL = ['channels', 'leases'];

/** A session keeps the plan that it has made, however many mails come to wait afterwards. */
describe('what a session keeps of a plan that was made while nothing waited', () => {
  let database: FreshDatabase;
  let client: pg.Client;
  const statements = prepare({ schema: 'pillarbox', now: nowExpression(undefined), leaseMs: 60_000 });

  beforeAll(async () => {
    database = await readyDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    // Vacuumed, an empty table costs nothing to read.
    await client.query('vacuum analyze');
    await client.query('set plan_cache_mode = force_generic_plan');
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  const keptPlan = async ({ text }: Prepared): Promise<string> => {
    const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
    const values = count === 0 ? '' : `(${Array.from({ length: count }, () => 'null').join(', ')})`;
    await client.query(`prepare kept as ${text}`);
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain execute kept${values}`);
    await client.query('deallocate kept');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };

  const scannedBy = async (statement: Prepared): Promise<readonly string[]> =>
    [...(await keptPlan(statement)).matchAll(/Seq Scan on (\w+)/g)]
      .map(([, table]) => table!)
      .filter((table) => !ALWAYS_SMALL.includes(table));

  const { enqueue, relay, ...others } = statements;
  const all: readonly (readonly [string, Prepared])[] = [enqueue, relay, others].flatMap((some) =>
    Object.entries<Prepared>(some),
  );

  test.each(all)('%s reads no table from end to end', async (_name, statement) => {
    for (const [name, value] of Object.entries(PLANNING)) await client.query(`set ${name} = ${value}`);
    expect(await scannedBy(statement)).toEqual([]);
  });

  test('and would, if sessions were as they come', async () => {
    for (const name of Object.keys(PLANNING)) await client.query(`reset ${name}`);
    expect(await scannedBy(statements.claim)).toContain('due');
  });

  test('a store’s own sessions are not', async () => {
    const store = await openStore({ databaseUrl: database.url, leaseMs: 60_000, log: silent });
    const asked = Object.keys(PLANNING).map((name) => `current_setting('${name}') as ${name}`);
    const rows = await store.read(askCompiled({ sql: `select ${asked.join(', ')}`, parameters: [] }));
    await store.close();
    expect(rows).toEqual([PLANNING]);
  });
});

/** Statistics are made now and then: until then PostgreSQL takes a table that was filled meanwhile for a handful of rows. */
describe('what is asked for by its name while a table grows', () => {
  const ROWS = 50_000;
  let database: FreshDatabase;
  let fixture: Fixture;
  let client: pg.Client;

  beforeAll(async () => {
    database = await freshDatabase();
    fixture = await openFixture(database.url);
    client = new pg.Client({ connectionString: database.url, options: planningOf(PLANNING) });
    await client.connect();
    const { workspaceId, channelId } = fixture;
    for (const table of ['messages', 'contacts', 'suppressions']) {
      await client.query(`alter table pillarbox.${table} set (autovacuum_enabled = false)`);
      await client.query(`vacuum analyze pillarbox.${table}`);
    }
    await client.query(`
      insert into pillarbox.messages (workspace_id, channel_id, lane, action, idempotency_key, recipient, sender,
        scheduled_for, retry_policy, doubt_policy, transactional, created_at)
      select ${workspaceId}, ${channelId}, 'campaign', 'email', 'key' || n, 'a@example.org', 'b@example.org',
        1, 'campaign', 'hold', 0, 1 from generate_series(1, ${ROWS}) n;
      insert into pillarbox.contacts (workspace_id, email, linkedin_id, created_at, updated_at)
      select ${workspaceId}, 'person' || n || '@example.org', 'id' || n, 1, 1 from generate_series(1, ${ROWS}) n;
      insert into pillarbox.suppressions (workspace_id, address, reason, created_at)
      select ${workspaceId}, 'person' || n || '@example.org', 'manual', 1 from generate_series(1, ${ROWS}) n`);
  });

  afterAll(async () => {
    await client.end();
    await fixture.store.close();
    await database.drop();
  });

  const names = (nameOf: (n: number) => string) => Array.from({ length: 1_000 }, (_, n) => nameOf(n * 7));
  const emails = names((n) => `person${n}@example.org`);
  const linkedinIds = names((n) => `id${n}`);
  const questions: readonly (readonly [string, () => Script<unknown>])[] = [
    [
      'keys of messages',
      () =>
        knownKeys(
          fixture.store,
          fixture.workspaceId,
          names((n) => `key${n}`),
        ),
    ],
    ['addresses of contacts', () => lockContacts(fixture.store, fixture.workspaceId, emails, [])],
    ['LinkedIn ids of contacts', () => lockContacts(fixture.store, fixture.workspaceId, [], linkedinIds)],
    ['suppressed addresses', () => readListed(fixture.store, fixture.workspaceId, emails)],
  ];

  test.each(questions)('%s: each is looked up, not all of them read', async (_, ask) => {
    const { value } = ask().next([]);
    const { sql, parameters } = value as Query;
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain analyze ${sql}`, [...parameters]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    const removed = [...plan.matchAll(/Rows Removed by \w+: (\d+)/g)].map(([, n]) => Number(n));
    expect(Math.max(0, ...removed), plan).toBeLessThan(ROWS / 10);
  });
});

const planningOf = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
