import { describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import { actionOf, isAudited } from '#pillarbox/http/audit-trail';
import { routes } from '#pillarbox/http/routes/index';
import { ask } from '#pillarbox/store/script';
import { databases } from '../databases.js';
import { tokenOf, type Caller, type Office } from './office.js';
import { officesOn } from './offices.js';

interface Entry {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly target: string | null;
  readonly details: { readonly body?: object; readonly was?: object; readonly changed?: object } | null;
}

/** Somebody, by a keyed hash of the address. */
const PERSON = expect.stringMatching(/^person:[\w-]{22}$/) as string;
const TEXT = expect.stringMatching(/^text:[\w-]{22}$/) as string;
const CANARY = 'canary-password-7f3a';

const entries = async (office: Office, caller: Caller = office.admin, query = ''): Promise<Entry[]> =>
  (await office.call(caller, 'GET', `/api/audit${query}`)).data['items'] as Entry[];

test.each([
  ['PATCH', '/api/accounts/:id', 'account.update'],
  ['POST', '/api/accounts', 'account.create'],
  ['DELETE', '/api/accounts/:id', 'account.delete'],
  ['POST', '/api/accounts/:id/verify', 'account.verify'],
  ['PUT', '/api/settings/sending', 'setting.sending.update'],
  ['POST', '/api/messages/:id/retry', 'message.retry'],
  ['POST', '/api/messages/:id/dismiss', 'message.dismiss'],
  ['POST', '/api/messages/dead-groups/:fingerprint/retry', 'message.dead-group.retry'],
  ['DELETE', '/api/admin/outbox/:id', 'outbox.delete'],
  ['POST', '/api/campaigns/:id/prospects', 'campaign.prospect.create'],
] as const)('%s %s is called %s', (method, url, name) => {
  expect(actionOf({ method, url })).toBe(name);
});

test('every write that needs operate or admin is written down, under a name of its own [T25]', () => {
  const audited = routes.filter(isAudited);
  const writes = routes.filter(
    ({ method, rule }) => method !== 'GET' && (rule === 'operate' || rule === 'admin'),
  );
  expect(audited).toEqual(expect.arrayContaining(writes));
  const names = audited.map(actionOf);
  for (const name of names) expect(name).toMatch(/^[a-z-]+(?:\.[a-z-]+)+$/);
  expect(new Set(names).size).toBe(names.length);
});

describe.each(databases)('the audit log on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'tells of one thing alone, if asked for it',
    onOffice(async (office) => {
      const made = await Promise.all(
        ['ada', 'bob'].map((name) =>
          office.call(office.admin, 'POST', '/api/users', { email: `${name}@example.org`, role: 'viewer' }),
        ),
      );
      const [ada, bob] = made.map(({ data }) => String(data['id']));
      await office.call(office.admin, 'PATCH', `/api/users/${ada!}`, { role: 'operator' });
      const of = async (id: string) =>
        (await entries(office, office.admin, `?target=${id}`)).map(({ action }) => action);
      expect(await of(ada!)).toEqual(['user.update', 'user.create']);
      expect(await of(bob!)).toEqual(['user.create']);
      expect(await of('usr_nobody')).toEqual([]);
    }),
  );

  test(
    'tells who did what to what, newest first, with what changed',
    onOffice(async (office) => {
      const person = { email: 'ada@example.org', role: 'viewer', password: CANARY };
      const made = await office.call(office.admin, 'POST', '/api/users', person);
      const id = String(made.data['id']);
      await office.call(office.admin, 'PATCH', `/api/users/${id}`, {
        role: 'operator',
        password: `${CANARY}2`,
      });
      await office.call(office.admin, 'DELETE', `/api/users/${id}`);
      expect(await entries(office)).toMatchObject([
        {
          actor: 'key admin',
          action: 'user.delete',
          target: id,
          details: { was: { email: PERSON, role: 'operator' } },
        },
        {
          actor: 'key admin',
          action: 'user.update',
          target: id,
          details: {
            body: { role: 'operator', password: '[redacted]' },
            changed: { role: { from: 'viewer', to: 'operator' } },
          },
        },
        {
          id: expect.stringMatching(/^aud_/),
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          actor: 'key admin',
          action: 'user.create',
          target: id,
          details: { body: { email: PERSON, role: 'viewer', password: '[redacted]' } },
        },
      ]);
    }),
  );

  test(
    'holds no secret: not what was sent, and not what was made',
    onOffice(
      async (office) => {
        const { data } = await office.call(office.admin, 'POST', '/api/keys', {
          name: 'x',
          scopes: ['read'],
        });
        const bob = { email: 'bob@example.org', role: 'admin' };
        const made = tokenOf(await office.call(office.admin, 'POST', '/api/users', bob));
        const person = await office.accept(made, CANARY);
        await office.call(person, 'POST', '/api/users', {
          ...bob,
          email: 'cy@example.org',
          password: CANARY,
        });
        const transport = { kind: 'smtp', url: `smtp://mail:${CANARY}@127.0.0.1:587` };
        const account = { name: 'Mail', type: 'email', emailAddress: 'mail@example.org', transport };
        const opened = await office.call(person, 'POST', '/api/accounts', account);
        const url = `/api/accounts/${String(opened.data['id'])}`;
        const next = { ...transport, url: `smtp://mail:${CANARY}2@127.0.0.2:587` };
        expect((await office.call(person, 'PATCH', url, { transport: next })).status).toBe(200);
        const { store } = office.box;
        const kept = JSON.stringify(await store.read(ask(store.db.selectFrom('audit').selectAll())));
        const { cookie, 'x-csrf-token': token } = person.headers;
        for (const secret of [CANARY, data['key'], made, cookie!.split('=')[1], token]) {
          expect(kept).not.toContain(secret);
        }
        for (const told of ['smtp://127.0.0.1:587', 'smtp://127.0.0.2:587']) expect(kept).toContain(told);
      },
      { secret: 'a secret of some length, for tests', allowPrivateHosts: true },
    ),
  );

  test(
    'knows log-ins and log-outs, and people by their address',
    onOffice(async (office) => {
      const caller = await office.person('operator');
      await office.call(caller, 'POST', '/api/auth/logout');
      const actor = `operator@workspace-${String(office.box.home.id)}.example`;
      expect(await entries(office)).toMatchObject([
        { actor, action: 'auth.logout', details: null },
        { actor, action: 'auth.login', details: { body: { email: PERSON, password: '[redacted]' } } },
      ]);
    }),
  );

  test(
    'keeps no address and no words of anybody, but lets equal ones be known',
    onOffice(
      async (office) => {
        const made = await office.call(office.admin, 'POST', '/api/accounts', {
          name: 'Desk of ada@example.org',
          emailAddress: 'ada@example.org',
          displayName: 'Ada Lovelace',
          transport: { kind: 'smtp', url: 'smtp://127.0.0.1:587' },
        });
        const url = `/api/accounts/${String(made.data['id'])}`;
        const pause = { status: 'paused', pauseReason: 'Ada is on leave' };
        await office.call(office.admin, 'PATCH', url, pause);
        await office.call(office.admin, 'POST', '/api/users', { email: 'ADA@example.org', role: 'viewer' });
        await office.call(office.admin, 'PUT', '/api/settings/workspace', {
          postalAddress: 'Ada, Main St 1',
        });
        const filter = { to: 'ada@example.org', q: 'words of Ada' };
        await office.call(office.admin, 'POST', '/api/messages/bulk', { action: 'cancel', filter });
        const all = await entries(office);
        expect(JSON.stringify(all)).not.toMatch(/ada|lovelace|leave|main st/i);
        const bodies = all.map(({ details }) => details?.body as Record<string, unknown>);
        const [bulk, settings, user, paused, account] = bodies;
        expect(bulk).toMatchObject({ action: 'cancel', filter: { to: PERSON, q: TEXT } });
        expect(settings).toEqual({ postalAddress: TEXT });
        expect(user).toMatchObject({ email: account!['emailAddress'], role: 'viewer' });
        expect(paused).toEqual({ status: 'paused', pauseReason: TEXT });
        expect(account).toMatchObject({
          name: `Desk of ${String(account!['emailAddress'])}`,
          emailAddress: PERSON,
          displayName: TEXT,
          transport: { kind: 'smtp', url: 'smtp://127.0.0.1:587' },
        });
      },
      { allowPrivateHosts: true },
    ),
  );

  test(
    'keeps nothing of what a route takes and ignores',
    onOffice(
      async (office) => {
        const account = { name: 'Files', transport: { kind: 'file', directory: '/tmp' } };
        const { data } = await office.call(office.admin, 'POST', '/api/accounts', account);
        const junk = 'x://'.repeat(250);
        const url = `/api/accounts/${String(data['id'])}`;
        const patch = { status: 'paused', createdAt: junk, cooldownReason: junk };
        expect((await office.call(office.admin, 'PATCH', url, patch)).status).toBe(200);
        const [entry] = await entries(office);
        expect(entry!.details!.body).toEqual({ status: 'paused' });
        expect(JSON.stringify(entry)).not.toContain('x://');
      },
      { allowPrivateHosts: true },
    ),
  );

  test(
    'knows nothing of what was refused or only looked at',
    onOffice(async (office) => {
      const viewer = await office.key(['read']);
      await office.call(viewer, 'POST', '/api/keys', { name: 'x', scopes: ['read'] });
      await office.call(office.admin, 'POST', '/api/keys', { name: 'x', scopes: [] });
      await office.call(office.admin, 'DELETE', '/api/keys/key_zzz');
      await office.call(office.admin, 'POST', '/api/auth/login', { email: 'x@example.org', password: 'x' });
      await office.call(office.admin, 'GET', '/api/users');
      expect(await entries(office)).toEqual([]);
    }),
  );

  test(
    'stands in each workspace that a change concerns, and in no other',
    onOffice(async (office) => {
      const [shop, school] = [await office.workspace('shop'), await office.workspace('school')];
      const body = { name: 'Till', scopes: ['read'], workspaceId: formatId('workspace', shop) };
      await office.call(office.admin, 'POST', '/api/keys', body);
      const person = { email: 'ada@example.org', role: 'viewer', workspaceId: body.workspaceId };
      const { data } = await office.call(office.admin, 'POST', '/api/users', person);
      const change = { role: 'admin', workspaceId: body.workspaceId };
      await office.call(office.admin, 'PATCH', `/api/users/${String(data['id'])}`, change);
      for (const caller of [office.admin, await office.key(['admin'], shop)]) {
        expect(await entries(office, caller)).toMatchObject([
          { action: 'user.update', details: { changed: { role: { from: 'viewer', to: 'admin' } } } },
          { action: 'user.create' },
          { action: 'key.create' },
        ]);
      }
      expect(await entries(office, await office.key(['admin'], school))).toEqual([]);
    }),
  );

  test(
    'is read page by page',
    onOffice(async (office) => {
      for (let number = 1; number <= 5; number += 1) {
        await office.call(office.admin, 'POST', '/api/workspaces', { name: `number ${number}` });
      }
      const all = await entries(office);
      expect(all).toHaveLength(5);
      const { data } = await office.call(office.admin, 'GET', '/api/audit?limit=2');
      expect(data['items']).toEqual(all.slice(0, 2));
      const rest = await entries(office, office.admin, `?cursor=${String(data['nextCursor'])}`);
      expect(rest).toEqual(all.slice(2));
    }),
  );

  test(
    'can only be added to: the database itself refuses to change or remove a row',
    onOffice(async (office) => {
      await office.call(office.admin, 'POST', '/api/workspaces', { name: 'Shop' });
      const { store } = office.box;
      const before = await entries(office);
      const tampering = [
        store.db.updateTable('audit').set({ actor: 'somebody else' }),
        store.db.deleteFrom('audit'),
      ];
      for (const query of tampering) {
        const tamper = store.transaction(ask<unknown>(query));
        await expect(tamper).rejects.toThrow(/append-only/);
      }
      expect(await entries(office)).toEqual(before);
    }),
  );
});
