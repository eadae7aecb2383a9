import { describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { ask } from '#pillarbox/store/script';
import { databases } from '../databases.js';
import { PASSWORD, STRANGER, tokenOf, type Caller, type Office, type Reply } from './office.js';
import { officesOn } from './offices.js';

const DAY_MS = 24 * 3_600_000;
const GIVEN = 'a password that somebody gave';
const ADA = { email: 'ada@example.org', role: 'viewer' };

const add = (office: Office, by: Caller, over: object = {}): Promise<Reply> =>
  office.call(by, 'POST', '/api/users', { ...ADA, ...over });
const inviteAgain = (office: Office, by: Caller, id: unknown): Promise<Reply> =>
  office.call(by, 'POST', `/api/users/${String(id)}/invitation`);
const bearer = (token: string): Caller => ({ headers: { authorization: `Bearer ${token}` } });
const look = (office: Office, token: string): Promise<Reply> =>
  office.call(bearer(token), 'GET', '/api/auth/invitation');
const acceptStatus = async (office: Office, token: string, password = PASSWORD): Promise<number> =>
  (await office.call(bearer(token), 'POST', '/api/auth/invitation', { password })).status;
const logInStatus = async (office: Office, password: string, email = ADA.email): Promise<number> =>
  (await office.call(STRANGER, 'POST', '/api/auth/login', { email, password })).status;
const meStatus = async (office: Office, caller: Caller): Promise<number> =>
  (await office.call(caller, 'GET', '/api/auth/me')).status;
const statusOf = async (office: Office, id: unknown, by = office.admin): Promise<unknown> =>
  (await office.call(by, 'GET', `/api/users/${String(id)}`)).data['status'];

/** Administrators of two workspaces that have nothing to do with each other. */
async function twoTenants(office: Office): Promise<{ client: Caller; other: Caller; otherId: string }> {
  const [one, two] = [await office.workspace('client'), await office.workspace('other')];
  const otherId = formatId('workspace', two);
  return { client: await office.key(['admin'], one), other: await office.key(['admin'], two), otherId };
}

describe.each(databases)('an invitation on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'lets one person in once, who chooses the password; it is kept as a hash and told nowhere again',
    onOffice(async (office) => {
      const added = await add(office, office.admin);
      const token = tokenOf(added);
      const { expiresAt } = added.data['invitation'] as { expiresAt: string };
      expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * DAY_MS)).toBeLessThan(3_600_000);
      expect(await logInStatus(office, PASSWORD)).toBe(401);
      expect((await look(office, token)).data).toEqual({ email: ADA.email, expiresAt });
      // A password that is too short uses nothing up.
      expect(await acceptStatus(office, token, 'short')).toBe(400);
      const ada = await office.accept(token);
      expect((await office.call(ada, 'GET', '/api/auth/me')).data).toMatchObject({ user: ADA });
      expect(await logInStatus(office, PASSWORD)).toBe(200);
      expect(await statusOf(office, added.data['id'])).toBe('active');
      expect(await look(office, token)).toMatchObject({ status: 401, error: { code: 'invitation_over' } });
      expect(await acceptStatus(office, token, 'one more password')).toBe(401);
      const { text, data } = await office.call(office.admin, 'GET', '/api/audit');
      expect(data['items']).toMatchObject([
        { action: 'auth.login' },
        { actor: ADA.email, action: 'auth.invitation' },
        { action: 'user.create' },
      ]);
      for (const secret of [token, PASSWORD]) expect(text).not.toContain(secret);
    }),
  );

  test(
    'two who accept it at once: one is in, and his password is the one that holds',
    onOffice(async (office) => {
      const token = tokenOf(await add(office, office.admin));
      const wanted = ['the first of two passwords', 'the second of two passwords'];
      const statuses = await Promise.all(wanted.map((password) => acceptStatus(office, token, password)));
      expect(statuses.toSorted()).toEqual([200, 401]);
      expect(await logInStatus(office, wanted[statuses.indexOf(200)]!)).toBe(200);
      const { store } = office.box;
      expect(await store.read(ask(store.db.selectFrom('invitations').selectAll()))).toEqual([]);
    }),
  );

  test(
    'is over when another is made, when a password is given, and when its person is gone',
    onOffice(async (office) => {
      const { data, ...added } = await add(office, office.admin);
      const id = String(data['id']);
      const first = tokenOf({ data, ...added });
      const second = tokenOf(await inviteAgain(office, office.admin, id));
      expect((await look(office, first)).status).toBe(401);
      expect((await look(office, second)).status).toBe(200);
      const { store } = office.box;
      const stored = await store.read(ask(store.db.selectFrom('invitations').selectAll()));
      expect(stored).toHaveLength(1);
      expect(JSON.stringify(stored)).not.toContain(second);
      await office.call(office.admin, 'PATCH', `/api/users/${id}`, { password: GIVEN });
      expect((await look(office, second)).status).toBe(401);
      const session = await office.logIn(ADA.email, GIVEN);
      const third = tokenOf(await inviteAgain(office, office.admin, id));
      // The way of before ends with the new one, whether or not it is used.
      expect(await meStatus(office, session)).toBe(401);
      expect(await logInStatus(office, GIVEN)).toBe(401);
      await office.call(office.admin, 'DELETE', `/api/users/${id}`);
      expect(await acceptStatus(office, third)).toBe(401);
    }),
  );

  test('runs out after seven days', async () => {
    let passed = 0;
    await onOffice(
      async (office) => {
        const { data, ...added } = await add(office, office.admin);
        const token = tokenOf({ data, ...added });
        passed = 7 * DAY_MS - 60_000;
        expect((await look(office, token)).status).toBe(200);
        passed = 7 * DAY_MS + 60_000;
        expect((await look(office, token)).status).toBe(401);
        expect(await acceptStatus(office, token)).toBe(401);
        const { store } = office.box;
        await store.transaction(ask(store.db.updateTable('invitations').set({ expires_at: 1 })));
        expect(await statusOf(office, data['id'])).toBe('locked_out');
      },
      { now: () => Date.now() + passed },
    )();
  });

  test(
    'that is wrong is counted, and a right one is not held up by it',
    onOffice(async (office) => {
      const token = tokenOf(await add(office, office.admin));
      expect((await office.call(STRANGER, 'GET', '/api/auth/invitation')).status).toBe(401);
      for (let wrong = 1; wrong <= 100; wrong += 1) {
        expect((await look(office, `wrong ${wrong}`)).status).toBe(401);
      }
      const refused = await look(office, 'wrong once more');
      expect(refused).toMatchObject({ status: 429, error: { code: 'too_many_attempts' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect((await look(office, token)).status).toBe(200);
    }),
  );

  test(
    'is not accepted by a page of another site',
    onOffice(async (office) => {
      const token = tokenOf(await add(office, office.admin));
      const headers = { ...bearer(token).headers, origin: 'https://evil.example' };
      const reply = await office.call({ headers }, 'POST', '/api/auth/invitation', { password: PASSWORD });
      expect(reply).toMatchObject({ status: 403, error: { code: 'cross_site' } });
      expect((await look(office, token)).status).toBe(200);
    }),
  );

  test(
    'goes with the right to administer of whoever made it and saw it',
    onOffice(async (office) => {
      const boss = await office.person('admin');
      const [clerk, guest] = ['clerk@example.org', 'guest@example.org'];
      const { data } = await add(office, boss, { email: clerk, role: 'admin', password: GIVEN });
      const byClerk = tokenOf(await add(office, await office.logIn(clerk, GIVEN), { email: guest }));
      const byBoss = tokenOf(await add(office, boss));
      await office.call(boss, 'PATCH', `/api/users/${String(data['id'])}`, { role: 'viewer' });
      expect((await look(office, byClerk)).status).toBe(401);
      expect((await look(office, byBoss)).status).toBe(200);
    }),
  );
});

describe.each(databases)('whom one workspace lets in, on $name', (database) => {
  const onOffice = officesOn(database);

  /** What an administrator of a client knows of an account that he made for somebody else’s address. */
  const WAYS: Readonly<Record<string, (office: Office, client: Caller) => Promise<() => Promise<number[]>>>> =
    {
      'the password that he gave': async (office, client) => {
        await add(office, client, { password: GIVEN });
        const session = await office.logIn(ADA.email, GIVEN);
        return async () => [await logInStatus(office, GIVEN), await meStatus(office, session)];
      },
      'the link that he kept': async (office, client) => {
        const token = tokenOf(await add(office, client));
        return async () => [await acceptStatus(office, token)];
      },
      'the password that he chose behind his own link': async (office, client) => {
        const session = await office.accept(tokenOf(await add(office, client)), GIVEN);
        return async () => [await logInStatus(office, GIVEN), await meStatus(office, session)];
      },
      'the password that he changed as if he were the owner': async (office, client) => {
        await add(office, client, { password: GIVEN });
        const session = await office.logIn(ADA.email, GIVEN);
        const change = { current: GIVEN, password: 'a password of his own' };
        await office.call(session, 'POST', '/api/auth/password', change);
        return async () => [
          await logInStatus(office, change.password),
          await meStatus(office, session),
          await logInStatus(office, GIVEN),
        ];
      },
    };

  test.each(Object.entries(WAYS))('is not in the installation with it: %s', async (_name, prepare) => {
    await onOffice(async (office) => {
      const { client } = await twoTenants(office);
      const tryAgain = await prepare(office, client);
      const joined = await add(office, office.admin, { role: 'admin' });
      expect(joined).toMatchObject({ status: 200, data: { knownBefore: false, status: 'invited' } });
      for (const status of await tryAgain()) expect(status).toBe(401);
      const ada = await office.accept(tokenOf(joined));
      expect((await office.call(ada, 'GET', '/api/auth/me')).data).toMatchObject({
        administersInstallation: true,
        workspaces: [{ role: 'admin' }, { name: 'client', role: 'viewer' }],
      });
      for (const status of await tryAgain()) expect(status).toBe(401);
      const id = String(joined.data['id']);
      for (const refused of [
        await inviteAgain(office, client, id),
        await office.call(client, 'PATCH', `/api/users/${id}`, { password: GIVEN }),
      ])
        expect(refused).toMatchObject({ status: 403, error: { code: 'forbidden' } });
      expect(await meStatus(office, ada)).toBe(200);
    })();
  });

  test(
    'is neither let in by another, nor locked out, nor taken over',
    onOffice(async (office) => {
      const { client, other } = await twoTenants(office);
      const mine = { email: 'admin@client.example', role: 'admin' };
      const owner = await office.accept(tokenOf(await add(office, client, mine)));
      for (const over of [{}, { password: GIVEN }]) {
        const refused = await add(office, other, { ...mine, ...over });
        expect(refused).toMatchObject({
          status: 409,
          error: { message: expect.stringContaining('ask an administrator of the installation') },
        });
      }
      expect((await office.call(other, 'GET', '/api/users')).data['items']).toEqual([]);
      expect(await meStatus(office, owner)).toBe(200);
      expect(await logInStatus(office, GIVEN, mine.email)).toBe(401);
    }),
  );

  test(
    'whom the installation vouches for joins as he is, and no workspace renews his way in',
    onOffice(async (office) => {
      const { client, other, otherId } = await twoTenants(office);
      const ada = await office.accept(tokenOf(await add(office, office.admin)));
      const byOther = await add(office, other, { password: GIVEN });
      expect(byOther).toMatchObject({ status: 200, data: { knownBefore: true, invitation: null } });
      expect((await inviteAgain(office, other, byOther.data['id'])).status).toBe(403);
      const clientId = String((await office.call(client, 'GET', '/api/auth/me')).data['workspaceId']);
      const byAdmin = await add(office, office.admin, { workspaceId: clientId });
      expect(byAdmin).toMatchObject({ status: 200, data: { knownBefore: true, invitation: null } });
      expect(await meStatus(office, ada)).toBe(200);
      expect(await logInStatus(office, GIVEN)).toBe(401);
      const elsewhere = `/api/users/${String(byOther.data['id'])}?workspaceId=${otherId}`;
      expect((await office.call(office.admin, 'DELETE', elsewhere)).status).toBe(200);
      expect(await meStatus(office, ada)).toBe(200);
    }),
  );

  test(
    'a password that an administrator of the installation gave ends with the second workspace too',
    onOffice(async (office) => {
      const { otherId } = await twoTenants(office);
      await add(office, office.admin, { password: GIVEN });
      expect(await logInStatus(office, GIVEN)).toBe(200);
      const joined = await add(office, office.admin, { workspaceId: otherId });
      expect(await logInStatus(office, GIVEN)).toBe(401);
      expect((await look(office, tokenOf(joined))).data).toMatchObject({ email: ADA.email });
    }),
  );

  test(
    'is let in anew by its administrator until he has a password of his own, then by the installation’s',
    onOffice(async (office) => {
      const { client } = await twoTenants(office);
      const { data } = await add(office, client, { password: GIVEN });
      const again = await inviteAgain(office, client, data['id']);
      expect(again).toMatchObject({ status: 200, data: { status: 'invited', email: ADA.email } });
      const ada = await office.accept(tokenOf(again));
      const refused = await inviteAgain(office, client, data['id']);
      expect(refused).toMatchObject({
        status: 403,
        error: { message: expect.stringContaining('a password of his own') },
      });
      expect(await meStatus(office, ada)).toBe(200);
      const where = String((await office.call(client, 'GET', '/api/auth/me')).data['workspaceId']);
      const url = `/api/users/${String(data['id'])}/invitation?workspaceId=${where}`;
      const renewed = await office.call(office.admin, 'POST', url);
      expect(tokenOf(renewed)).toMatch(/^[\w-]{43}$/);
      expect(await meStatus(office, ada)).toBe(401);
      expect((await office.call(client, 'DELETE', `/api/users/${String(data['id'])}`)).status).toBe(200);
      expect((await add(office, client)).data['invitation']).not.toBeNull();
    }),
  );

  test(
    'two administrators who add the same stranger at once: one adds him, and only one way leads in',
    onOffice(async (office) => {
      const { client, other } = await twoTenants(office);
      const replies = await Promise.all([add(office, client), add(office, other)]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      const [won] = replies.filter(({ status }) => status === 200);
      const ada = await office.accept(tokenOf(won!));
      const me = await office.call(ada, 'GET', '/api/auth/me');
      expect(me.data['workspaces']).toHaveLength(1);
    }),
  );
});
