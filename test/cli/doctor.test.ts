import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPillarbox } from 'pillarbox';
import { databases, type FreshDatabase } from '../databases.js';
import { Cli } from './cli.js';

describe.each(databases)('doctor of faulty settings on $name', ({ name, fresh }) => {
  let database: FreshDatabase;
  let cli: Cli;

  beforeAll(async () => {
    database = await fresh();
    const secret = 'a secret for tests, of some length';
    const box = await createPillarbox({ databaseUrl: database.url, secret, allowPrivateHosts: true });
    const transport = { kind: 'smtp', url: 'smtp://ada:hunter2@127.0.0.1:1' } as const;
    await box.home.accounts.create({ name: 'sealed', status: 'paused', transport });
    await box.stop();
    cli = new Cli({ DATABASE_URL: database.url, PILLARBOX_SECRET: secret });
  });
  afterAll(() => database.drop());

  test.each([
    [{ SMTP_URL: 'smtp://ada@mail.example.org' }, 'accounts', /SMTP_URL: it has a user but no password; /],
    [
      { PILLARBOX_SECRET: 'short' },
      'secrets',
      /1 stored .*, not tried\. PILLARBOX_SECRET: should be at least 32/,
    ],
  ])(
    'what %o is needed for says what is wrong with it, not that it is missing',
    async (env, what, expected) => {
      const { code, stdout } = await cli.with(env).run(['doctor']);
      expect(code).toBe(3);
      const [variable] = Object.keys(env);
      expect(stdout).toMatch(new RegExp(`^■ settings +${variable}: `, 'm'));
      expect(stdout).toMatch(new RegExp(`^◆ ${what} +.*${expected.source}`, 'm'));
      expect(stdout).not.toContain(`${variable} is not set`);
      expect(stdout).toMatch(/\n1 fault, /);
    },
  );

  test('nothing is made up about a key that is faulty', async () => {
    const { stdout } = await cli.with({ PILLARBOX_API_KEY: 'short' }).run(['doctor', '--no-verify']);
    expect(stdout.match(/api key/g)).toHaveLength(1);
  });

  test('a file of certificates that is not there is told by the name of the variable', async () => {
    const asked = cli.with({ SMTP_URL: 'smtp://mail.example.org?ca=/nowhere/ca.pem' });
    const fault = 'default: SMTP_URL: ca= names /nowhere/ca.pem, which cannot be read (ENOENT).';
    expect((await asked.run(['doctor'])).stdout).toContain(fault);
    const { stdout } = await asked.run(['accounts', 'verify', 'default']);
    expect(stdout).toContain(`default  ${fault.slice('default: '.length, -1)}`);
  });

  test('a direct way that leads nowhere is told by its own name', async () => {
    const direct = cli.with({ DATABASE_DIRECT_URL: 'postgres://ada:geheim@127.0.0.1:1/x' });
    const { stdout } = await direct.run(['doctor', '--no-verify']);
    // On SQLite there is nothing that it could be for.
    const expected =
      name === 'SQLite' ? /^● database/m : /^■ database .*ECONNREFUSED.*in DATABASE_DIRECT_URL$/m;
    expect(stdout).toMatch(expected);
  });

  test('the broker is looked for also when the database is not to be had', async () => {
    const lost = { DATABASE_URL: 'mysql://x', AMQP_URL: 'amqp://ada:geheim@127.0.0.1:1' };
    const { stdout } = await new Cli(lost).run(['doctor']);
    expect(stdout).toMatch(
      /^■ settings +DATABASE_URL: .*\n■ broker +AMQP_URL: nobody answers \(ECONNREFUSED\)\n2 faults/,
    );
  });
});
