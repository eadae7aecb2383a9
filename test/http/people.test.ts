import { describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { databases } from '../databases.js';
import { STRANGER, type Caller, type Office, type Reply } from './office.js';
import { officesOn } from './offices.js';

const PASSWORD = 'a password of some length';

const anInstant: unknown = expect.stringMatching(/^\d{4}-.*Z$/);

const idOf = (workspaceId: number): string => formatId('workspace', workspaceId);
const itemsOf = ({ data }: Reply) => data['items'] as Readonly<Record<string, unknown>>[];

async function add(office: Office, by: Caller, body: object): Promise<string> {
  const reply = await office.call(by, 'POST', '/api/users', body);
  expect(reply.status).toBe(200);
  return String(reply.data['id']);
}

const canLogIn = async (office: Office, email: string, password: string): Promise<boolean> =>
  (await office.call(STRANGER, 'POST', '/api/auth/login', { email, password })).status === 200;

describe.each(databases)('workspaces on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'are made by an administrator of the first one, each name once',
    onOffice(async (office) => {
      const made = await office.call(office.admin, 'POST', '/api/workspaces', { name: 'Shop' });
      expect(made).toMatchObject({ status: 200, data: { id: expect.stringMatching(/^wsp_/), name: 'Shop' } });
      const again = await office.call(office.admin, 'POST', '/api/workspaces', { name: 'Shop' });
      expect(again).toMatchObject({ status: 409, error: { code: 'conflict' } });
      const shop = await office.key(['admin'], await office.workspace('Shop'));
      const refused = await office.call(shop, 'POST', '/api/workspaces', { name: 'Mine' });
      expect(refused).toMatchObject({ status: 403, error: { code: 'forbidden' } });
    }),
  );

  test(
    'are shown to an administrator of the first one all, to others only theirs, page by page',
    onOffice(async (office) => {
      for (const name of ['one', 'two', 'three']) await office.workspace(name);
      const names = async (caller: Caller, query = '') =>
        itemsOf(await office.call(caller, 'GET', `/api/workspaces${query}`)).map(({ name }) => name);
      expect(await names(office.admin)).toEqual(['default', 'one', 'two', 'three']);
      const first = await office.call(office.admin, 'GET', '/api/workspaces?limit=3');
      expect(await names(office.admin, `?cursor=${String(first.data['nextCursor'])}`)).toEqual(['three']);
      const two = await office.workspace('two');
      expect(await names(await office.key(['read'], two))).toEqual(['two']);
      expect(await names(await office.person('viewer', two))).toEqual(['two']);
    }),
  );

  test(
    'are called by one line of visible characters, not too long',
    onOffice(async (office) => {
      for (const name of ['', ' blank', 'line\nbreak', 'x'.repeat(101), 'in\u200bvisible']) {
        const reply = await office.call(office.admin, 'POST', '/api/workspaces', { name });
        expect(reply).toMatchObject({ status: 400, error: { details: { field: 'name' } } });
      }
    }),
  );
});

