import { createServer, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPillarbox } from 'pillarbox';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';
import { required } from '../postgres.js';
import { ScriptedServer } from '../smtp/scripted-server.js';
import { Cli } from './cli.js';

const NEVER_OPENED = { DATABASE_URL: 'sqlite:/dev/null/never-opened.db' };
const COMMANDS = [
  ['serve'],
  ['migrate'],
  ['work'],
  ['send', '--to', 'ada@example.org', '--subject', 'x', '--text', 'x'],
  ['queue', 'ls'],
  ['catcher', '--port', '0'],
];

describe('settings', () => {
  test.each(COMMANDS)('an unknown or malformed one stops %s with a line that names it', async (...args) => {
    const cli = new Cli({ ...NEVER_OPENED, PILLARBOX_CONCURENCY: '5', LOG_LEVEL: 'loud' });
    expect(await cli.run(args)).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'LOG_LEVEL: should be one of trace, debug, info, warn, error, fatal\n' +
        'PILLARBOX_CONCURENCY: is not a setting; did you mean PILLARBOX_CONCURRENCY?\n',
    });
  });

  test.each([
    [{ SMTP_URL: 'smtp://ada:geheim/77@mail.example.org' }, /^SMTP_URL: .*%/],
    [{ SMTP_URL: 'mail.example.org:geheim' }, /^SMTP_URL: give smtp:/],
    [{ DATABASE_URL: 'mysql://ada:geheim@db/x' }, /^DATABASE_URL: should be sqlite:<path> or postgres:/],
    [{ AMQP_URL: 'amqp://ada:geheim@mq:99999/' }, /^AMQP_URL: should be amqp:/],
    [{ PILLARBOX_API_KEY: 'geheim' }, /^PILLARBOX_API_KEY: should be at least 24 characters/],
  ])('a secret in the wrong place is not repeated', async (env, expected) => {
    const { code, stdout, stderr } = await new Cli({ ...NEVER_OPENED, ...env }).run(['work']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('geheim');
  });

  test('work needs to know where to send', async () => {
    const { code, stderr } = await new Cli(NEVER_OPENED).run(['work']);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'SMTP_URL: is needed to send; should be smtp://user:password@host:port\n',
    });
  });
});

