import { describe, expect, test } from 'vitest';
import type { Logger } from '#pillarbox/log/log';
import { databases } from '../databases.js';
import { postsOn, type Place } from '../engine/posts.js';
import { FakeGmail } from '../transport/fakes/fake-gmail.js';
import { FakeResend } from '../transport/fakes/fake-resend.js';
import { FakeUnipile } from '../transport/fakes/fake-unipile.js';
import { MailServer } from './mail-server.js';
import { Office, type Reply } from './office.js';
import { rawDatabase } from './raw-database.js';

const SECRET = 'canary-of-the-box';
const PASSWORD = 'canary-p@ss/word';
const CANARIES = [
  SECRET,
  PASSWORD,
  'canary-client',
  'canary-refresh',
  'canary-unipile',
  'canary-http',
  'canary-wrong',
];
const MAIL = { to: 'bob@example.org', subject: 'Booked', text: 'See you on Monday.' };
const OPEN = { secret: SECRET, allowPrivateHosts: true };

/** As they could turn up: as they are, in a URL, in base64. */
const spellings = CANARIES.flatMap((canary) => [
  canary,
  encodeURIComponent(canary),
  // In base64 the ends depend on what stands beside.
  Buffer.from(canary).toString('base64').replace(/..=*$/, ''),
]);
const findsIn = (text: string) => spellings.filter((spelling) => text.includes(spelling));

/** All of them refuse what they are given here, and repeat it. */
const transports = (url: string, { gmail, unipile, http }: Record<'gmail' | 'unipile' | 'http', string>) => [
  { kind: 'smtp', url },
  {
    ...{ kind: 'gmail', baseUrl: gmail, clientId: 'client-1' },
    ...{ clientSecret: 'canary-client', refreshToken: 'canary-refresh' },
  },
  { kind: 'unipile', baseUrl: unipile, apiKey: 'canary-unipile', accountId: 'a1' },
  { kind: 'http', baseUrl: http, apiKey: 'canary-http' },
];

class Gossip extends FakeGmail {
  override readonly clientSecret = 'canary-client';
}

/** Keeps every line as a program would write it. */
function listening(lines: string[]): Logger {
  const hear = (facts: object, text: string) => {
    const told = Object.values(facts).map((fact: unknown) =>
      fact instanceof Error ? `${String(fact.stack)} ${JSON.stringify(fact)}` : JSON.stringify(fact),
    );
    lines.push([text, ...told].join(' '));
  };
  return { debug: hear, info: hear, warn: hear, error: hear };
}

