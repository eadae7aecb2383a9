import { describe, expect, test } from 'vitest';
import { ask } from '#pillarbox/store/script';
import { addMember } from '#pillarbox/store/scripts/users';
import { databases } from '../databases.js';
import { Listener } from './listener.js';
import { PASSWORD, PASSWORD_HASH, STRANGER, type Caller, type Office } from './office.js';
import { officesOn } from './offices.js';

const ADA = 'ada@example.org';
const HOUR_MS = 3_600_000;
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
      const { store } = office.box;
      const [asking] = await store.read(ask(store.db.selectFrom('sessions').select('hash')));
      await office.logIn(ADA);
      const old = Date.now() - 13 * 3_600_000;
      const own = (await sessionsOf(office, ada)).length;
      expect(own).toBe(2);
      await store.transaction(
        ask(store.db.updateTable('sessions').set({ seen_at: old }).where('hash', '<>', asking!.hash)),
      );
      expect(await sessionsOf(office, ada)).toMatchObject([{ current: true }]);
    }),
  );

  test('that nobody uses end after 12 hours, however long a page of theirs is open', async () => {
    let passed = 0;
    await onOffice(
      async (office) => {
        const ada = await known(office);
        const { store } = office.box;
        const seenAt = async () =>
          (await store.read(ask(store.db.selectFrom('sessions').select('seen_at'))))[0]?.seen_at;
        const loggedInAt = (await seenAt())!;
        const stream = `${await office.app.listen({ host: '127.0.0.1', port: 0 })}/api/stream`;
        const unattended = { headers: { ...ada.headers, 'x-unattended': '1' } };
        passed = 6 * HOUR_MS;
        const listener = await Listener.open(stream, ada);
        await listener.hears('a snapshot', ({ event }) => event === 'snapshot');
        // What a page asks for by itself when it has heard that something moved.
        expect(await statusOf(office, unattended)).toBe(200);
        expect(await seenAt()).toBe(loggedInAt);
        // A person does something.
        expect(await statusOf(office, ada)).toBe(200);
        expect(await seenAt()).toBeGreaterThanOrEqual(loggedInAt + 6 * HOUR_MS);
        passed = 17 * HOUR_MS;
        const again = await Listener.open(stream, ada);
        await again.hears('a snapshot', ({ event }) => event === 'snapshot');
        expect(await statusOf(office, unattended)).toBe(200);
        passed = 19 * HOUR_MS;
        for (const each of [listener, again]) {
          const { data } = await each.hears('the end', ({ event }) => event === 'end');
          expect(data).toEqual({ reason: 'no longer admitted' });
          await each.over();
        }
        expect(await statusOf(office, ada)).toBe(401);
      },
      { now: () => Date.now() + passed },
    )();
  });
});