describe('help', () => {
  const cli = new Cli(NEVER_OPENED);

  test('is there for every command, with --json where there is data, and opens no database', async () => {
    const { code, stdout } = await cli.run(['--help']);
    expect(code).toBe(0);
    for (const command of ['serve', 'migrate', 'work', 'send', 'queue', 'doctor', 'catcher']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${command}\\b`, 'm'));
    }
    for (const args of [
      ...COMMANDS.map(([name]) => [name!]),
      ['doctor'],
      ['queue', 'ls'],
      ['queue', 'resolve'],
    ]) {
      const help = await cli.run([...args, '--help']);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toMatch(args.join() === 'queue' ? /resolve/ : /--json/);
    }
  });

  test('no command at all is wrong usage, and shows what there is', async () => {
    const { code, stdout, stderr } = await cli.run([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Usage: pillarbox/);
  });

  test('--version is that of the package', async () => {
    expect((await cli.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe.each(databases)('doctor on $name', ({ name, fresh }) => {
  let database: FreshDatabase;
  let cli: Cli;

  beforeAll(async () => {
    database = await fresh();
    cli = new Cli({ DATABASE_URL: database.url, PILLARBOX_SECRET: 'a secret for tests, of some length' });
    await cli.json('keys', 'create', '--workspace', 'default', '--scopes', 'admin');
  });
  afterEach(() => cli.close());
  afterAll(() => database.drop());

  test('finds nothing wrong where nothing is, and sends nothing', async () => {
    const server = await ScriptedServer.start();
    const { code, stdout, stderr } = await cli
      .with({ SMTP_URL: `smtp://127.0.0.1:${server.port}` })
      .run(['doctor']);
    await server.close();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      new RegExp(
        `^● database {3}${name} [\\d.]+, schema \\d+, round trip [\\d.]+ ms(?:, clock skew \\d+ ms)?\\n` +
          '◆ workers {4}none alive; nothing is due\\. Start one: pillarbox work\\n' +
          '● queue {6}no message waits for a person\\n● secrets {4}no credentials are stored\\n' +
          '● accounts {3}1 of 1 verify\\.\\n● api key {4}there is one\\. All of them: pillarbox keys ls\\n' +
          '● time zones as of \\d{4}\\w*\\n' +
          '0 faults, 1 to look at\\.\\n$',
      ),
    );
    expect(server.commands.map((command) => command.slice(0, 4))).toEqual(['EHLO', 'QUIT']);
  });

  test('finds a server that refuses the password: exit 3, and the password is not told', async () => {
    const server = await ScriptedServer.start({
      ehlo: '250-x\r\n250 AUTH PLAIN\r\n',
      other: '535 5.7.8 geheim-77 is not it\r\n',
    });
    const asked = cli.with({ SMTP_URL: `smtp://ada:geheim-77@127.0.0.1:${server.port}` });
    const { code, stdout, stderr } = await asked.run(['doctor']);
    const json = await asked.run(['doctor', '--json']);
    await server.close();
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    expect(stdout).toMatch(
      /^■ accounts {3}0 of 1 verify\. default: 535 5\.7\.8 \[hidden\] is not it\b.*\.$/m,
    );
    expect(stdout).toMatch(/\n1 fault, 1 to look at\. Exit 3\.\n$/);
    expect(json.code).toBe(3);
    expect(JSON.parse(json.stdout)).toMatchObject({
      faults: 1,
      findings: [
        { what: 'database', level: 'fine' },
        { what: 'workers', level: 'look' },
        { what: 'queue', level: 'fine' },
        { what: 'secrets', level: 'fine' },
        { what: 'accounts', level: 'act' },
        { what: 'api key', level: 'fine' },
        { what: 'time zones', level: 'fine' },
      ],
    });
    expect(stdout + json.stdout).not.toContain('geheim');
  });

  test('names the paused account, the credentials that no secret opens, and due mail without a worker', async () => {
    const url = 'smtp://ada:hunter2@127.0.0.1:1';
    const box = await createPillarbox({
      databaseUrl: database.url,
      secret: 'another secret, of the same length',
      allowPrivateHosts: true,
    });
    const { accounts } = box.home;
    const sealed = await accounts.create({ name: 'sealed', transport: { kind: 'smtp', url } });
    const paused = { status: 'paused', pauseReason: 'bounces 6.1 %, limit 5 %' } as const;
    const open = { kind: 'smtp', url: 'smtp://127.0.0.1:1' } as const;
    await accounts.create({ name: 'hello@', transport: open, ...paused });
    await box.outbox.enqueue({ to: 'ada@example.org', subject: 'Due', text: 'x' });
    await box.stop();
    const { code, stdout } = await cli.run(['doctor', '--no-verify']);
    expect(code).toBe(3);
    expect(stdout).toMatch(
      /^◆ accounts {3}2 of 3 are open\. hello@ is paused: bounces 6\.1 %, limit 5 %\.$/m,
    );
    expect(stdout).toMatch(
      /^■ workers {4}none alive; oldest due message [\d.]+ s\. Start one: pillarbox work$/m,
    );
    expect(stdout).toMatch(
      new RegExp(
        `^■ secrets {4}1 of 1 stored credential can't be opened \\(${sealed.id}\\)\\. PILLARBOX_SECRET: `,
        'm',
      ),
    );
    expect(stdout).toMatch(/\n2 faults, 1 to look at\. Exit 3\.\n$/);
    expect(stdout).not.toContain('hunter2');
    const right = cli.with({
      PILLARBOX_SECRET: 'another secret, of the same length',
      PILLARBOX_ALLOW_PRIVATE_HOSTS: '1',
    });
    const { stdout: verified } = await right.run(['doctor']);
    expect(verified).toMatch(/^● secrets {4}1 stored credential can be opened$/m);
    expect(verified).toMatch(
      /^■ accounts {3}0 of 3 verify\. default: SMTP_URL is not set; .*sealed: ECONNREFUSED/m,
    );
  });

  test('counts the workers that answer', async () => {
    const server = await ScriptedServer.start();
    const sending = cli.with({
      SMTP_URL: `smtp://127.0.0.1:${server.port}`,
      PILLARBOX_SECRET: 'another secret, of the same length',
    });
    const worker = sending.start(['work']);
    await worker.said(/"working"/);
    // It says that it works a moment before its first heartbeat is written.
    await expect
      .poll(async () => (await sending.run(['doctor', '--no-verify'])).stdout)
      .toMatch(/^● workers {4}1 alive, oldest heartbeat \d\.\d s; /m);
    worker.tell('SIGTERM');
    await worker.ended;
    await server.close();
  });
});

