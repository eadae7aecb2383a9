import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox } from 'pillarbox';
import { readConfig } from '#pillarbox/service/config';
import { silent } from '#pillarbox/log/log';
import { startService, type Serving } from '#pillarbox/service/serve';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { PATIENCE_MS } from '../patience.js';

const KEY = 'a-key-of-twenty-four-characters';
const REAL = { kind: 'smtp', url: 'smtps://user:password@smtp.example.com' };

interface Listed {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** A real service in this process, with a client that may do everything. */
class Service {
  private constructor(private readonly serving: Serving) {}

  static async start(databaseUrl: string, env: Readonly<Record<string, string>> = {}): Promise<Service> {
    const config = readConfig({
      ...{
        DATABASE_URL: databaseUrl,
        PORT: '0',
        PILLARBOX_API_KEY: KEY,
        PILLARBOX_ADMIN_PASSWORD: 'correct horse battery staple',
      },
      ...{ PILLARBOX_GRACE_SECONDS: '2', PILLARBOX_SECRET: 'a secret for tests, of some length', ...env },
    });
    return new Service(
      await startService({
        config,
        worker: true,
        log: silent,
        demoPatienceMs: 1_000,
        onMade: () => undefined,
      }),
    );
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; data: never; message: string }> {
    const response = await fetch(this.serving.url + path, {
      method,
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as { data?: never; error?: { message: string } };
    return { status: response.status, data: data as never, message: error?.message ?? '' };
  }

  async get<T = Readonly<Record<string, unknown>>>(path: string): Promise<T> {
    return (await this.call('GET', path)).data;
  }

  installation = async () =>
    (await this.get<{ installation: Readonly<Record<string, unknown>> }>('/api/auth/me')).installation;
  states = async () =>
    (await this.get<{ states: Readonly<Record<string, number>> }>('/api/admin/dashboard')).states;
  accounts = async () => (await this.get<Listed>('/api/accounts')).items;
  stop = () => this.serving.stop();
}

const ids = async (databaseUrl: string): Promise<readonly string[]> => {
  const box = await createPillarbox({ databaseUrl });
  const { items } = await box.messages.list({ limit: 200 });
  await box.stop();
  return items.map(({ id }) => id);
};

describe('a service on a database that the demo has made', () => {
  let database: FreshDatabase;
  let service: Service;

  beforeAll(async () => {
    database = await freshSqlite();
    service = await Service.start(database.url, { PILLARBOX_DEMO: '1' });
  });
  afterAll(async () => {
    await service.stop();
    await database.drop();
  });
  const restart = async (env: Readonly<Record<string, string>> = {}) => {
    await service.stop();
    service = await Service.start(database.url, env);
  };

  test('says that it is a demo, what the time is, and that there is an inbox', async () => {
    expect(await service.installation()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      demo: true,
      inbox: true,
      clock: { now: expect.stringMatching(/^\d{4}-.*Z$/), speed: 1 },
    });
  });

  test('answers every page with something', async () => {
    const states = await service.states();
    for (const state of ['sent', 'dead', 'held', 'retry_scheduled', 'scheduled'])
      expect([state, states[state]]).toEqual([state, expect.toSatisfy((n: number) => n > 0)]);
    for (const path of ['inbox', 'users', 'keys', 'audit', 'accounts', 'admin/outbox', 'messages?state=held'])
      expect([path, (await service.get<Listed>(`/api/${path}`)).items.length]).toEqual([
        path,
        expect.toSatisfy((n: number) => n > 0),
      ]);
    const { items: campaigns } = await service.get<Listed>('/api/campaigns');
    expect(campaigns.map(({ name, state, holdUp }) => [name, state, holdUp !== null])).toEqual([
      ['Spring terrace, everybody else', 'draft', false],
      ['Winter letters', 'running', false],
      ['Spring terrace', 'running', true],
      ['Quiet weeks', 'running', false],
    ]);
    expect((await service.get<Listed>('/api/messages/dead-groups')).items.length).toBeGreaterThanOrEqual(3);
    const kinds = await Promise.all(
      (await service.get<Listed>('/api/inbox?limit=100')).items.map(({ id }) =>
        service.get(`/api/inbox/${String(id)}`),
      ),
    );
    expect(kinds.some(({ calendar, html, text }) => calendar && html && text)).toBe(true);
  });

  test('has rooms that guests wait for: a template, subscriptions in every state, and events that were told', async () => {
    const { items: heads } = await service.get<Listed>('/api/template-heads');
    expect(heads.map(({ id }) => id)).toContain('room-free');
    const template = await service.get<{ versions: string[]; locales: { locale: string }[] }>(
      '/api/templates/room-free',
    );
    expect(template.versions).toEqual(['v2', 'v1']);
    expect(template.locales.map(({ locale }) => locale).sort()).toEqual(['en', 'fr']);
    for (const status of ['active', 'snoozed', 'paused', 'pending', 'unsubscribed', 'suppressed'])
      expect([
        status,
        (await service.get<Listed>(`/api/subscriptions?status=${status}`)).items.length,
      ]).toEqual([status, expect.toSatisfy((n: number) => n > 0)]);
    const { items: suppressions } = await service.get<Listed>('/api/suppressions?reason=manual');
    expect(suppressions).toHaveLength(1);
    const told = async () => {
      const { items } = await service.get<{ items: { dedupeKey: string; counts: Record<string, number> }[] }>(
        '/api/events',
      );
      const past = items.filter(({ dedupeKey }) => dedupeKey.startsWith('demo earlier'));
      return past.map(({ counts }) => [counts['sent']! > 3, counts['dead']]);
    };
    await expect.poll(told, { timeout: PATIENCE_MS }).toEqual(Array(3).fill([true, 0]));
  });

  test('lets nobody set up an account that leads elsewhere, and says how it would be possible', async () => {
    const refused = /nothing of it leaves this machine.*SMTP_URL or PILLARBOX_DEMO=0/;
    const [demo] = (await service.accounts()).filter(({ name }) => name === 'team@');
    for (const transport of [
      REAL,
      { kind: 'smtp', url: 'smtp://10.1.2.3' },
      { kind: 'http', baseUrl: 'https://mail.example.com', apiKey: 'x' },
      { kind: 'gmail', clientId: 'x', clientSecret: 'x', refreshToken: 'x' },
    ]) {
      const made = await service.call('POST', '/api/accounts', {
        name: 'Real',
        emailAddress: 'a@b.example',
        transport,
      });
      expect(made).toMatchObject({ status: 400, message: expect.stringMatching(refused) });
      const changed = await service.call('PATCH', `/api/accounts/${String(demo!['id'])}`, { transport });
      expect(changed).toMatchObject({ status: 400, message: expect.stringMatching(refused) });
    }
    expect(await service.accounts()).toHaveLength(5);
    const local = {
      name: 'Local',
      emailAddress: 'a@b.example',
      transport: { kind: 'smtp', url: 'smtp://127.0.0.1:1' },
    };
    const { status, data } = await service.call('POST', '/api/accounts', local);
    expect(status).toBe(200);
    await service.call('DELETE', `/api/accounts/${(data as { id: string }).id}`);
  });

  test('takes no second load, by word or by start, and goes on', async () => {
    const before = new Set(await ids(database.url));
    expect(await service.call('POST', '/api/admin/demo')).toMatchObject({
      status: 409,
      message: expect.stringContaining('already'),
    });
    await restart({ PILLARBOX_DEMO: '1' });
    expect(await service.installation()).toMatchObject({ demo: true });
    const news = (await ids(database.url)).filter((id) => !before.has(id));
    expect(news.length).toBeLessThan(20);
    // The provider listens elsewhere by now, and the accounts know it.
    const [team] = (await service.accounts()).filter(({ name }) => name === 'team@');
    expect((await service.call('POST', `/api/accounts/${String(team!['id'])}/verify`)).data).toMatchObject({
      ok: true,
    });
  });

  test('started for real mail is no demo: its accounts rest, others can be set up', async () => {
    await restart({ PILLARBOX_DEMO: '0' });
    expect(await service.installation()).toMatchObject({ demo: false, inbox: true });
    const resting = (await service.accounts()).filter(({ pauseReason }) =>
      String(pauseReason).startsWith('the demo is off'),
    );
    expect(resting.map(({ name }) => name)).toEqual(['bookings@', 'team@', 'news@']);
    const made = await service.call('POST', '/api/accounts', {
      name: 'Real',
      emailAddress: 'a@b.example',
      transport: REAL,
    });
    expect(made.status).toBe(200);
  });

  test('and started as a demo again it keeps such an account from leaving, while its own go on', async () => {
    await restart();
    expect(await service.installation()).toMatchObject({ demo: true });
    const accounts = await service.accounts();
    expect(accounts.filter(({ status }) => status === 'paused').map(({ name }) => name)).toEqual(['hello@']);
    const [real] = accounts.filter(({ name }) => name === 'Real');
    const { data } = await service.call('POST', `/api/accounts/${String(real!['id'])}/verify`);
    expect(data).toMatchObject({
      ok: false,
      error: { code: 'EHOST_REFUSED', message: expect.stringContaining('the demo is in use') },
    });
    await service.call('POST', '/api/outbox', {
      to: 'ada@example.org',
      subject: 'Hello',
      text: 'Hello.',
      accountId: real!['id'],
    });
    const paused = async () =>
      (await service.get<{ pauseReason: string | null }>(`/api/accounts/${String(real!['id'])}`)).pauseReason;
    await expect.poll(paused).toContain('nothing of it leaves this machine');
  });
});

test('a service that may reach no private address reaches the provider of its demo, and no other', async () => {
  const database = await freshSqlite();
  const service = await Service.start(database.url, {
    PILLARBOX_DEMO: '1',
    PILLARBOX_ALLOW_PRIVATE_HOSTS: '0',
  });
  const [team] = (await service.accounts()).filter(({ name }) => name === 'team@');
  const { data } = await service.call('POST', `/api/accounts/${String(team!['id'])}/verify`);
  expect(data).toMatchObject({ ok: true });
  for (const url of ['smtp://127.0.0.1:25', 'smtp://127.0.0.1:8025', REAL.url]) {
    const account = { name: 'Other', emailAddress: 'a@b.example', transport: { kind: 'smtp', url } };
    expect([url, (await service.call('POST', '/api/accounts', account)).status]).toEqual([url, 400]);
  }
  await service.stop();
  await database.drop();
});

describe('traffic', () => {
  test('goes on while the service runs, and ends with it', async () => {
    const database = await freshSqlite();
    // Sixty times as fast, so that a quarter of an hour passes while somebody waits.
    const clock = { PILLARBOX_CLOCK: `${new Date().toISOString()}*60` };
    const service = await Service.start(database.url, { PILLARBOX_DEMO: '1', ...clock });
    const before = new Set(await ids(database.url));
    await expect
      .poll(async () => (await ids(database.url)).filter((id) => !before.has(id)).length)
      .toBeGreaterThan(0);
    await service.stop();
    const after = await ids(database.url);
    // Nothing can be waited for but that nothing comes, for longer than the shortest wait between two mails.
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(await ids(database.url)).toEqual(after);
    await database.drop();
  });
});

describe('a service without demo data', () => {
  let database: FreshDatabase;
  let service: Service | undefined;

  beforeEach(async () => {
    database = await freshSqlite();
  });
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await database.drop();
  });

