import { describe, expect, test } from 'vitest';
import { ask } from '#pillarbox/store/script';
import { addMember } from '#pillarbox/store/scripts/users';
import { databases } from '../databases.js';
import { PASSWORD, PASSWORD_HASH, STRANGER, type Caller, type Office } from './office.js';
import { officesOn } from './offices.js';

const ADA = 'ada@example.org';
const NEW = 'a new password of some length';

interface Session {
  readonly id: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly current: boolean;
}

async function known(office: Office, email = ADA): Promise<Caller> {
  const { store, home } = office.box;
  const person = { email, role: 'viewer', password: PASSWORD_HASH } as const;
  await store.transaction(addMember(store, home.id, person, await store.now()));
  return office.logIn(email);
}

const logInStatus = async (office: Office, password: string) =>
  (await office.call(STRANGER, 'POST', '/api/auth/login', { email: ADA, password })).status;
const statusOf = async (office: Office, caller: Caller) =>
  (await office.call(caller, 'GET', '/api/auth/me')).status;
const change = (office: Office, caller: Caller, current: string, password = NEW) =>
  office.call(caller, 'POST', '/api/auth/password', { current, password });
const sessionsOf = async (office: Office, caller: Caller) =>
  (await office.call(caller, 'GET', '/api/auth/sessions')).data['items'] as readonly Session[];

describe.each(databases)('one’s own password on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'is changed by whoever knows it; this session stays, all others end, nobody else is touched',
    onOffice(async (office) => {
      const ada = await known(office);
      const bob = await known(office, 'bob@example.org');
      const elsewhere = await office.logIn(ADA);
      expect(await change(office, ada, PASSWORD)).toMatchObject({ status: 200, data: {} });
      expect(await statusOf(office, ada)).toBe(200);
      expect(await statusOf(office, elsewhere)).toBe(401);
      expect(await statusOf(office, bob)).toBe(200);
      expect(await logInStatus(office, PASSWORD)).toBe(401);
      expect(await logInStatus(office, NEW)).toBe(200);
    }),
  );

  test(
    'is not changed by whoever guesses: wrong ones are counted together with those at the door',
    onOffice(async (office) => {
      const ada = await known(office);
      for (let failure = 1; failure <= 5; failure += 1) {
        expect(await change(office, ada, `wrong ${failure}`)).toMatchObject({
          status: 401,
          error: { code: 'wrong_credentials', details: { field: 'current' } },
        });
        expect(await logInStatus(office, `wrong ${failure}`)).toBe(401);
      }
      const refused = await change(office, ada, PASSWORD);
      expect(refused).toMatchObject({ status: 429, error: { code: 'too_many_attempts' } });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(await logInStatus(office, PASSWORD)).toBe(429);
      expect(await statusOf(office, ada)).toBe(200);
    }),
  );

  test(
    'must be long enough, and nothing is changed or counted by one that is not',
    onOffice(async (office) => {
      const ada = await known(office);
      for (const password of ['short', '', 'x'.repeat(1_001)]) {
        expect(await change(office, ada, 'wrong', password)).toMatchObject({
          status: 400,
          error: { details: { field: 'password' } },
        });
      }
      const { store } = office.box;
      expect(await store.read(ask(store.db.selectFrom('login_failures').selectAll()))).toEqual([]);
      expect(await logInStatus(office, PASSWORD)).toBe(200);
    }),
  );

  test(
    'two changes at once: one wins, and its password is the one that holds',
    onOffice(async (office) => {
      const ada = await known(office);
      const wanted = ['the first of two passwords', 'the second of two passwords'];
      const replies = await Promise.all(wanted.map((password) => change(office, ada, PASSWORD, password)));
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 401]);
      const won = wanted[replies.findIndex(({ status }) => status === 200)]!;
      expect(await logInStatus(office, won)).toBe(200);
    }),
  );

  test(
    'stands in the audit log as changed, without any of the two',
    onOffice(async (office) => {
      const ada = await known(office);
      await change(office, ada, PASSWORD);
      const { data, text } = await office.call(office.admin, 'GET', '/api/audit');
      expect(data['items']).toMatchObject([
        {
          actor: ADA,
          action: 'auth.password',
          details: { body: { current: '[redacted]', password: '[redacted]' } },
        },
        { action: 'auth.login' },
      ]);
      expect(text).not.toContain(NEW);
      expect(text).not.toContain(PASSWORD);
    }),
  );

  test(
    'is not for keys',
    onOffice(async (office) => {
      expect(await change(office, office.admin, PASSWORD)).toMatchObject({ status: 403 });
      expect((await office.call(office.admin, 'GET', '/api/auth/sessions')).status).toBe(403);
    }),
  );
});

