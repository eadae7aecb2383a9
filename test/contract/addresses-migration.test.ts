import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silent } from '#pillarbox/log/log';
import { Messages } from '#pillarbox/messages/messages';
import { postgresDefinitions, sqliteDefinitions } from '#pillarbox/store/migrations/dialect';
import { MIGRATIONS } from '#pillarbox/store/migrations/index';
import { openStore } from '#pillarbox/store/open';
import { PostgresStore } from '#pillarbox/store/postgres/store';
import { readStanding } from '#pillarbox/store/scripts/standing';
import { SqliteStore } from '#pillarbox/store/sqlite/store';
import type { Store } from '#pillarbox/store/store';
import { Suppressions } from '#pillarbox/suppressions/suppressions';
import { databases, type FreshDatabase } from '../databases.js';
import { anAccount, asking, LEASE_MS, rows, take, type Fixture } from './fixture.js';

/** The last version that knew nothing of canonical addresses. */
const BEFORE = 11;

describe.each(databases)('addresses from before, on $name', ({ name, fresh }) => {
  let database: FreshDatabase;
  let fixture: Fixture;

  /** A database as the version before left it, with these statements done to it. */
  async function asBefore(url: string): Promise<void> {
    const isPostgres = name === 'PostgreSQL';
    const store: Store = isPostgres
      ? await PostgresStore.open({ url, schema: 'pillarbox', leaseMs: LEASE_MS, log: silent })
      : new SqliteStore({ path: url.slice('sqlite:'.length), leaseMs: LEASE_MS, log: silent });
    const dialect = isPostgres ? postgresDefinitions('pillarbox') : sqliteDefinitions;
    const { at } = dialect;
    // Its account is made by the script of today, which reads one column more.
    const old = MIGRATIONS.filter(({ version, name: called }) => version <= BEFORE || called === 'dkim');
    const statements = [
      ...(isPostgres ? ['create schema pillarbox'] : []),
      `create table ${at('migrations')} (version ${dialect.integer} primary key, name text not null, applied_at ${dialect.bigint} not null)`,
      ...old.flatMap((migration) => migration.statements(dialect)),
      ...old.map(
        ({ version, name: called }) =>
          `insert into ${at('migrations')} values (${String(version)}, '${called}', 1)`,
      ),
    ];
    await store.transaction(
      (function* () {
        for (const sql of statements) yield { sql, parameters: [] };
        const { workspaceId, channelId } = yield* anAccount(store, 'default');
        const suppressed = (address: string, reason: string, at_: number) => ({
          sql: `insert into ${at('suppressions')} (workspace_id, address, reason, created_at)
            values (${String(workspaceId)}, '${address}', '${reason}', ${String(at_)})`,
          parameters: [],
        });
        yield suppressed('BOB@example.org', 'hard_bounce', 3);
        yield suppressed('Bob@example.org', 'manual', 2);
        yield suppressed('carl@example.org', 'manual', 4);
        yield suppressed('Carl@example.org', 'hard_bounce', 1);
        yield suppressed('dora@example.org', 'unsubscribe', 5);
        yield {
          sql: `insert into ${at('messages')} (workspace_id, channel_id, lane, action, recipient, sender, scheduled_for,
              retry_policy, doubt_policy, transactional, created_at)
            values (${String(workspaceId)}, ${String(channelId)}, 'outbox', 'email', 'boB@example.org', 'box@example.org', 1,
              'outbox', 'hold', 0, 1)`,
          parameters: [],
        };
        yield {
          sql: `insert into ${at('due')} (message_id, workspace_id, channel_id, due_at)
            values (1, ${String(workspaceId)}, ${String(channelId)}, 1)`,
          parameters: [],
        };
        yield {
          sql: `insert into ${at('contents')} (message_id, bytes, mail) values (1, 2, '{}')`,
          parameters: [],
        };
      })(),
    );
    await store.close();
  }

  beforeEach(async () => {
    database = await fresh();
    await asBefore(database.url);
    const store = await openStore({ databaseUrl: database.url, leaseMs: LEASE_MS, log: silent });
    fixture = { store, ...(await store.transaction(anAccount(store, 'default'))) };
  });

  afterEach(async () => {
    await fixture.store.close();
    await database.drop();
  });

  test('suppressions become canonical, one a person; the one that stood so already, else the first, stays', async () => {
    const { items } = await new Suppressions(fixture.store, fixture.workspaceId).list();
    const nothing = { lanes: null, messageId: null, note: null, actor: null, source: null };
    expect(items).toEqual([
      { address: 'bob@example.org', reason: 'manual', createdAt: 2, ...nothing },
      { address: 'carl@example.org', reason: 'manual', createdAt: 4, ...nothing },
      { address: 'dora@example.org', reason: 'unsubscribed', createdAt: 5, ...nothing },
    ]);
  });

  test('a message of then is not touched, but its recipient is known in every spelling', async () => {
    const { store, workspaceId } = fixture;
    const stored = await rows(fixture, `select recipient, recipient_given from ${store.at('messages')}`);
    expect(stored).toMatchObject([{ recipient: 'boB@example.org', recipient_given: null }]);
    const messages = new Messages(store, workspaceId);
    for (const options of [{ to: 'boB@example.org' }, { q: 'boB@' }]) {
      expect((await messages.list(options)).items).toMatchObject([{ to: { email: 'boB@example.org' } }]);
    }
    expect(await store.read(readStanding(store, workspaceId, 1, 1))).toMatchObject({ suppressed: true });
    const claim = await take(fixture);
    const [message] = claim.messages;
    const entry = { ...asking(claim, message!), recipient: 'bob@example.org' };
    expect(await store.gate([entry])).toEqual([{ passed: false, refusal: 'suppressed' }]);
  });
});
