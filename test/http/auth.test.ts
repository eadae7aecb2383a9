import { createHook } from 'node:async_hooks';
import { describe, expect, test } from 'vitest';
import { formatId } from '#pillarbox/core/ids';
import type { Role } from '#pillarbox/core/access';
import { ask } from '#pillarbox/store/script';
import { addMember } from '#pillarbox/store/scripts/users';
import { databases } from '../databases.js';
import { PASSWORD, PASSWORD_HASH, PUBLIC_URL, STRANGER, type Office, type Reply } from './office.js';
import { officesOn } from './offices.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ADA = 'ada@example.org';

async function known(office: Office, email = ADA, role: Role = 'admin', workspaceId?: number): Promise<void> {
  const { store, home } = office.box;
  const person = { email, role, password: PASSWORD_HASH };
  await store.transaction(addMember(store, workspaceId ?? home.id, person, await store.now()));
}

/** Made by the service, so that the password costs what it costs there. */
const added = (office: Office): Promise<Reply> =>
  office.call(office.admin, 'POST', '/api/users', { email: ADA, role: 'admin', password: PASSWORD });

const tryLogIn = (office: Office, email: string, password: string): Promise<Reply> =>
  office.call(STRANGER, 'POST', '/api/auth/login', { email, password });

/** As if it had been so long ago. */
async function age(
  office: Office,
  column: 'seen_at' | 'created_at' | 'failed_at',
  ms: number,
): Promise<void> {
  const { store } = office.box;
  const past = Date.now() - ms;
  const query =
    column === 'failed_at'
      ? store.db.updateTable('login_failures').set({ failed_at: past })
      : store.db.updateTable('sessions').set({ [column]: past });
  await store.transaction(ask(query));
}

const me = (office: Office, headers: Readonly<Record<string, string>>): Promise<Reply> =>
  office.call({ headers }, 'GET', '/api/auth/me');

