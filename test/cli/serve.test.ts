import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox } from 'pillarbox';
import { silent } from '#pillarbox/log/log';
import { readConfig } from '#pillarbox/service/config';
import { startService } from '#pillarbox/service/serve';
import { sendOnce } from '../catcher/fixture.js';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';
import { Cli, useCli } from './cli.js';
import { Client, clientOf, keyIn } from './client.js';

const SECRET = 'a secret for tests, of some length';
const KEY = 'a-key-of-twenty-four-characters';
const PASSWORD = 'correct horse battery staple';
const MAIL = { to: 'ada@example.org', subject: 'Größe', text: 'Hëllo.', html: '<b>Hëllo.</b>' };

/** What `serve --json` prints, as far as it is needed here. */
interface Made {
  readonly url: string;
  readonly apiKey: string;
}

/** The same service without a process of its own, and a client with its key. */
async function serveHere(
  settings: Readonly<Record<string, string>>,
  worker = true,
): Promise<{ readonly client: Client; readonly stop: () => Promise<void> }> {
  let key = '';
  const config = readConfig({ PORT: '0', PILLARBOX_SECRET: SECRET, ...settings });
  const serving = await startService({
    ...{ config, worker, log: silent },
    onMade: ({ apiKey = '' }) => (key = apiKey),
  });
  return { client: new Client(serving.url, key), stop: () => serving.stop() };
}