describe('doctor', () => {
  let database: FreshDatabase;

  beforeAll(async () => {
    database = await freshSqlite();
  });
  afterAll(() => database.drop());

  test('without a mail server there is something to look at, and no fault', async () => {
    const { code, stdout } = await new Cli({ DATABASE_URL: database.url }).run(['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^◆ accounts {3}0 of 1 verify\. default: SMTP_URL is not set; /m);
    expect(stdout).toMatch(/\n0 faults, 3 to look at\.\n$/);
  });

  test('a database and a broker that do not answer are two faults', async () => {
    const port = await unusedPort();
    const { code, stdout } = await new Cli({
      DATABASE_URL: `postgres://ada:geheim@127.0.0.1:${port}/x`,
      AMQP_URL: `amqp://ada:geheim@127.0.0.1:${port}`,
    }).run(['doctor']);
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout:
        `■ database   PostgreSQL is not available (ECONNREFUSED): nothing listens at 127.0.0.1:${port}; ` +
        'start the server, or correct host and port in DATABASE_URL\n' +
        '■ broker     AMQP_URL: nobody answers (ECONNREFUSED)\n2 faults, 0 to look at. Exit 3.\n',
    });
  });

  test('a broker that answers is named, and what answers instead of one is told from it', async () => {
    const broker = new Cli({ DATABASE_URL: database.url, AMQP_URL: required('TEST_AMQP_URL') });
    expect((await broker.run(['doctor'])).stdout).toMatch(
      /^● broker {5}RabbitMQ \d+\.\d+\S* answers, \d+ ms(?:; \d queues are made when they are first used)?$/m,
    );
    const server = await ScriptedServer.start();
    const mistaken = new Cli({ DATABASE_URL: database.url, AMQP_URL: `amqp://127.0.0.1:${server.port}` });
    expect((await mistaken.run(['doctor'])).stdout).toMatch(
      /^■ broker {5}what answers there does not speak AMQP/m,
    );
    await server.close();
  });

  test('faulty settings are faults too', async () => {
    const cli = new Cli({ DATABASE_URL: database.url, PILLARBOX_API_KEY: 'short', LC_ALL: 'C' });
    const { code, stdout, stderr } = await cli.run(['doctor']);
    expect({ code, stderr }).toEqual({ code: 3, stderr: '' });
    // The rest is looked at all the same.
    expect(stdout).toMatch(
      /^x api key {4}PILLARBOX_API_KEY has 5 characters and needs at least 24\. Make one: openssl rand -hex 16\n\+ database /,
    );
    expect(stdout).toMatch(/\n1 fault, 2 to look at\. Exit 3\.\n$/);
    const lost = await new Cli({ DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' }).run(['doctor']);
    expect(lost.stdout).toMatch(/^■ settings {3}DATABASE_URL: .*\n■ settings {3}LOG_LEVEL: .*\n2 faults, 0 /);
  });
});

describe('a database that cannot be used [F32]', () => {
  test.each([
    ['sqlite:/proc/self/x.db', /^SQLite could not open .* write the file and its directory \/proc\/self\n$/],
    ['sqlite:/dev/null/x.db', /^SQLite could not (?:make the directory|open) /],
    [`sqlite:${fileURLToPath(import.meta.url)}`, /^SQLite could not do it: the file is not a database\n$/],
  ])('%s: exit 1, one line', async (url, expected) => {
    const { code, stdout, stderr } = await new Cli({ DATABASE_URL: url }).run(['queue', 'ls', '--json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(expected);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  test("on PostgreSQL the server's own words are shown", async () => {
    const url = new URL(required('TEST_POSTGRES_URL'));
    url.pathname = '/no_such_database';
    const { code, stdout, stderr } = await new Cli({ DATABASE_URL: url.href }).run(['queue', 'ls']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'PostgreSQL is not available (3D000): database "no_such_database" does not exist; ' +
        'create it, or correct the name at the end of DATABASE_URL\n',
    });
  });
});

async function unusedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