describe.each(databases)('log-in on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'starts a session that tells who it is, his role, his workspaces and the token for writes',
    onOffice(async (office) => {
      await known(office);
      const other = await office.workspace('other');
      await known(office, ADA, 'viewer', other);
      const { status, data, headers } = await tryLogIn(office, 'ADA@Example.org', PASSWORD);
      expect(status).toBe(200);
      const [cookie] = String(headers['set-cookie']).split(';');
      const answer = await me(office, { cookie: cookie! });
      expect(answer).toMatchObject({
        status: 200,
        data: {
          workspaceId: formatId('workspace', office.box.home.id),
          scopes: ['send', 'read', 'operate', 'admin'],
          user: { email: ADA, role: 'admin' },
          workspaces: [
            { name: 'default', role: 'admin' },
            { id: formatId('workspace', other), name: 'other', role: 'viewer' },
          ],
          csrfToken: data['csrfToken'],
        },
      });
      expect(answer.text).not.toContain(cookie!.split('=')[1]);
    }),
  );

  test(
    'me of a key tells its scopes and no person',
    onOffice(async (office) => {
      const { headers } = await office.key(['send', 'read']);
      expect((await me(office, headers)).data).toMatchObject({ user: null, scopes: ['send', 'read'] });
    }),
  );

  test(
    'sets a cookie that scripts and other sites do not get',
    onOffice(async (office) => {
      await known(office);
      const cookie = String((await tryLogIn(office, ADA, PASSWORD)).headers['set-cookie']);
      expect(cookie).toMatch(
        /^pillarbox_session=[\w-]{43}; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/,
      );
    }),
  );

  test(
    'behind TLS binds the cookie to this host and to TLS',
    onOffice(
      async (office) => {
        await known(office);
        const cookie = String((await tryLogIn(office, ADA, PASSWORD)).headers['set-cookie']);
        expect(cookie).toMatch(/^__Host-pillarbox=[\w-]{43};.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
        expect(cookie).not.toMatch(/Domain/i);
      },
      { publicUrl: 'https://mail.example.org' },
    ),
  );

  test(
    'keeps only hashes of sessions and passwords',
    onOffice(async (office) => {
      await added(office);
      const { headers } = await office.logIn(ADA);
      const token = headers['cookie']!.split('=')[1]!;
      const { store } = office.box;
      const sessions = await store.read(ask(store.db.selectFrom('sessions').selectAll()));
      const users = await store.read(ask(store.db.selectFrom('users').selectAll()));
      expect(sessions).toHaveLength(1);
      expect(JSON.stringify([sessions, users])).not.toContain(token);
      expect(users[0]!.password).toMatch(/^scrypt\$2\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    }),
  );

  test(
    'of a page of another site is refused, right password or not [T4]',
    onOffice(async (office) => {
      await known(office);
      const caller = { headers: { origin: 'https://evil.example' } };
      const body = { email: ADA, password: PASSWORD };
      const reply = await office.call(caller, 'POST', '/api/auth/login', body);
      expect(reply).toMatchObject({ status: 403, error: { code: 'cross_site' } });
      expect(reply.headers['set-cookie']).toBeUndefined();
    }),
  );

  test(
    'ends the session that the browser had before',
    onOffice(async (office) => {
      await known(office);
      const first = await office.logIn(ADA);
      const body = { email: ADA, password: PASSWORD };
      expect((await office.call(first, 'POST', '/api/auth/login', body)).status).toBe(200);
      expect((await me(office, first.headers)).status).toBe(401);
    }),
  );

  test(
    'log-out ends the session on our side, whatever the browser keeps [T3]',
    onOffice(async (office) => {
      await known(office);
      const ada = await office.logIn(ADA);
      const elsewhere = await office.logIn(ADA);
      expect((await me(office, ada.headers)).status).toBe(200);
      const reply = await office.call(ada, 'POST', '/api/auth/logout');
      expect(reply.status).toBe(200);
      expect(String(reply.headers['set-cookie'])).toMatch(/^pillarbox_session=;.*Expires=Thu, 01 Jan 1970/);
      expect((await me(office, ada.headers)).status).toBe(401);
      expect((await me(office, elsewhere.headers)).status).toBe(200);
    }),
  );

  test(
    'a session ends after 12 idle hours, and after 14 days at the latest [T3]',
    onOffice(async (office) => {
      await known(office);
      const { headers } = await office.logIn(ADA);
      await age(office, 'seen_at', 12 * HOUR_MS - MINUTE_MS);
      expect((await me(office, headers)).status).toBe(200);
      // That was a sign of life.
      await age(office, 'created_at', 13 * 24 * HOUR_MS);
      expect((await me(office, headers)).status).toBe(200);
      await age(office, 'created_at', 14 * 24 * HOUR_MS + MINUTE_MS);
      expect((await me(office, headers)).status).toBe(401);
      const second = await office.logIn(ADA);
      await age(office, 'seen_at', 12 * HOUR_MS + MINUTE_MS);
      expect((await me(office, second.headers)).status).toBe(401);
      // And stays ended.
      await age(office, 'seen_at', 0);
      expect((await me(office, second.headers)).status).toBe(401);
    }),
  );
});