describe.each(databases)('one’s own sessions on $name', (database) => {
  const onOffice = officesOn(database);

  test(
    'are listed, last used first, with the one that asks; nobody else’s, and none of their tokens',
    onOffice(async (office) => {
      const first = await known(office);
      const second = await office.logIn(ADA);
      await known(office, 'bob@example.org');
      const sessions = await sessionsOf(office, first);
      expect(sessions).toHaveLength(2);
      expect(sessions.filter(({ current }) => current)).toHaveLength(1);
      const seenBySecond = await sessionsOf(office, second);
      const idOf = (all: readonly Session[]) => all.find(({ current }) => current)!.id;
      expect(idOf(seenBySecond)).not.toBe(idOf(sessions));
      expect(new Set(seenBySecond.map(({ id }) => id))).toEqual(new Set(sessions.map(({ id }) => id)));
      for (const { createdAt, lastSeenAt } of sessions) {
        expect(Date.now() - Date.parse(createdAt)).toBeLessThan(60_000);
        expect(Date.parse(lastSeenAt)).toBeGreaterThanOrEqual(Date.parse(createdAt));
      }
      const { store } = office.box;
      const stored = await store.read(ask(store.db.selectFrom('sessions').select('hash')));
      for (const { hash: kept } of stored) expect(JSON.stringify(sessions)).not.toContain(kept.slice(0, 8));
    }),
  );

  test(
    'end one by one, at once; another person’s can’t be named',
    onOffice(async (office) => {
      const ada = await known(office);
      const elsewhere = await office.logIn(ADA);
      const bob = await known(office, 'bob@example.org');
      const end = async (caller: Caller, id: string) =>
        (await office.call(caller, 'DELETE', `/api/auth/sessions/${id}`)).status;
      const other = (await sessionsOf(office, ada)).find(({ current }) => !current)!;
      expect(await end(bob, other.id)).toBe(404);
      expect(await statusOf(office, elsewhere)).toBe(200);
      expect(await end(ada, other.id)).toBe(200);
      expect(await statusOf(office, elsewhere)).toBe(401);
      expect(await end(ada, other.id)).toBe(404);
      expect(await end(ada, 'ses_zzz')).toBe(404);
      expect(await statusOf(office, ada)).toBe(200);
      const { data } = await office.call(office.admin, 'GET', '/api/audit');
      expect(data['items']).toMatchObject([
        { actor: ADA, action: 'auth.session.delete', target: other.id },
        { action: 'auth.login' },
        { action: 'auth.login' },
        { action: 'auth.login' },
      ]);
    }),
  );

  test(
    'that have ended by their age are not listed',
    onOffice(async (office) => {
      const ada = await known(office);
      await office.logIn(ADA);
      const { store } = office.box;
      const old = Date.now() - 13 * 3_600_000;
      const sessions = await store.read(ask(store.db.selectFrom('sessions').selectAll()));
      const own = (await sessionsOf(office, ada)).length;
      expect(own).toBe(2);
      // The newer one: the other is the one that asks.
      const newest = [...sessions].sort((a, b) => b.created_at - a.created_at)[0]!.hash;
      await store.transaction(
        ask(store.db.updateTable('sessions').set({ seen_at: old }).where('hash', '=', newest)),
      );
      expect(await sessionsOf(office, ada)).toMatchObject([{ current: true }]);
    }),
  );
});
