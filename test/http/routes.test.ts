import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCOPES, scopesOfRole, type Role, type Scope } from '#pillarbox/core/access';
import type { Route } from '#pillarbox/http/route';
import { routes } from '#pillarbox/http/routes/index';
import { databases, type FreshDatabase } from '../databases.js';
import { EXPECTED, type Expectation } from './expected.js';
import { PUBLIC_URL, STRANGER, tokenOf, type Caller } from './office.js';
import { CRON_SECRET, nameOf, Town } from './town.js';

/** What ends or removes something comes last, so that all else is asked while everything is there. */
const inOrder = [...routes].sort((a, b) => lateness(a) - lateness(b));

function lateness({ method, url }: Route): number {
  if (url === '/api/auth/logout') return 2;
  return method === 'DELETE' ? 1 : 0;
}

const closedToStrangers = routes.filter((route) => EXPECTED[nameOf(route)]?.rule !== 'anyone');
const writes = closedToStrangers.filter(
  (route) => route.method !== 'GET' && !hasTokenOfItsOwn(EXPECTED[nameOf(route)]),
);

/** Comes with something that no browser sends along by itself. */
function hasTokenOfItsOwn(expectation: Expectation | undefined): boolean {
  return expectation?.rule === 'cron' || expectation?.rule === 'invited';
}

test('every route has an expectation here, and every expectation a route', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(routes.map(nameOf).sort());
});