describe.each(databases)('guessing passwords on $name [F47] [T2]', (database) => {
  const onOffice = officesOn(database);

  test(
    'ends after ten failures: 429 and when to come back, for the right password too, for nobody else',
    onOffice(async (office) => {
      await known(office);
      await known(office, 'bob@example.org');
      for (let failure = 1; failure <= 10; failure += 1) {
        expect((await tryLogIn(office, ADA, `wrong ${failure}`)).status).toBe(401);
      }
      const refused = await tryLogIn(office, ADA, PASSWORD);
      expect(refused).toMatchObject({ status: 429, error: { code: 'too_many_attempts' } });
      const seconds = Number(refused.headers['retry-after']);
      expect(seconds).toBeGreaterThan(14 * 60);
      expect(seconds).toBeLessThanOrEqual(15 * 60);
      expect((await tryLogIn(office, 'ADA@EXAMPLE.ORG', PASSWORD)).status).toBe(429);
      expect((await tryLogIn(office, 'bob@example.org', PASSWORD)).status).toBe(200);
      // Being refused is not one more failure, so the window ends when it should.
      await age(office, 'failed_at', 15 * MINUTE_MS + 1_000);
      expect((await tryLogIn(office, ADA, PASSWORD)).status).toBe(200);
    }),
  );

  test(
    'is told how many tries are left once they are few, also for an address that nobody has',
    onOffice(async (office) => {
      await known(office);
      const { store } = office.box;
      const fail = (email: string, times: number) => {
        const failure = { subject: `pair 127.0.0.1 ${email}`, failed_at: Date.now() };
        return store.transaction(
          ask(store.db.insertInto('login_failures').values(Array(times).fill(failure))),
        );
      };
      const toldTo = async (email: string) => (await tryLogIn(office, email, 'wrong')).error.details;
      await fail(ADA, 5);
      expect(await toldTo(ADA)).toBeUndefined();
      expect(await toldTo(ADA)).toEqual({ triesLeft: 3 });
      await fail('nobody@example.org', 9);
      expect(await toldTo('nobody@example.org')).toEqual({ triesLeft: 0 });
    }),
  );

  test(
    'is not quicker with many at once: ten are looked at',
    onOffice(async (office) => {
      await known(office);
      const tries = Array.from({ length: 30 }, (_, index) => tryLogIn(office, ADA, `wrong ${index}`));
      const statuses = (await Promise.all(tries)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 401)).toHaveLength(10);
      expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    }),
  );

  test(
    'a success forgets the failures before it',
    onOffice(async (office) => {
      await known(office);
      for (let round = 0; round < 2; round += 1) {
        for (let failure = 1; failure <= 6; failure += 1) await tryLogIn(office, ADA, 'wrong');
        expect((await tryLogIn(office, ADA, PASSWORD)).status).toBe(200);
      }
    }),
  );

  test(
    'says the same of an address that nobody has, after the same work',
    onOffice(async (office) => {
      await added(office);
      let hashed = 0;
      const hook = createHook({
        init(_id, type) {
          if (type === 'SCRYPTREQUEST') hashed += 1;
        },
      }).enable();
      try {
        const hit = await tryLogIn(office, ADA, 'wrong');
        expect(hashed).toBe(1);
        const miss = await tryLogIn(office, 'nobody@example.org', 'wrong');
        expect(hashed).toBe(2);
        expect(miss.text).toBe(hit.text);
      } finally {
        hook.disable();
      }
    }),
  );

  test(
    'from one place ends after a hundred failures, and a proxy on this machine tells the places apart',
    onOffice(async (office) => {
      await known(office);
      const { store } = office.box;
      const failures = Array.from({ length: 100 }, () => ({
        subject: 'place 203.0.113.7',
        failed_at: Date.now(),
      }));
      await store.transaction(ask(store.db.insertInto('login_failures').values(failures)));
      const statusFrom = async (place: string): Promise<number> => {
        const caller = { headers: { 'x-forwarded-for': place } };
        const body = { email: ADA, password: PASSWORD };
        return (await office.call(caller, 'POST', '/api/auth/login', body)).status;
      };
      expect(await statusFrom('203.0.113.7')).toBe(429);
      expect(await statusFrom('203.0.113.8')).toBe(200);
    }),
  );

  test(
    'counts what is tried for addresses that nobody has, too',
    onOffice(async (office) => {
      for (let failure = 1; failure <= 10; failure += 1) await tryLogIn(office, 'nobody@example.org', 'x');
      expect((await tryLogIn(office, 'nobody@example.org', 'x')).status).toBe(429);
    }),
  );
});

describe.each(databases)('what ends at once on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'a revoked key',
    onOffice(async (office) => {
      const body = { name: 'Billing', scopes: ['read'] };
      const { data } = await office.call(office.admin, 'POST', '/api/keys', body);
      const headers = { authorization: `Bearer ${String(data['key'])}` };
      expect((await me(office, headers)).status).toBe(200);
      await office.call(office.admin, 'DELETE', `/api/keys/${String(data['id'])}`);
      expect((await me(office, headers)).status).toBe(401);
    }),
  );

  test(
    'all sessions of someone whose password was changed, and nobody else’s',
    onOffice(async (office) => {
      await known(office);
      await known(office, 'bob@example.org');
      const sessions = [await office.logIn(ADA), await office.logIn(ADA)];
      const bob = await office.logIn('bob@example.org');
      const { id } = (await me(office, sessions[0]!.headers)).data['user'] as { id: string };
      const password = 'another password altogether';
      const changed = await office.call(office.admin, 'PATCH', `/api/users/${id}`, { password });
      expect(changed.status).toBe(200);
      for (const { headers } of sessions) expect((await me(office, headers)).status).toBe(401);
      expect((await me(office, bob.headers)).status).toBe(200);
      expect((await tryLogIn(office, ADA, PASSWORD)).status).toBe(401);
      expect((await tryLogIn(office, ADA, password)).status).toBe(200);
    }),
  );

  test(
    'the session of someone who was removed, and the powers of someone who was demoted',
    onOffice(async (office) => {
      await known(office);
      await known(office, 'bob@example.org');
      const ada = await office.logIn(ADA);
      const bob = await office.logIn('bob@example.org');
      const { id } = (await me(office, bob.headers)).data['user'] as { id: string };
      expect((await office.call(bob, 'GET', '/api/keys')).status).toBe(200);
      await office.call(ada, 'PATCH', `/api/users/${id}`, { role: 'viewer' });
      expect((await office.call(bob, 'GET', '/api/keys')).status).toBe(403);
      expect((await office.call(ada, 'DELETE', `/api/users/${id}`)).status).toBe(200);
      expect((await me(office, bob.headers)).status).toBe(401);
    }),
  );
});

