import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databases, type FreshDatabase } from '../databases.js';
import { MailServer } from '../http/mail-server.js';
import { rawDatabase } from '../http/raw-database.js';
import { Cli } from './cli.js';
import { clientOf } from './client.js';

/** Everything that nobody may read anywhere. */
const CANARIES = {
  apiKey: 'canary-key-0123456789abcdef',
  adminPassword: 'canary-admin/p@ssword',
  newPassword: 'canary-new/p@ssword',
  wrongPassword: 'canary-wrong/p@ssword',
  secret: 'canary-secret-of-the-box-0123456789',
  cronSecret: 'canary-cron secret',
  wrongCron: 'canary-cron wrong',
  smtpPassword: 'canary-smtp/p@ss',
  accountPassword: 'canary-account/p@ss',
  refreshToken: 'canary-refresh-token',
};

/** As they could turn up: as they are, in a URL, in base64, in JSON. */
const spellingsOf = (canary: string): readonly string[] => [
  canary,
  encodeURIComponent(canary),
  // In base64 the ends depend on what stands beside.
  Buffer.from(canary).toString('base64').replace(/..=*$/, ''),
  Buffer.from(canary).toString('base64url').replace(/..$/, ''),
];

describe.each(databases)('secrets stand nowhere, on $name [F64] [T14]', ({ fresh }) => {
  let database: FreshDatabase;
  let mailServer: MailServer;
  let cli: Cli;

  beforeEach(async () => {
    database = await fresh();
    mailServer = await MailServer.start(CANARIES.smtpPassword);
    cli = new Cli({
      ...{ DATABASE_URL: database.url, PORT: '0', LOG_LEVEL: 'trace', MAIL_FROM: 'box@example.org' },
      ...{ SMTP_URL: mailServer.url(), PILLARBOX_API_KEY: CANARIES.apiKey, CRON_SECRET: CANARIES.cronSecret },
      ...{ PILLARBOX_SECRET: CANARIES.secret, PILLARBOX_ADMIN_PASSWORD: CANARIES.adminPassword },
      ...{ PILLARBOX_ADMIN_EMAIL: 'ada@example.org', PILLARBOX_GRACE_SECONDS: '1' },
    });
  });
  afterEach(async () => {
    await cli.close();
    await mailServer.close();
    await database.drop();
  });

  test('in no log line at any level, no answer, no figure, no audit entry, no output of a command, no row', async () => {
    const serving = cli.start(['serve']);
    const { url } = await clientOf(serving, CANARIES.apiKey);
    const answers: string[] = [];
    const tokens: string[] = [];

    /** Cookies are the one place where a session's token belongs. */
    async function call(method: string, path: string, headers: Record<string, string>, body?: object) {
      const response = await fetch(url + path, {
        method,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const cookie = response.headers.get('set-cookie') ?? '';
      const shown = [...response.headers].filter(([name]) => name !== 'set-cookie');
      answers.push(text, JSON.stringify(shown));
      const token = /=([^;]+)/.exec(cookie)?.[1];
      if (token !== undefined) tokens.push(token);
      const { data = {} } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
        data?: Record<string, unknown>;
      };
      return { status: response.status, data, cookie: cookie.split(';')[0]! };
    }

    const key = { authorization: `Bearer ${CANARIES.apiKey}` };

    /** The one answer in which it belongs. */
    async function invite(email: string): Promise<string> {
      const body = JSON.stringify({ email, role: 'viewer' });
      const headers = { ...key, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/api/users`, { method: 'POST', headers, body });
      const { data } = (await answer.json()) as { data: { invitation: { url: string } } };
      return new URL(data.invitation.url).hash.slice(1);
    }

    const log = (password: string) =>
      call('POST', '/api/auth/login', {}, { email: 'ada@example.org', password });
    expect((await log(CANARIES.wrongPassword)).status).toBe(401);
    const { cookie, data: person, status } = await log(CANARIES.adminPassword);
    expect(status).toBe(200);
    const session = { cookie, origin: url, 'x-csrf-token': String(person['csrfToken']) };
    for (const [current, password, expected] of [
      [CANARIES.wrongPassword, CANARIES.newPassword, 401],
      [CANARIES.adminPassword, CANARIES.newPassword, 200],
    ] as const) {
      expect((await call('POST', '/api/auth/password', session, { current, password })).status).toBe(
        expected,
      );
    }
    const member = { email: 'bob@example.org', role: 'viewer', password: CANARIES.wrongPassword };
    expect((await call('POST', '/api/users', session, member)).status).toBe(200);
    await call('POST', '/api/users', session, { ...member, password: { not: CANARIES.wrongPassword } });
    const invitation = await invite('cy@example.org');
    tokens.push(invitation);
    const invited = { authorization: `Bearer ${invitation}` };
    expect((await call('GET', '/api/auth/invitation', invited)).status).toBe(200);
    for (const expected of [200, 401]) {
      const chosen = { password: CANARIES.newPassword };
      expect((await call('POST', '/api/auth/invitation', invited, chosen)).status).toBe(expected);
    }
    tokens.push(await invite('dee@example.org'));
    await call('GET', '/api/auth/me', session);
    await call('GET', '/api/auth/sessions', session);
    await call('GET', '/api/messages', { authorization: `Bearer ${CANARIES.apiKey}x` });
    for (const [secret, expected] of [
      [CANARIES.wrongCron, 401],
      [CANARIES.cronSecret, 200],
    ] as const) {
      const authorization = `Bearer ${secret}`;
      expect((await call('POST', '/api/cron/send-emails', { authorization })).status).toBe(expected);
    }
    const gmail = {
      kind: 'gmail',
      clientId: 'x',
      clientSecret: 'canary-refresh-token',
      refreshToken: 'canary-refresh-token',
    };
    const transports = [{ kind: 'smtp', url: mailServer.url(CANARIES.accountPassword) }, gmail];
    for (const [n, transport] of transports.entries()) {
      const { data } = await call('POST', '/api/accounts', key, { name: `account ${n}`, transport });
      const path = `/api/accounts/${String(data['id'])}`;
      await call('PATCH', path, key, { transport });
      await call('POST', `${path}/verify`, key);
      await call('POST', '/api/outbox', key, { ...MAIL, accountId: data['id'] });
      await call('GET', path, key);
    }
    expect((await call('POST', '/api/outbox', key, MAIL)).data).toMatchObject({ delivered: true });
    for (const path of [
      '/api/accounts',
      '/api/audit',
      '/api/users',
      '/api/keys',
      '/api/messages',
      '/metrics',
      '/docs',
      '/openapi.json',
      '/',
      '/readyz',
      '/api/admin/dashboard',
    ]) {
      expect((await call('GET', path, key)).status, path).toBe(200);
    }
    const outputs: string[] = [];
    for (const args of [
      ['doctor'],
      ['accounts', 'ls', '--json'],
      ['accounts', 'verify'],
      ['queue', 'ls'],
      ['keys', 'ls'],
    ]) {
      const { stdout, stderr } = await cli.run(args);
      expect(stdout).not.toBe('');
      outputs.push(stdout, stderr);
    }
    serving.tell('SIGTERM');
    const ended = await serving.ended;
    expect(ended.code).toBe(0);
    const raw = await rawDatabase({ databaseUrl: database.url });

    // What is searched is more than nothing: each place holds what it should.
    expect(tokens.length).toBeGreaterThan(0);
    expect(ended.stderr.split('\n').length).toBeGreaterThan(2);
    expect(answers.join('\n')).toMatch(/"auth\.password"[\s\S]*\[redacted\]/);
    expect(answers.join('\n')).toContain('********');
    expect(raw).toMatch(/"sealed"+:"+v1\./);
    const places = {
      log: ended.stderr,
      screen: ended.stdout,
      answers: answers.join('\n'),
      commands: outputs.join('\n'),
      database: raw,
    };
    const found = Object.entries(places).flatMap(([place, text]) =>
      [...Object.values(CANARIES), ...tokens].flatMap((canary) =>
        spellingsOf(canary)
          .filter((spelling) => text.includes(spelling))
          .map((spelling) => `${place}: ${spelling}`),
      ),
    );
    expect(found).toEqual([]);
  });
});

const MAIL = { to: 'bob@example.org', subject: 'Booked', text: 'See you on Monday.' };