  test('loads it on the word of an administrator, beside its worker, and once', async () => {
    service = await Service.start(database.url);
    expect(await service.installation()).toMatchObject({ demo: false });
    const [first, second] = await Promise.all([1, 2].map(() => service!.call('POST', '/api/admin/demo')));
    expect([first!.status, second!.status].sort()).toEqual([200, 409]);
    expect(await service.installation()).toMatchObject({ demo: true });
    const states = await service.states();
    for (const state of ['sent', 'dead', 'held', 'retry_scheduled', 'scheduled'])
      expect([state, states[state]]).toEqual([state, expect.toSatisfy((n: number) => n > 0)]);
    const { items: campaigns } = await service.get<Listed>('/api/campaigns');
    expect(campaigns.map(({ name, state, holdUp }) => [name, state, holdUp !== null])).toEqual([
      ['Spring terrace, everybody else', 'draft', false],
      ['Winter letters', 'running', false],
      ['Spring terrace', 'running', true],
      ['Quiet weeks', 'running', false],
    ]);
    expect((await service.get<Listed>('/api/messages/dead-groups')).items.length).toBeGreaterThanOrEqual(3);
    const { items } = await service.get<Listed>('/api/audit');
    expect(items[0]).toMatchObject({ action: 'demo.load', actor: 'key environment' });
  });

  test('in a database that is in use stays as it is', async () => {
    const box = await createPillarbox({ databaseUrl: database.url });
    const { id } = await box.outbox.enqueue({ to: 'ada@example.org', subject: 'Real', text: 'Real.' });
    await box.stop();
    service = await Service.start(database.url, { PILLARBOX_DEMO: '1' });
    expect(await service.installation()).toMatchObject({ demo: false });
    expect(await ids(database.url)).toEqual([id]);
    expect(await service.call('POST', '/api/admin/demo')).toMatchObject({
      status: 409,
      message: 'demo data goes only into an empty database: there are messages in it',
    });
    expect(await service.accounts()).toHaveLength(1);
  });

  test('that sends by SMTP_URL never has any', async () => {
    service = await Service.start(database.url, { PILLARBOX_DEMO: '1', SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(await service.installation()).toMatchObject({ demo: false, inbox: false });
    expect(await service.call('POST', '/api/admin/demo')).toMatchObject({
      status: 409,
      message: expect.stringContaining('SMTP_URL'),
    });
    expect(await ids(database.url)).toEqual([]);
  });
});