describe.each(databases)('a session in several workspaces on $name', (database) => {
  const onOffice = officesOn(database);
  const at = (headers: Readonly<Record<string, string>>, workspaceId: number) => ({
    ...headers,
    'x-workspace-id': formatId('workspace', workspaceId),
  });

  test(
    'works in the one it names, with the role it has there, and in none where it has none',
    onOffice(async (office) => {
      const [first, second, third] = [
        await office.workspace('first'),
        await office.workspace('second'),
        await office.workspace('third'),
      ];
      await known(office, ADA, 'admin', first);
      await known(office, ADA, 'viewer', second);
      const { headers } = await office.logIn(ADA);
      const workspaceIn = async (id: number) => (await me(office, at(headers, id))).data['workspaceId'];
      expect((await me(office, headers)).data['workspaceId']).toBe(formatId('workspace', first));
      expect(await workspaceIn(second)).toBe(formatId('workspace', second));
      expect((await office.call({ headers: at(headers, first) }, 'GET', '/api/keys')).status).toBe(200);
      expect((await office.call({ headers: at(headers, second) }, 'GET', '/api/keys')).status).toBe(403);
      for (const wanted of [third, office.box.home.id, 999, Number.MAX_SAFE_INTEGER]) {
        expect((await me(office, at(headers, wanted))).status).toBe(404);
      }
      expect((await me(office, { ...headers, 'x-workspace-id': 'default' })).status).toBe(404);
    }),
  );

  test(
    'of an administrator of the first workspace works in any that exists; a key only in its own',
    onOffice(async (office) => {
      await known(office);
      const other = await office.workspace('other');
      const { headers } = await office.logIn(ADA);
      expect((await office.call({ headers: at(headers, other) }, 'GET', '/api/keys')).status).toBe(200);
      expect((await me(office, at(headers, 999))).status).toBe(404);
      expect((await me(office, at(office.admin.headers, office.box.home.id))).status).toBe(200);
      expect((await me(office, at(office.admin.headers, other))).status).toBe(404);
    }),
  );

  test(
    'may name it in the address to read, where a browser sends no headers of ours, but not to write',
    onOffice(async (office) => {
      const [first, second] = [await office.workspace('first'), await office.workspace('second')];
      await known(office, ADA, 'viewer', first);
      await known(office, ADA, 'admin', second);
      const { headers } = await office.logIn(ADA);
      const names = (id: number) => `workspace=${formatId('workspace', id)}`;
      const read = async (query: string, more = {}) =>
        (await office.call({ headers: { ...headers, ...more } }, 'GET', `/api/auth/me?${query}`)).data[
          'workspaceId'
        ];
      expect(await read(names(second))).toBe(formatId('workspace', second));
      expect(await read(names(second), at({}, second))).toBe(formatId('workspace', second));
      for (const query of [names(office.box.home.id), 'workspace=', 'workspace=a&workspace=b']) {
        expect(await read(query)).toBeUndefined();
      }
      // Whoever names two is not asked which one was meant.
      expect(await read(names(second), at({}, first))).toBeUndefined();
      const body = { name: 'New', scopes: ['read'] };
      const { status } = await office.call({ headers }, 'POST', `/api/keys?${names(second)}`, body);
      expect(status).toBe(403);
    }),
  );

  test(
    'needs the token for writes there as well',
    onOffice(async (office) => {
      await known(office);
      const other = await office.workspace('other');
      const { headers } = await office.logIn(ADA);
      const { cookie } = headers as { cookie: string };
      const body = { name: 'New', scopes: ['read'] };
      const bare = { headers: at({ cookie, origin: PUBLIC_URL }, other) };
      expect((await office.call(bare, 'POST', '/api/keys', body)).status).toBe(403);
      const made = await office.call({ headers: at(headers, other) }, 'POST', '/api/keys', body);
      expect(made.data['workspaceId']).toBe(formatId('workspace', other));
    }),
  );
});
