import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshSqlite, type FreshDatabase } from '../databases.js';
import { Cli, type Running } from './cli.js';
import { clientOf, type Client } from './client.js';

const KEY = 'a-key-of-twenty-four-characters';

describe('what --json prints is what the API answers:', () => {
  let database: FreshDatabase;
  let cli: Cli;
  let serving: Running;
  let client: Client;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    database = await freshSqlite();
    cli = new Cli({
      ...{ DATABASE_URL: database.url, PORT: '0', PILLARBOX_API_KEY: KEY, MAIL_FROM: 'box@example.org' },
      ...{ PILLARBOX_SECRET: 'a secret for tests, of some length', PILLARBOX_ADMIN_PASSWORD: 'x'.repeat(20) },
    });
    serving = cli.start(['serve', '--no-worker']);
    client = await clientOf(serving, KEY);
    const send = async (name: string, over: object) => {
      const mail = { to: 'ada@example.org', subject: name, text: 'x', ...over };
      const { data } = await client.call('POST', '/api/outbox', mail);
      ids.set(name, (data as { id: string }).id);
    };
    await send('sent', {});
    await send('dead', { to: 'ada+554@example.org' });
    await send('held', { to: 'ada+drop@example.org', onDoubt: 'hold' });
    await send('later', { mode: 'queue', sendAt: '2031-03-03T09:00:00Z' });
    const file = { name: 'files', transport: { kind: 'file', directory: '/nonexistent' } };
    await client.call('POST', '/api/suppressions', { email: 'Bob@example.org', lanes: ['campaign'] });
    await client.call('POST', '/api/contacts', {
      contacts: [{ email: 'Bob@example.org' }, { linkedinId: 'x' }],
    });
    ids.set('account', ((await client.call('POST', '/api/accounts', file)).data as { id: string }).id);
  });
  afterAll(async () => {
    serving.tell('SIGTERM');
    await serving.ended;
    await cli.close();
    await database.drop();
  });

  test.each<[string, string]>([
    ['queue ls --limit 50', '/api/messages'],
    ['queue ls --state dead,held --limit 1', '/api/messages?state=dead,held&limit=1'],
    ['queue ls --q later --lane outbox', '/api/messages?q=later&lane=outbox'],
    ['queue ls --to ada+drop@example.org', '/api/messages?to=ada%2Bdrop%40example.org'],
    ['queue ls --account account', '/api/messages?accountId=account'],
    ['queue show sent', '/api/messages/sent'],
    ['queue show dead', '/api/messages/dead'],
    ['queue show held', '/api/messages/held'],
    ['queue explain held', '/api/messages/held/explain'],
    ['queue explain later', '/api/messages/later/explain'],
    ['queue causes', '/api/messages/dead-groups'],
    ['accounts ls', '/api/accounts'],
    ['accounts ls --limit 1', '/api/accounts?limit=1'],
    ['keys ls', '/api/keys'],
    ['suppressions ls', '/api/suppressions'],
    ['suppressions ls --q BOB --reason manual', '/api/suppressions?q=BOB&reason=manual'],
    ['suppressions ask bob@example.org', '/api/suppressions/ask?email=bob%40example.org'],
    ['contacts ls', '/api/contacts'],
    ['contacts ls --q bob --limit 1', '/api/contacts?q=bob&limit=1'],
    ['workspaces ls', '/api/workspaces'],
    ['inbox ls', '/api/inbox'],
    ['inbox show cgt_1', '/api/inbox/cgt_1'],
  ])('%s', async (words, url) => {
    const named = (word: string) => ids.get(word) ?? word;
    const args = words.split(' ').map((word, n, all) => (all[n - 1] === '--q' ? word : named(word)));
    const path = url.replace(/(?<=[/=])(sent|dead|held|later|account)(?=$|\/)/g, (word, _, at) =>
      url.slice(0, Number(at)).endsWith('q=') ? word : named(word),
    );
    const { status, data } = await client.call('GET', path);
    expect(status).toBe(200);
    // The catcher of that process is where its default account sends; this command has none of its own.
    const ofProcess = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value)
          .replace(/\{"kind":"(?:process"|smtp","url":"smtp:[^"]*")\}/g, '{}')
          .replace(/"smtpUrl":(?:null|"[^"]*")/g, '"smtpUrl":null'),
      ) as unknown;
    expect(ofProcess(await cli.json(...args))).toEqual(ofProcess(data));
  });

  test('send, and moves of one and of many', async () => {
    const put = () => client.call('POST', '/api/outbox', { ...MAIL, mode: 'queue', sendAt: AT });
    const [byApi, byCli] = [(await put()).data, await cli.json<Sent>(...SEND)];
    expect({ ...byCli, id: '' }).toEqual({ ...(byApi as Sent), id: '' });
    const volatile = { id: '', number: 0, messageId: '', dedupeKey: '', createdAt: '', updatedAt: '' };
    const cancelled = await client.call('POST', `/api/messages/${(byApi as Sent).id}/cancel`);
    expect({ ...(await cli.json<object>('queue', 'cancel', byCli.id)), ...volatile }).toEqual({
      ...(cancelled.data as object),
      ...volatile,
    });
    const many = { action: 'cancel', ids: [(byApi as Sent).id, 'msg_zzzz'] };
    const { data: refused } = await client.call('POST', '/api/messages/bulk', many);
    const { stdout, code } = await cli.run(['queue', 'cancel', ...many.ids, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual(refused);
    const { status, text } = await client.call('POST', '/api/messages/dead-groups/ffff/retry');
    expect(status).toBe(404);
    const unknown = await cli.run(['queue', 'retry', '--group', 'ffff']);
    expect(unknown.code).toBe(1);
    const { error } = JSON.parse(text) as { error: { message: string } };
    expect(unknown.stderr).toContain(error.message);
  });
});

interface Sent {
  readonly id: string;
}

const AT = '2031-03-03T09:00:00.000Z';
const MAIL = { to: 'bob@example.org', subject: 'Both ways', text: 'x' };
const SEND = ['send', '--to', MAIL.to, '--subject', MAIL.subject, '--text', MAIL.text, '--at', AT];