describe.each(databases)('credentials of accounts on $name', (database) => {
  const onPlace = postsOn(database);

  async function withOffice<T>(
    place: Place,
    over: Parameters<typeof Office.open>[1],
    act: (office: Office) => Promise<T>,
  ): Promise<T> {
    const office = await Office.open(place, over);
    try {
      return await act(office);
    } finally {
      await office.close();
    }
  }

  const make = async (office: Office, url: string, name = 'Ada') => {
    const account = { name, type: 'email', transport: { kind: 'smtp', url } };
    const made = await office.call(office.admin, 'POST', '/api/accounts', account);
    expect(made).toMatchObject({ status: 200 });
    return `/api/accounts/${String(made.data['id'])}`;
  };
  const verify = async (office: Office, path: string) => office.call(office.admin, 'POST', `${path}/verify`);

  test(
    'stand in no answer, no log line and nowhere in the database [T13]',
    onPlace(async ({ place }) => {
      const lines: string[] = [];
      const server = await MailServer.start(PASSWORD);
      const over = { ...OPEN, log: listening(lines), transport: undefined, smtpUrl: server.url() };
      const providers = [new Gossip(), new FakeUnipile(), new FakeResend()] as const;
      for (const provider of providers) await provider.listen();
      const [gmail, unipile, http] = providers.map(({ url }) => url) as [string, string, string];
      const urls = { gmail, unipile, http };
      const said = await withOffice(place, over, (office) => useThemAll(office, server, urls));
      await server.close();
      for (const provider of providers) {
        expect(provider.seen.length).toBeGreaterThan(0);
        await provider.close();
      }
      // What is heard, and what is said of it, is more than nothing: the search can find something.
      expect(lines.length).toBeGreaterThan(0);
      expect(said.join('\n')).toContain('********');
      const raw = await rawDatabase(place);
      expect(raw).toMatch(/"sealed"+:"+v1\./);
      for (const text of [lines.join('\n'), said.join('\n'), raw]) expect(findsIn(text)).toEqual([]);
    }),
  );

  /** Everything that can be done with accounts, well and badly. Answers all answers. */
  async function useThemAll(
    office: Office,
    server: MailServer,
    urls: Parameters<typeof transports>[1],
  ): Promise<readonly string[]> {
    const said: string[] = [];
    const call = async (...request: Parameters<Office['call']> extends [unknown, ...infer R] ? R : never) => {
      const reply: Reply = await office.call(office.admin, ...request);
      said.push(reply.text, JSON.stringify(reply.headers));
      return reply;
    };
    for (const [n, transport] of [
      ...transports(server.url(), urls),
      ...transports(server.url('canary-wrong'), urls),
    ].entries()) {
      const { data } = await call('POST', '/api/accounts', { name: `account ${n}`, transport });
      const path = `/api/accounts/${String(data['id'])}`;
      const { data: shown } = await call('GET', path);
      await call('PATCH', path, shown);
      await call('PATCH', path, { transport });
      await call('PATCH', path, { transport: { ...transport, colour: 'red' } });
      await call('POST', `${path}/verify`);
      await call('POST', '/api/outbox', { ...MAIL, accountId: data['id'] });
      await call('GET', path);
      await call('GET', `${path}/activity`);
    }
    await call('POST', '/api/accounts', { name: 'x', transport: { kind: 'smtp', url: 'canary-wrong' } });
    await call('POST', '/api/accounts', { name: 'x', transport: 'canary-wrong' });
    await call('POST', '/api/outbox', MAIL);
    for (const url of [
      '/api/accounts',
      '/api/audit',
      '/api/messages',
      '/api/messages/dead-groups',
      '/metrics',
    ]) {
      await call('GET', url);
    }
    return said;
  }

  test(
    'are not taken without a secret to keep them with, and nothing is stored',
    onPlace(async ({ place }) => {
      await withOffice(place, { allowPrivateHosts: true }, async (office) => {
        const account = { name: 'Ada', transport: { kind: 'smtp', url: 'smtp://ada:x@127.0.0.1:1' } };
        const refused = await office.call(office.admin, 'POST', '/api/accounts', account);
        expect(refused).toMatchObject({
          status: 422,
          error: { message: expect.stringContaining('PILLARBOX_SECRET') },
        });
        expect((await office.box.home.accounts.list()).items).toHaveLength(1);
        await make(office, 'smtp://127.0.0.1:1', 'needs none');
      });
    }),
  );

  test(
    'under another secret a worker does not start, rather than pause every account',
    onPlace(async ({ place }) => {
      const path = await withOffice(place, OPEN, (office) => make(office, 'smtp://ada:x@127.0.0.1:1'));
      for (const secret of ['another', undefined]) {
        await withOffice(place, { ...OPEN, secret }, async (office) => {
          const refusal = { code: 'invalid_config', message: expect.stringContaining('PILLARBOX_SECRET') };
          await expect(office.box.start()).rejects.toMatchObject(refusal);
          await expect(office.box.pass()).rejects.toMatchObject(refusal);
          expect(await verify(office, path)).toMatchObject({ status: 422 });
          expect(await office.call(office.admin, 'GET', path)).toMatchObject({
            status: 200,
            data: { status: 'active' },
          });
        });
      }
    }),
  );

  test(
    'whose secret is lost are entered again, and then the worker starts',
    onPlace(async ({ place }) => {
      const url = 'smtp://ada:x@127.0.0.1:1';
      const path = await withOffice(place, OPEN, (office) => make(office, url));
      await withOffice(place, { ...OPEN, secret: 'another' }, async (office) => {
        const { data } = await office.call(office.admin, 'GET', path);
        expect(await office.call(office.admin, 'PATCH', path, data)).toMatchObject({ status: 422 });
        const entered = { transport: { kind: 'smtp', url } };
        expect(await office.call(office.admin, 'PATCH', path, entered)).toMatchObject({ status: 200 });
        await office.box.start();
      });
    }),
  );

  test(
    'of a former secret are opened, and sealed with the current one when they change',
    onPlace(async ({ place }) => {
      const server = await MailServer.start(PASSWORD);
      try {
        const path = await withOffice(place, OPEN, (office) => make(office, server.url()));
        await withOffice(place, { ...OPEN, secret: ['newer', SECRET] }, async (office) => {
          expect(await verify(office, path)).toMatchObject({ data: { ok: true } });
          const { data } = await office.call(office.admin, 'GET', path);
          expect(await office.call(office.admin, 'PATCH', path, data)).toMatchObject({ status: 200 });
        });
        await withOffice(place, { ...OPEN, secret: 'newer' }, async (office) => {
          expect(await verify(office, path)).toMatchObject({ data: { ok: true } });
        });
      } finally {
        await server.close();
      }
    }),
  );

  test(
    'do not go to a private address once that is not allowed any more [T8]',
    onPlace(async ({ place }) => {
      const server = await MailServer.start(PASSWORD);
      try {
        const path = await withOffice(place, OPEN, (office) => make(office, server.url()));
        await withOffice(place, { secret: SECRET }, async (office) => {
          expect(await verify(office, path)).toMatchObject({
            data: { ok: false, error: { code: 'EHOST_REFUSED' } },
          });
        });
        expect(server.logIns).toBe(0);
      } finally {
        await server.close();
      }
    }),
  );
});

describe.each(databases)('the default account on $name', (database) => {
  const onPlace = postsOn(database);

  test(
    'shows where the process sends, and nothing of how it logs in; it is changed by its settings alone',
    onPlace(async ({ place }) => {
      const smtpUrl = 'smtp://ada:hunter2@127.0.0.1:2525';
      const office = await Office.open(place, { transport: undefined, smtpUrl, maxConnections: 3 });
      try {
        const { data: list } = await office.call(office.admin, 'GET', '/api/accounts');
        const [account] = (list as { items: Reply['data'][] }).items;
        expect(account).toMatchObject({
          name: 'default',
          isDefault: true,
          transport: { kind: 'smtp', url: 'smtp://127.0.0.1:2525' },
          maxConnections: 3,
        });
        const path = `/api/accounts/${String(account!['id'])}`;
        const patch = (body: unknown) => office.call(office.admin, 'PATCH', path, body);
        expect(await patch(account)).toMatchObject({ status: 200 });
        expect(await patch({ dailyLimitEmails: 9 })).toMatchObject({
          status: 200,
          data: { dailyLimitEmails: 9 },
        });
        for (const change of [
          { name: 'other' },
          { emailAddress: 'eve@example.org' },
          { transport: { kind: 'smtp', url: 'smtp://127.0.0.1:2526' } },
          { maxConnections: 4 },
          { mailsInFlight: 2 },
        ]) {
          expect(await patch(change)).toMatchObject({ status: 409, error: { code: 'conflict' } });
        }
        expect(await office.call(office.admin, 'DELETE', path)).toMatchObject({ status: 409 });
        expect(await patch({ status: 'paused' })).toMatchObject({ data: { status: 'paused' } });
      } finally {
        await office.close();
      }
    }),
  );
});

describe.each(databases)('who may touch accounts on $name', (database) => {
  const onPlace = postsOn(database);

  test(
    'viewers look, operators pause, admins change; to another workspace there is none',
    onPlace(async ({ place }) => {
      const office = await Office.open(place, OPEN);
      try {
        const account = { name: 'Ada', transport: { kind: 'smtp', url: 'smtp://127.0.0.1:1' } };
        const { data } = await office.call(office.admin, 'POST', '/api/accounts', account);
        const path = `/api/accounts/${String(data['id'])}`;
        const viewer = await office.person('viewer');
        const operator = await office.person('operator');
        expect(await office.call(viewer, 'GET', path)).toMatchObject({ status: 200 });
        expect(await office.call(viewer, 'PATCH', path, { status: 'paused' })).toMatchObject({ status: 403 });
        expect(await office.call(operator, 'PATCH', path, { status: 'paused' })).toMatchObject({
          status: 200,
        });
        expect(await office.call(operator, 'PATCH', path, { name: 'Eve' })).toMatchObject({ status: 403 });
        expect(await office.call(operator, 'POST', '/api/accounts', account)).toMatchObject({ status: 403 });
        expect(await office.call(operator, 'DELETE', path)).toMatchObject({ status: 403 });
        const stranger = await office.key(['admin'], await office.workspace('elsewhere'));
        for (const [method, url] of [
          ['GET', path],
          ['PATCH', path],
          ['DELETE', path],
          ['POST', `${path}/verify`],
          ['GET', `${path}/activity`],
        ] as const) {
          const body = method === 'PATCH' ? { name: 'Eve' } : undefined;
          expect(await office.call(stranger, method, url, body)).toMatchObject({ status: 404 });
        }
        expect(await office.call(office.admin, 'GET', path)).toMatchObject({ data: { name: 'Ada' } });
      } finally {
        await office.close();
      }
    }),
  );
});