describe.each(databases)('people on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'are added with a password, or with an invitation that is told once',
    onOffice(async (office) => {
      const given = { email: 'Ada@Example.org', role: 'viewer', password: PASSWORD };
      const first = await office.call(office.admin, 'POST', '/api/users', given);
      expect(first.data).toMatchObject({
        email: 'ada@example.org',
        role: 'viewer',
        workspaceId: idOf(office.box.home.id),
      });
      expect(first.data).toMatchObject({ status: 'active', invitation: null });
      expect(await canLogIn(office, 'ada@example.org', PASSWORD)).toBe(true);
      const bob = { email: 'bob@example.org', role: 'operator' };
      const { data } = await office.call(office.admin, 'POST', '/api/users', bob);
      const { url } = data['invitation'] as { url: string };
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:8025\/invitation#[\w-]{43}$/);
      const list = await office.call(office.admin, 'GET', '/api/users');
      expect(itemsOf(list)[0]).toMatchObject({ status: 'invited', invitation: { expiresAt: anInstant } });
      expect(itemsOf(list).map(({ email }) => email)).toEqual(['bob@example.org', 'ada@example.org']);
      expect(list.text).not.toMatch(/scrypt|password|#/);
      expect((await office.call(office.admin, 'POST', '/api/users', given)).status).toBe(409);
    }),
  );

  test(
    'are not added with a short password, a wrong address, an unknown role or an unknown field',
    onOffice(async (office) => {
      const wrong = { password: 'x'.repeat(11), email: 'nobody', role: 'owner', admin: true };
      for (const [field, value] of Object.entries(wrong)) {
        const right = { email: 'ada@example.org', role: 'viewer', password: PASSWORD };
        const reply = await office.call(office.admin, 'POST', '/api/users', { ...right, [field]: value });
        expect(reply).toMatchObject({ status: 400, error: { details: { field } } });
      }
      expect(itemsOf(await office.call(office.admin, 'GET', '/api/users'))).toEqual([]);
    }),
  );

  test(
    'keep one admin: the last can neither be removed nor demoted, not even by two at once',
    onOffice(async (office) => {
      const { admin } = office;
      const ada = await add(office, admin, { email: 'ada@example.org', role: 'admin', password: PASSWORD });
      for (const [method, body] of [['DELETE'], ['PATCH', { role: 'viewer' }]] as const) {
        const reply = await office.call(admin, method, `/api/users/${ada}`, body);
        expect(reply).toMatchObject({ status: 409, error: { code: 'conflict' } });
      }
      const bob = await add(office, admin, { email: 'bob@example.org', role: 'admin', password: PASSWORD });
      const replies = await Promise.all([
        office.call(admin, 'PATCH', `/api/users/${ada}`, { role: 'operator' }),
        office.call(admin, 'DELETE', `/api/users/${bob}`),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
      const roles = itemsOf(await office.call(admin, 'GET', '/api/users')).map(({ role }) => role);
      expect(roles).toContain('admin');
    }),
  );

  test(
    'of a workspace are changed by its own administrators, and by those of the first',
    onOffice(async (office) => {
      const [shop, school] = [await office.workspace('shop'), await office.workspace('school')];
      const shopAdmin = await office.key(['admin'], shop);
      const schoolAdmin = await office.key(['admin'], school);
      const body = { email: 'ada@example.org', role: 'viewer', password: PASSWORD };
      const elsewhere = await office.call(schoolAdmin, 'POST', '/api/users', {
        ...body,
        workspaceId: idOf(shop),
      });
      expect(elsewhere.status).toBe(404);
      const ada = await add(office, office.admin, { ...body, workspaceId: idOf(shop) });
      expect(itemsOf(await office.call(shopAdmin, 'GET', '/api/users'))).toMatchObject([{ id: ada }]);
      const url = `/api/users/${ada}`;
      for (const [method, change] of [['GET'], ['PATCH', { role: 'admin' }], ['DELETE']] as const) {
        expect((await office.call(schoolAdmin, method, url, change)).status).toBe(404);
        expect((await office.call(office.admin, method, url, change)).status).toBe(404);
      }
      const change = { role: 'operator', workspaceId: idOf(shop) };
      expect((await office.call(office.admin, 'PATCH', url, change)).data).toMatchObject({
        role: 'operator',
      });
      const query = `?workspaceId=${idOf(shop)}`;
      expect((await office.call(schoolAdmin, 'GET', `/api/users${query}`)).status).toBe(404);
      expect((await office.call(office.admin, 'DELETE', `${url}${query}`)).status).toBe(200);
      expect(await canLogIn(office, 'ada@example.org', PASSWORD)).toBe(false);
    }),
  );

  test(
    'of other workspaces can be invited, but not taken over',
    onOffice(async (office) => {
      const boss = { email: 'boss@example.org', role: 'admin', password: PASSWORD };
      const id = await add(office, office.admin, boss);
      const evil = await office.key(['admin'], await office.workspace('evil'));
      const mine = 'a password that I know';
      const invited = await office.call(evil, 'POST', '/api/users', { ...boss, password: mine });
      expect(invited).toMatchObject({ status: 200, data: { id, knownBefore: true } });
      const changed = await office.call(evil, 'PATCH', `/api/users/${id}`, { password: mine });
      expect(changed).toMatchObject({ status: 403, error: { code: 'forbidden' } });
      expect(await canLogIn(office, boss.email, mine)).toBe(false);
      expect(await canLogIn(office, boss.email, PASSWORD)).toBe(true);
      expect((await office.call(evil, 'POST', `/api/users/${id}/invitation`)).status).toBe(403);
    }),
  );

  test(
    'change their own password only where the present one is asked for, admins too',
    onOffice(async (office) => {
      const boss = { email: 'boss@example.org', role: 'admin', password: PASSWORD };
      const id = await add(office, office.admin, boss);
      const own = await office.logIn(boss.email, PASSWORD);
      const next = 'the next password of mine';
      for (const [method, url, body] of [
        ['PATCH', `/api/users/${id}`, { password: next }],
        ['POST', `/api/users/${id}/invitation`, undefined],
      ] as const) {
        const refused = await office.call(own, method, url, body);
        expect(refused).toMatchObject({
          status: 403,
          error: { code: 'forbidden', message: expect.stringContaining('POST /api/auth/password') },
        });
      }
      const change = { current: PASSWORD, password: next };
      expect((await office.call(own, 'POST', '/api/auth/password', change)).status).toBe(200);
      expect(await canLogIn(office, boss.email, next)).toBe(true);
      // Nothing comes of adding oneself somewhere either.
      const shop = { email: boss.email, role: 'viewer', workspaceId: idOf(await office.workspace('shop')) };
      const added = await office.call(own, 'POST', '/api/users', shop);
      expect(added).toMatchObject({ status: 200, data: { invitation: null, knownBefore: true } });
      expect((await office.call(own, 'GET', '/api/auth/me')).status).toBe(200);
    }),
  );
});

describe.each(databases)('keys on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'are shown once, kept as a hash, listed without themselves, and revoked once [T6]',
    onOffice(async (office) => {
      const body = { name: 'Billing', scopes: ['send', 'read'] };
      const { data } = await office.call(office.admin, 'POST', '/api/keys', body);
      expect(data).toMatchObject({ id: expect.stringMatching(/^key_/), ...body });
      const key = String(data['key']);
      expect(key).toMatch(/^pbx_[\w-]{43}$/);
      const list = await office.call(office.admin, 'GET', '/api/keys');
      expect(itemsOf(list)[0]).toMatchObject({ ...body, lastUsedAt: null, hint: `${key.slice(0, 8)}…` });
      expect(list.text).not.toContain(key);
      const caller = { headers: { authorization: `Bearer ${key}` } };
      expect((await office.call(caller, 'GET', '/api/messages')).status).toBe(200);
      expect((await office.call(caller, 'GET', '/api/keys')).status).toBe(403);
      const used = await office.call(office.admin, 'GET', `/api/keys/${String(data['id'])}`);
      expect(used.data['lastUsedAt']).toEqual(expect.stringMatching(/Z$/));
      const url = `/api/keys/${String(data['id'])}`;
      expect((await office.call(office.admin, 'DELETE', url)).status).toBe(200);
      expect((await office.call(office.admin, 'DELETE', url)).status).toBe(404);
      expect(itemsOf(await office.call(office.admin, 'GET', '/api/keys'))).toHaveLength(1);
    }),
  );

  test(
    'end at the instant that they were given, which is in the future and stays to be seen',
    onOffice(async (office) => {
      const { store } = office.box;
      const start = Date.parse('2031-03-03T09:00:00Z');
      await store.setClock(start);
      const body = { name: 'Till', scopes: ['read'] };
      for (const expiresAt of ['tomorrow', '2031-02-31T09:00:00Z', '2031-03-03T08:59:59Z', '', 4]) {
        const reply = await office.call(office.admin, 'POST', '/api/keys', { ...body, expiresAt });
        expect(reply).toMatchObject({ status: 400, error: { details: { field: 'expiresAt' } } });
      }
      const expiresAt = '2031-03-05T09:00:00.000Z';
      const { data } = await office.call(office.admin, 'POST', '/api/keys', { ...body, expiresAt });
      expect(data['expiresAt']).toBe(expiresAt);
      const till = { headers: { authorization: `Bearer ${String(data['key'])}` } };
      const status = async () => (await office.call(till, 'GET', '/api/messages')).status;
      await store.setClock(Date.parse(expiresAt) - 60_000);
      expect(await status()).toBe(200);
      await store.setClock(Date.parse(expiresAt));
      expect(await status()).toBe(401);
      const list = itemsOf(await office.call(office.admin, 'GET', '/api/keys'));
      expect(list).toMatchObject([
        { name: 'Till', expiresAt },
        { name: 'admin', expiresAt: null },
      ]);
      const never = { ...body, name: 'Never', expiresAt: null };
      expect((await office.call(office.admin, 'POST', '/api/keys', never)).data['expiresAt']).toBeNull();
    }),
  );

  test(
    'of another workspace are made by an administrator of the first, and by nobody else',
    onOffice(async (office) => {
      const shop = await office.workspace('shop');
      const body = { name: 'Till', scopes: ['admin'], workspaceId: idOf(shop) };
      const made = await office.call(office.admin, 'POST', '/api/keys', body);
      const till = { headers: { authorization: `Bearer ${String(made.data['key'])}` } };
      expect((await office.call(till, 'GET', '/api/auth/me')).data['workspaceId']).toBe(idOf(shop));
      const home = { ...body, workspaceId: idOf(office.box.home.id) };
      expect((await office.call(till, 'POST', '/api/keys', home)).status).toBe(404);
      expect((await office.call(till, 'POST', '/api/keys', body)).status).toBe(200);
      const missing = { ...body, workspaceId: idOf(999) };
      expect((await office.call(office.admin, 'POST', '/api/keys', missing)).status).toBe(404);
    }),
  );

  test(
    'are not made without a scope, with an unknown one, with one twice, or with a line break in their name',
    onOffice(async (office) => {
      const wrong = [{ scopes: [] }, { scopes: ['root'] }, { scopes: ['send', 'send'] }, { name: 'a\nb' }];
      for (const over of wrong) {
        const body = { name: 'Billing', scopes: ['send'], ...over };
        const { status, error } = await office.call(office.admin, 'POST', '/api/keys', body);
        expect([status, error.details?.field.split('.')[0]]).toEqual([400, Object.keys(over)[0]]);
      }
    }),
  );
});