/** Longer than 20 s: everybody who may come tries each of the routes, on both databases. */
describe.each(databases)('who may use which route, on $name [F46] [T1]', ({ ready }) => {
  let database: FreshDatabase;
  let town: Town;

  beforeAll(async () => {
    database = await ready();
    town = await Town.build(database);
  });

  afterAll(async () => {
    await town.close();
    await database.drop();
  });

  /** All routes that answer otherwise than expected. */
  async function surprises(
    { headers }: Caller,
    expected: (expectation: Expectation, route: Route) => string,
  ): Promise<string[]> {
    const found: string[] = [];
    for (const route of inOrder) {
      const expectation = EXPECTED[nameOf(route)]!;
      const body = expectation.body && JSON.stringify(expectation.body);
      const { status } = await town.send(route, town.addressOf(route), headers, body);
      const wanted = expected(expectation, route);
      if (classOf(status, wanted) !== wanted) found.push(`${nameOf(route)}: ${status}, not ${wanted}`);
    }
    return found;
  }

  /** "Allowed" says nothing about what became of it, but that it was not refused for who asked, nor failed. */
  const classOf = (status: number, wanted: string): string =>
    wanted === 'allowed' && status < 500 && status !== 401 && status !== 403 ? 'allowed' : String(status);

  const toOwn =
    (scopes: readonly Scope[], isPerson = false) =>
    ({ rule }: Expectation): string => {
      if (rule === 'anyone') return 'allowed';
      // A key is neither the timer's secret nor an invitation.
      if (rule === 'cron' || rule === 'invited') return '401';
      if (rule === 'person') return isPerson ? 'allowed' : '403';
      return rule === 'known' || scopes.includes(rule) ? 'allowed' : '403';
    };

  test('nobody: what is not for anyone answers 401', async () => {
    const found = await surprises(STRANGER, ({ rule }) => (rule === 'anyone' ? 'allowed' : '401'));
    expect(found).toEqual([]);
  });

  test('all scopes of another workspace: no object of this one is there', async () => {
    const found = await surprises(await town.stranger(), ({ rule, elsewhere }, { url }) => {
      if (elsewhere !== undefined) return String(elsewhere);
      if (rule === 'cron' || rule === 'invited') return '401';
      return /\/:(?:id|fingerprint)/.test(url) ? '404' : 'allowed';
    });
    expect(found).toEqual([]);
  });

  test.each(SCOPES)('a key that may only %s: 403 for all else', async (scope) => {
    const caller = await town.office.key([scope]);
    const found = await surprises(caller, toOwn(scope === 'admin' ? SCOPES : [scope]));
    expect(found).toEqual([]);
  });

  test.each<Role>(['viewer', 'operator', 'admin'])('a logged-in %s: as the role says', async (role) => {
    const found = await surprises(await town.office.person(role), toOwn(scopesOfRole(role), true));
    expect(found).toEqual([]);
  });

  test('the secret of the timer opens its own route and no other', async () => {
    const headers = { authorization: `Bearer ${CRON_SECRET}` };
    const found = await surprises({ headers }, ({ rule }) =>
      rule === 'anyone' || rule === 'cron' ? 'allowed' : '401',
    );
    expect(found).toEqual([]);
  });

  test.each(closedToStrangers.map((route) => [nameOf(route), route] as const))(
    '%s answers a stranger 401 before it looks at what he says',
    async (_, route) => {
      const broken = await town.send(route, town.addressOf(route), {}, '{"broken');
      expect(broken.status).toBe(401);
      const forged = { authorization: 'Bearer pbx_not-a-key', cookie: 'pillarbox_session=nonsense' };
      expect((await town.send(route, town.addressOf(route), forged, '{"broken')).status).toBe(401);
    },
  );

  test('a write with a session needs its token and must come from this site [T4] [F47]', async () => {
    const origin = PUBLIC_URL;
    const admin = await aSecondAdmin();
    const token = (await town.office.person('operator')).headers['x-csrf-token']!;
    const forgeries: Record<string, Record<string, string>> = {
      'no token': { origin },
      'a wrong token': { origin, 'x-csrf-token': `${token.slice(1)}x` },
      'the token of another session': { origin, 'x-csrf-token': token },
      'another site': { origin: 'https://evil.example', 'x-csrf-token': admin.token },
      'no origin': { 'x-csrf-token': admin.token },
      'another site, told by the browser': { 'sec-fetch-site': 'cross-site', 'x-csrf-token': admin.token },
      'an origin that hides': { origin: 'null', 'x-csrf-token': admin.token },
    };
    for (const route of writes) {
      const body = JSON.stringify(EXPECTED[nameOf(route)]!.body ?? {});
      for (const [how, headers] of Object.entries(forgeries)) {
        const reply = await town.send(
          route,
          town.addressOf(route),
          { ...headers, cookie: admin.cookie },
          body,
        );
        expect([nameOf(route), how, reply.status]).toEqual([nameOf(route), how, 403]);
      }
    }
    const me = await town.office.call({ headers: { cookie: admin.cookie } }, 'GET', '/api/auth/me');
    expect(me.status).toBe(200);
  });

  async function aSecondAdmin(): Promise<{ cookie: string; token: string }> {
    const { office } = town;
    const email = 'second-admin@people.example';
    const password = 'a password of some length';
    await office.call(office.admin, 'POST', '/api/users', { email, password, role: 'admin' });
    const { headers } = await office.logIn(email, password);
    return { cookie: headers['cookie']!, token: headers['x-csrf-token']! };
  }

  test('JSON that calls itself text is refused, because a form of any site could send it', async () => {
    const { office } = town;
    const guest = { email: 'guest@people.example', role: 'viewer' };
    const token = tokenOf(await office.call(office.admin, 'POST', '/api/users', guest));
    const callers: Readonly<Record<string, Caller>> = {
      person: await office.person('admin'),
      invited: { headers: { authorization: `Bearer ${token}` } },
    };
    for (const route of routes.filter(({ body }) => body)) {
      const { rule, body: sent } = EXPECTED[nameOf(route)]!;
      const { headers } = callers[rule] ?? office.admin;
      const body = JSON.stringify(sent);
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data; boundary=x',
      ]) {
        const reply = await town.send(
          route,
          town.addressOf(route),
          { ...headers, 'content-type': type },
          body,
        );
        expect([nameOf(route), type, reply.status]).toEqual([nameOf(route), type, 400]);
      }
    }
  });
});
