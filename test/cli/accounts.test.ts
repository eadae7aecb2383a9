import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox, type Pillarbox } from 'pillarbox';
import { listAudit } from '#pillarbox/store/scripts/audit';
import { databases, type FreshDatabase } from '../databases.js';
import { ScriptedServer } from '../smtp/scripted-server.js';
import { Cli } from './cli.js';

const SECRET = 'a secret for tests, of some length';

interface Account {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly pauseReason: string | null;
}

describe.each(databases)('accounts on $name', ({ fresh }) => {
  let database: FreshDatabase;
  let server: ScriptedServer;
  let cli: Cli;

  beforeEach(async () => {
    database = await fresh();
    server = await ScriptedServer.start();
    const SMTP_URL = `smtp://127.0.0.1:${server.port}`;
    cli = new Cli({ DATABASE_URL: database.url, PILLARBOX_SECRET: SECRET, SMTP_URL });
    await looking(async ({ home }) => {
      const transport = { kind: 'smtp', url: 'smtp://ada:hunter2@127.0.0.1:1' } as const;
      await home.accounts.create({ name: 'bookings', emailAddress: 'bookings@house.test', transport });
    });
  });
  afterEach(async () => {
    await cli.close();
    await server.close();
    await database.drop();
  });

  async function looking<T>(look: (box: Pillarbox) => Promise<T>): Promise<T> {
    const box = await createPillarbox({
      databaseUrl: database.url,
      secret: SECRET,
      allowPrivateHosts: true,
      from: 'box@house.test',
    });
    return look(box).finally(() => box.stop());
  }

  test('ls tells who may send, who may not and why, and nothing that logs in', async () => {
    const { items } = await cli.json<{ items: Account[] }>('accounts', 'ls');
    expect(items).toMatchObject([
      { name: 'default', isDefault: true },
      {
        name: 'bookings',
        status: 'active',
        transport: { kind: 'smtp', url: 'smtp://ada:********@127.0.0.1:1' },
      },
    ]);
    await cli.json('accounts', 'pause', 'bookings', 'too many bounces');
    const { code, stdout, stderr } = await cli.run(['accounts', 'ls']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^ {2}STATE +NAME +ADDRESS +BY +WHY +ID$/);
    expect(lines[1]).toMatch(/^● Active +default +box@house\.test +smtp +acc_\w+$/);
    expect(lines[2]).toMatch(/^◆ Paused +bookings +bookings@house\.test +smtp +too many bounces +acc_\w+$/);
    expect(lines.at(-2)).toBe('2 accounts, 1 paused. Let one go on: pillarbox accounts resume ID');
    expect(stdout).not.toContain('hunter2');
  });

  test('are paused and resumed by id, name or address, and that is written down', async () => {
    const { items } = await cli.json<{ items: Account[] }>('accounts', 'ls');
    const { id } = items[1]!;
    const paused = await cli.json<Account>('accounts', 'pause', 'bookings@house.test', 'at night');
    expect(paused).toMatchObject({ id, status: 'paused', pauseReason: 'at night' });
    expect((await cli.run(['accounts', 'pause', id])).stdout).toBe(
      `◆ Paused bookings. Let it go on: pillarbox accounts resume ${id}\n`,
    );
    expect(await cli.json('accounts', 'resume', 'bookings')).toMatchObject({ id, status: 'active' });
    expect(await cli.run(['accounts', 'resume', 'nobody'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is no account nobody\n',
    });
    const entries = await looking(({ store, home }) => store.read(listAudit(store, home.id, 1e9, 50)));
    expect(entries).toMatchObject([
      {
        actor: 'command line',
        action: 'account.update',
        target: id,
        details: { body: { status: 'active' } },
      },
      { action: 'account.update', target: id, details: { body: { status: 'paused' } } },
      {
        action: 'account.update',
        details: { body: { status: 'paused', pauseReason: expect.stringMatching(/^text:/) as string } },
      },
    ]);
  });

  test('are tried without sending: exit 3 if one does not let us in', async () => {
    const { code, stdout, stderr } = await cli.run(['accounts', 'verify']);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toMatch(
      /^● default {2}connects and logs in\n■ bookings {2}ECONNREFUSED .*\n1 of 2 accounts verify\. Correct it, /,
    );
    expect(server.commands.map((command) => command.slice(0, 4))).toEqual(['EHLO', 'QUIT']);
    expect(await cli.json('accounts', 'verify', 'default')).toEqual({ ok: true, error: null, records: [] });
    const sealed = cli.with({ PILLARBOX_SECRET: 'another secret, of the same length' });
    const other = await sealed.run(['accounts', 'verify', 'bookings', '--json']);
    expect(other.code).toBe(3);
    expect(JSON.parse(other.stdout)).toMatchObject({ ok: false, error: { code: 'invalid_config' } });
    expect(other.stdout + stdout).not.toContain('hunter2');
  });

  test('dkim makes a key, tells the record to publish, and tells it again; off forgets it', async () => {
    const on = await cli.run(['accounts', 'dkim', 'bookings', '--selector', 's1']);
    expect({ code: on.code, stderr: on.stderr }).toEqual({ code: 0, stderr: '' });
    const [first, , record, , next] = on.stdout.split('\n');
    expect(first).toBe('● Mail of bookings is signed for house.test. Publish in its DNS:');
    expect(record).toMatch(
      /^s1\._domainkey\.house\.test\. IN TXT "v=DKIM1; k=rsa; p=[^"]{1,240}" "[^"]{1,255}"$/,
    );
    expect(next).toMatch(/^Then: pillarbox accounts verify acc_\w+$/);
    expect((await cli.run(['accounts', 'dkim', 'bookings'])).stdout).toBe(on.stdout);
    const shown = await cli.json<{ dkim: object }>('accounts', 'dkim', 'bookings');
    expect(shown.dkim).toMatchObject({ domain: 'house.test', selector: 's1' });
    expect(JSON.stringify(shown)).not.toMatch(/sealed|PRIVATE/);
    expect(await cli.run(['accounts', 'dkim', 'bookings', '--key', '/nowhere'])).toEqual({
      ...{ code: 2, stdout: '' },
      stderr: 'key: the file cannot be read (ENOENT)\n',
    });
    const off = await cli.run(['accounts', 'dkim', 'bookings', '--off']);
    expect(off).toEqual({ code: 0, stdout: '◆ Mail of bookings is no longer signed here.\n', stderr: '' });
  });

  test('the default one is paused and resumed by the short commands, which answer it', async () => {
    expect(await cli.json('pause', 'moving house')).toMatchObject({
      name: 'default',
      status: 'paused',
      pauseReason: 'moving house',
    });
    expect(await cli.json('resume')).toMatchObject({ name: 'default', status: 'active', pauseReason: null });
  });

  test('a workspace is made once, and others are not touched', async () => {
    const made = await cli.json<{ id: string }>('workspaces', 'create', 'Corner Shop');
    expect(made).toMatchObject({ id: expect.stringMatching(/^wsp_/) as string, name: 'Corner Shop' });
    expect(await cli.run(['workspaces', 'create', 'Corner Shop'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'there is a workspace Corner Shop already\n',
    });
    expect(await cli.json('accounts', 'ls', '--workspace', 'Corner Shop')).toMatchObject({
      items: [{ name: 'default' }],
    });
    expect((await cli.run(['workspaces', 'create', ' x'])).code).toBe(2);
  });
});
