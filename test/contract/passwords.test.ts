import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prepareAccess } from '#pillarbox/access/first-run';
import { Passwords } from '#pillarbox/access/password';
import { createPillarbox, type Pillarbox } from '#pillarbox/library/pillarbox';
import { invitations } from '#pillarbox/store/migrations/0011-invitations';
import { postgresDefinitions, sqliteDefinitions } from '#pillarbox/store/migrations/dialect';
import { ask, askCompiled, type Script } from '#pillarbox/store/script';
import { ensureWorkspace } from '#pillarbox/store/scripts/accounts';
import {
  addMember,
  changePassword,
  findUserByEmail,
  joinWorkspace,
  setPassword,
} from '#pillarbox/store/scripts/users';
import type { Store } from '#pillarbox/store/store';
import { databases, type FreshDatabase } from '../databases.js';

const CHEAP = new Passwords({ N: 2, r: 8, p: 1 });
const ADMIN = 'first@example.org';
const NOTHING_GIVEN = { apiKey: undefined, adminEmail: ADMIN, adminPassword: undefined };

/** What is known of a password, as the database keeps it. */
describe.each(databases)('passwords and who knows them on $name', ({ ready }) => {
  let database: FreshDatabase;
  let box: Pillarbox;
  let store: Store;

  beforeEach(async () => {
    database = await ready();
    box = await createPillarbox({ databaseUrl: database.url });
    ({ store } = box);
  });
  afterEach(async () => {
    await box.stop();
    await database.drop();
  });

  const known = async (email: string) => (await store.read(findUserByEmail(store, email)))!;

  async function somebody(email: string, ...workspaceIds: readonly number[]): Promise<number> {
    const password = await CHEAP.hash('whatever');
    for (const workspaceId of workspaceIds) {
      const person = { email, password, role: 'admin' } as const;
      await store.transaction(addMember(store, workspaceId, person, 1));
    }
    return (await known(email)).id;
  }

  test('a change by oneself makes it one’s own, and does not change who vouches for it', async () => {
    const id = await somebody('ada@example.org', box.home.id);
    for (const vouched of [true, false]) {
      await store.transaction(setPassword(store, id, 'given', { own: false, vouched }));
      await store.transaction(changePassword(store, id, 'chosen'));
      expect(await known('ada@example.org')).toMatchObject({
        password: 'chosen',
        ownPassword: 'chosen',
        vouchedPassword: vouched ? 'chosen' : null,
      });
    }
  });

  test('nobody vouches for what a program of the version before has set', async () => {
    const id = await somebody('ada@example.org', box.home.id);
    await store.transaction(setPassword(store, id, 'mine', { own: true, vouched: true }));
    await store.transaction(ask(store.db.updateTable('users').set({ password: 'theirs' })));
    await store.transaction(changePassword(store, id, 'next'));
    expect((await known('ada@example.org')).vouchedPassword).toBeNull();
  });

  test('the first administrator’s is his own, also where a workspace knew him before', async () => {
    const client = await store.transaction(ensureWorkspace(store, 'client', 1));
    await somebody(ADMIN, client);
    const { adminPassword } = await prepareAccess(store, box.home.id, NOTHING_GIVEN);
    expect(adminPassword).toBeDefined();
    const admin = await known(ADMIN);
    expect(admin.password).toMatch(/^scrypt\$65536\$/);
    expect([admin.ownPassword, admin.vouchedPassword]).toEqual([admin.password, admin.password]);
  });

  test('of before: the first administrator keeps his, whoever is in several workspaces has none', async () => {
    const client = await store.transaction(ensureWorkspace(store, 'client', 1));
    await prepareAccess(store, box.home.id, NOTHING_GIVEN);
    await store.transaction(joinWorkspace(store, client, await known(ADMIN), 'viewer'));
    const names = { two: [box.home.id, client], home: [box.home.id], client: [client] };
    for (const [name, workspaceIds] of Object.entries(names)) {
      const id = await somebody(`${name}@example.org`, ...workspaceIds);
      const session = { hash: name, user_id: id, created_at: 1, seen_at: 1 };
      await store.transaction(ask(store.db.insertInto('sessions').values(session)));
    }
    const before = (await known(ADMIN)).password;
    await store.transaction(again(store));
    expect(await known(ADMIN)).toMatchObject({
      password: before,
      ownPassword: before,
      vouchedPassword: before,
    });
    expect(await known('two@example.org')).toMatchObject({ password: null });
    for (const name of ['home', 'client']) {
      expect(await known(`${name}@example.org`)).toMatchObject({
        password: expect.stringMatching(/^scrypt/),
        ownPassword: null,
        vouchedPassword: null,
      });
    }
    const sessions = await store.read(ask(store.db.selectFrom('sessions').select('hash').orderBy('hash')));
    expect(sessions.map(({ hash }) => hash)).toEqual(['client', 'home']);
  });
});

/** As if the database had been that of the version before. */
function* again({ dialect }: Store): Script<void> {
  const definitions = dialect === 'postgres' ? postgresDefinitions('pillarbox') : sqliteDefinitions;
  const { at } = definitions;
  for (const sql of [
    `drop table ${at('invitations')}`,
    `alter table ${at('users')} drop column own_password`,
    `alter table ${at('users')} drop column vouched_password`,
    `alter table ${at('api_keys')} drop column expires_at`,
    ...invitations(definitions),
  ])
    yield* askCompiled({ sql, parameters: [] });
}
