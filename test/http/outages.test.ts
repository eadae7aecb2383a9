import { expect, test } from 'vitest';
import { readConfig } from '#pillarbox/service/config';
import { routes } from '#pillarbox/http/routes/index';
import { silent } from '#pillarbox/log/log';
import { startService } from '#pillarbox/service/serve';
import { ask } from '#pillarbox/store/script';
import { addMember } from '#pillarbox/store/scripts/users';
import { crash, privatePostgres } from '../postgres.js';
import { fillDisk, onSmallDisk } from '../small-disk.js';
import { MailServer } from './mail-server.js';
import { Listener } from './listener.js';
import { Office, PASSWORD, PASSWORD_HASH, PUBLIC_URL, STRANGER } from './office.js';

const KEY = 'a-key-of-twenty-four-characters';
const CRON = 'the secret of the timer';
const MAIL = { to: 'ada@example.org', subject: 'Booked', text: 'See you on Monday.' };
/** A few seconds: nobody hangs. What is slow because the machine is busy is quick when it is asked again. */
const SOON_MS = 8_000;

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfter: string | null;
  readonly ms: number;
  readonly data: Readonly<Record<string, unknown>>;
}

class Client {
  constructor(
    readonly url: string,
    private readonly headers: Readonly<Record<string, string>>,
  ) {}

  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const began = performance.now();
    const response = await fetch(this.url + path, {
      method,
      headers: { ...this.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const { error, data = {} } = (isJson ? JSON.parse(text) : {}) as {
      error?: { code: string };
      data?: Answer['data'];
    };
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, code: error?.code, retryAfter, ms: performance.now() - began, data };
  }
}

const OUTAGE = { status: 503, code: 'store_unavailable', retryAfter: '5' };
const withoutTime = ({ status, code, retryAfter }: Answer) => ({ status, code, retryAfter });

test('PostgreSQL goes away under a running service and comes back: 503 meanwhile, and no restart after [F19]', async () => {
  const server = await privatePostgres();
  const mailServer = await MailServer.start('hunter2');
  const config = readConfig({
    ...{ DATABASE_URL: server.url, PORT: '0', SMTP_URL: mailServer.url(), MAIL_FROM: 'box@example.org' },
    ...{ PILLARBOX_SECRET: 'a secret for tests, of some length', CRON_SECRET: CRON, PILLARBOX_API_KEY: KEY },
    ...{ PILLARBOX_ADMIN_EMAIL: 'ada@example.org', PILLARBOX_ADMIN_PASSWORD: PASSWORD },
  });
  const onMade = () => undefined;
  const serving = await startService({ config, worker: true, log: silent, onMade });
  const client = new Client(serving.url, { authorization: `Bearer ${KEY}` });
  const credentials = { email: 'ada@example.org', password: PASSWORD };
  const logIn = (password: string) => client.call('POST', '/api/auth/login', { ...credentials, password });
  expect((await client.call('POST', '/api/outbox', MAIL)).data).toMatchObject({ delivered: true });
  expect((await logIn(PASSWORD)).status).toBe(200);
  const listener = await Listener.open(`${serving.url}/api/stream`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  await listener.hears('a snapshot', ({ event }) => event === 'snapshot');

  await crash(server);
  const answers = new Map<string, Answer>();
  const note = async (name: string, ask: () => Promise<Answer>) => {
    for (let times = 0; times < 5; times += 1) {
      const answer = await ask();
      answers.set(name, answer);
      if (answer.ms < SOON_MS) return;
    }
  };
  for (const mode of ['inline', 'queue'])
    await note(mode, () => client.call('POST', '/api/outbox', { ...MAIL, mode }));
  await note('bulk', () => client.call('POST', '/api/outbox/bulk', { messages: [MAIL] }));
  for (const { method, url, rule } of routes) {
    if (method !== 'GET' || rule === 'anyone' || rule === 'cron') continue;
    await note(url, () => client.call('GET', url.replace(/:\w+/, 'msg_1')));
  }
  const timer = new Client(serving.url, { authorization: `Bearer ${CRON}` });
  await note('cron', () => timer.call('POST', '/api/cron/send-emails'));
  const session = new Client(serving.url, { cookie: 'pillarbox_session=anything' });
  await note('session', () => session.call('GET', '/api/auth/me'));
  for (let n = 0; n < 12; n += 1) await note(`log-in ${n}`, () => logIn('wrong'));
  for (const [name, answer] of answers) {
    expect({ name, ...withoutTime(answer) }).toEqual({ name, ...OUTAGE });
    expect(answer.ms, name).toBeLessThan(SOON_MS);
  }
  expect(answers.size).toBeGreaterThan(30);
  expect((await client.call('GET', '/healthz')).status).toBe(200);
  expect(await client.call('GET', '/readyz')).toMatchObject({ status: 503, code: 'not_ready' });
  expect((await client.call('GET', '/metrics')).status).toBe(200);
  expect(listener.ended).toBe(false);

  await server.restart('fast');
  await expect.poll(async () => (await client.call('GET', '/readyz')).status).toBe(200);
  // Twelve wrong passwords would have shut the door.
  expect((await logIn(PASSWORD)).status).toBe(200);
  const { data } = await client.call('POST', '/api/outbox', MAIL);
  expect(data).toMatchObject({ delivered: true });
  const queued = await client.call('POST', '/api/outbox', { ...MAIL, mode: 'queue' });
  expect(queued.status).toBe(202);
  await listener.hears('what moves now', ({ event, data: told }) => event === 'message' && 'ids' in told);
  // The worker of that process is back too.
  const state = async () =>
    (await client.call('GET', `/api/messages/${String(queued.data['id'])}`)).data['state'];
  await expect.poll(state).toBe('sent');
  listener.close();
  await serving.stop();
  await mailServer.close();
  await server.stop();
});

test('a disk without room: what would have to be written is 503, what is only read is answered, and it passes [F28]', async () => {
  const disk = await onSmallDisk();
  const office = await Office.open({ databaseUrl: disk.url });
  const { store, home } = office.box;
  const person = { email: 'ada@example.org', role: 'admin', password: PASSWORD_HASH } as const;
  await store.transaction(addMember(store, home.id, person, await store.now()));
  const ada = await office.logIn('ada@example.org');
  const put = () => office.call(office.admin, 'POST', '/api/outbox', { ...MAIL, mode: 'queue' });
  const { data } = await put();
  // Long enough ago that his next visit would be noted.
  const anHourAgo = Date.now() - 3_600_000;
  await store.transaction(ask(store.db.updateTable('sessions').set({ seen_at: anHourAgo })));
  const free = fillDisk(disk.url);
  for (const path of ['/api/messages', '/api/admin/dashboard', '/api/accounts', '/api/auth/me']) {
    expect((await office.call(ada, 'GET', path)).status, path).toBe(200);
  }
  const writes = [
    await put(),
    await office.call(office.admin, 'POST', '/api/outbox', MAIL),
    await office.call(office.admin, 'POST', `/api/messages/${String(data['id'])}/cancel`),
    await office.call(office.admin, 'PUT', '/api/settings/sending', { dailyQuota: 7 }),
    await office.call({ headers: { origin: PUBLIC_URL } }, 'POST', '/api/auth/login', {
      email: 'ada@example.org',
      password: PASSWORD,
    }),
  ];
  for (const { status, error, headers } of writes) {
    expect({ status, code: error.code }).toEqual({ status: 503, code: 'store_unavailable' });
    expect(headers['retry-after']).toBe('5');
  }
  expect((await office.call(STRANGER, 'GET', '/healthz')).status).toBe(200);
  await free();
  await expect.poll(async () => (await put()).status).toBe(202);
  expect((await office.call(office.admin, 'PUT', '/api/settings/sending', { dailyQuota: 7 })).status).toBe(
    200,
  );
  await office.logIn('ada@example.org');
  await office.close();
  await disk.drop();
});