/** Longer than 20 s: eleven processes, one after the other, two of which wait for the lease of one that was killed. */
describe.each(databases)('serve on $name', ({ fresh }) => {
  let database: FreshDatabase;
  let cli: Cli;

  beforeEach(async () => {
    database = await fresh();
    cli = new Cli({
      ...{ DATABASE_URL: database.url, PORT: '0', PILLARBOX_SECRET: SECRET, MAIL_FROM: 'box@example.org' },
      ...{ PILLARBOX_GRACE_SECONDS: '2' },
    });
  });
  afterEach(async () => {
    await cli.close();
    await database.drop();
  });

  test('tells where it is and how to get in, sends into the catcher, and stops with 0', async () => {
    const first = cli.start(['serve']);
    const client = await clientOf(first);
    const { status, data } = await client.call('POST', '/api/outbox', MAIL);
    expect({ status, data }).toMatchObject({ status: 200, data: { delivered: true, recorded: true } });
    const queued = await client.call('POST', '/api/outbox', { ...MAIL, mode: 'queue' });
    expect(queued.status).toBe(202);
    const inbox = async () =>
      ((await client.call('GET', '/api/inbox')).data as { items: { id: string; subject: string }[] }).items;
    await expect.poll(inbox).toHaveLength(2);
    const { id } = (await inbox())[0]!;
    const mail = await client.call('GET', `/api/inbox/${id}`);
    expect(mail.data).toMatchObject({ subject: 'Größe', html: '<b>Hëllo.</b>\n', recipients: [MAIL.to] });
    expect((await client.call('GET', `/api/inbox/${id}/raw`)).text).toMatch(/^Message-ID: /m);
    expect((await client.call('GET', '/api/inbox/cgt_zzz')).status).toBe(404);
    expect((await client.call('GET', '/metrics')).text).toMatch(
      /^pillarbox_sent_total\{lane="outbox",transport="smtp"\} 2$/m,
    );
    expect((await client.call('GET', '/readyz')).status).toBe(200);
    expect((await client.call('DELETE', '/api/inbox')).data).toEqual({ done: 2 });

    const said = await first.said(/Ctrl-C/);
    // STARTTLS is offered, with a certificate that is nobody's but its own.
    const [catcherUrl = ''] = /smtp:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
    const strict = await sendOnce(`${catcherUrl}?tls=starttls`);
    expect(strict).toMatchObject({ error: { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' } });
    const password = /log in +admin@localhost with (\S+)$/m.exec(said)![1]!;
    const login = await client.call('POST', '/api/auth/login', { email: 'admin@localhost', password });
    expect(login.status).toBe(200);
    first.tell('SIGTERM');
    const { code, stderr } = await first.ended;
    expect(code).toBe(0);
    for (const secret of [SECRET, password, keyIn(said)]) expect(stderr).not.toContain(secret);

    const second = cli.start(['serve']);
    const again = await clientOf(second, keyIn(said));
    expect((await again.call('GET', '/api/messages')).status).toBe(200);
    second.tell('SIGINT');
    const ended = await second.ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('with the password of the first start');
    expect(ended.stdout + ended.stderr).not.toMatch(/pbx_|shown only this once/);
  });

  test('is killed in the middle of sends that callers wait for, and loses none of them [D19] [F03]', async () => {
    const settings = {
      PILLARBOX_API_KEY: KEY,
      PILLARBOX_ADMIN_PASSWORD: PASSWORD,
      PILLARBOX_LEASE_SECONDS: '5',
    };
    const first = cli.with(settings).start(['serve']);
    const client = await clientOf(first, KEY);
    const quick = client.call('POST', '/api/outbox', MAIL);
    const slow = client
      .call('POST', '/api/outbox', { ...MAIL, to: 'bob+slow30@example.org' })
      .catch(() => undefined);
    expect((await quick).status).toBe(200);
    // Killed earlier, it would simply start over; here the far side may have it.
    const whySending = async () => {
      const { data } = await client.call('GET', '/api/messages?state=sending');
      const [item] = (data as { items: { id: string }[] }).items;
      if (!item) return undefined;
      return ((await client.call('GET', `/api/messages/${item.id}/explain`)).data as { reason: string })
        .reason;
    };
    await expect.poll(whySending).toBe('handed_over');
    await first.kill();
    await slow;

    const second = cli.with(settings).start(['serve']);
    const again = await clientOf(second, KEY);
    const stateOf = async (to: string) =>
      (
        (await again.call('GET', `/api/messages?to=${encodeURIComponent(to)}`)).data as {
          items: { state: string }[];
        }
      ).items.map(({ state }) => state);
    expect(await stateOf(MAIL.to)).toEqual(['sent']);
    // The far side may have it: by policy it is tried once more, when the lease of the dead has run out.
    await expect.poll(() => stateOf('bob+slow30@example.org')).toEqual(['retry_scheduled']);
    second.tell('SIGTERM');
    expect(await second.ended).toMatchObject({ code: 0 });
  });

  test('without a worker sends what callers wait for, and leaves the rest', async () => {
    const settings = { DATABASE_URL: database.url, CRON_SECRET: 'the-secret-of-the-timer' };
    const { client, stop } = await serveHere(settings, false);
    expect((await client.call('POST', '/api/outbox', MAIL)).data).toMatchObject({ delivered: true });
    await client.call('POST', '/api/outbox', { ...MAIL, mode: 'queue' });
    const timer = new Client(client.url, 'the-secret-of-the-timer');
    expect((await timer.call('GET', '/api/cron/send-emails')).data).toMatchObject({ claimed: 1, sent: 1 });
    await stop();
  });
});

describe('serve', () => {
  const cli = useCli(freshSqlite, { PORT: '0' });

  test('with --json prints one document; a Ctrl-C that arrives twice, by the terminal and by npm, stops in order', async () => {
    const serving = cli.start(['serve', '--json']);
    const { url, apiKey } = JSON.parse(/^{$[^]*?^}$/m.exec(await serving.said(/\n}\n/))![0]) as Made;
    const client = new Client(url, apiKey);
    const slow = client.call('POST', '/api/outbox', { ...MAIL, to: 'ada+slow1@example.org' });
    const sending = async () => (await client.call('GET', '/api/messages?state=sending')).text;
    await expect.poll(sending).toContain('ada+slow1');
    serving.tell('SIGINT');
    serving.tell('SIGINT');
    expect((await slow).data).toMatchObject({ delivered: true });
    const { code, stdout } = await serving.ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      catcherUrl: expect.stringMatching(/^smtp:/),
      worker: true,
      adminEmail: 'admin@localhost',
      adminPassword: expect.any(String),
      apiKey: expect.stringMatching(/^pbx_/),
    });
  });

  test('a second signal ends it at once [F56]', async () => {
    const serving = cli.with({ PILLARBOX_GRACE_SECONDS: '20' }).start(['serve']);
    const client = await clientOf(serving);
    await client.call('POST', '/api/outbox', { ...MAIL, to: 'ada+slow30@example.org' });
    serving.tell('SIGTERM');
    await serving.said(/"stopping;/);
    serving.tell('SIGTERM');
    expect(await serving.ended).toMatchObject({ code: 143 });
  });

  test('does not open to other machines before a password and a key were set', async () => {
    const { code, stdout, stderr } = await cli.with({ HOST: '0.0.0.0' }).runAlone(['serve']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(
      stderr
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('{')),
    ).toEqual([
      'HOST: 0.0.0.0 can be reached from other machines; set PILLARBOX_ADMIN_PASSWORD and PILLARBOX_API_KEY first, ' +
        'or start once on 127.0.0.1',
    ]);
  });

  test('a port that is taken is said in one line, after what was made', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const port = String((other.address() as AddressInfo).port);
    const { code, stdout, stderr } = await cli.with({ PORT: port, LOG_LEVEL: 'warn' }).runAlone(['serve']);
    other.close();
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `PORT: ${port} is in use on 127.0.0.1; set another\n`,
    });
    expect(stdout).toMatch(/API key +pbx_/);
  });

  test('with SMTP_URL there is no catcher and no inbox', async () => {
    const { client, stop } = await serveHere({
      ...{ DATABASE_URL: cli.databaseUrl, SMTP_URL: 'smtp://127.0.0.1:1' },
    });
    const { status, text } = await client.call('GET', '/api/inbox');
    expect(status).toBe(404);
    expect(text).toContain('SMTP_URL');
    await stop();
  });

  test('with PostgreSQL the secret must be set, for serve and for work', async () => {
    const postgres = new Cli({ DATABASE_URL: 'postgres://127.0.0.1:1/x', SMTP_URL: 'smtp://127.0.0.1:1' });
    const both = await Promise.all(['serve', 'work'].map((command) => postgres.runAlone([command])));
    for (const { code, stderr } of both) {
      expect(code).toBe(2);
      expect(stderr).toMatch(/^PILLARBOX_SECRET: is needed with PostgreSQL/);
    }
  });

  test('work tells of its health where a port is set', async () => {
    const worker = cli.with({ SMTP_URL: 'smtp://127.0.0.1:1' }).start(['work']);
    const url = /"url":"(http:[^"]+)"/.exec(await worker.said(/"working"/))![1]!;
    const client = new Client(url, KEY);
    for (const path of ['/healthz', '/readyz', '/metrics']) {
      expect((await client.call('GET', path)).status).toBe(200);
    }
    expect((await client.call('GET', '/api/messages')).status).toBe(404);
    worker.tell('SIGTERM');
    expect(await worker.ended).toMatchObject({ code: 0 });
  });

  test('what waits in the database from before is sent', async () => {
    const box = await createPillarbox({ databaseUrl: cli.databaseUrl });
    const { id } = await box.outbox.enqueue(MAIL);
    const { stop } = await serveHere({ DATABASE_URL: cli.databaseUrl });
    await expect.poll(async () => (await box.messages.get(id)).state).toBe('sent');
    await stop();
    await box.stop();
  });
});
