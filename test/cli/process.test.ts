import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { Cli, useCli } from './cli.js';

/** What a command is beside its answer: a process that is started, read from, written to, and ends. */
describe.each(databases)('a command is a process, on $name', ({ fresh }) => {
  const cli = useCli(fresh);

  test('it reads what is piped into it', async () => {
    const send = ['send', '--to', 'ada@example.org', '--subject', 'Piped', '--text', '@-', '--html', '@-'];
    const { code, stdout, stderr } = await cli.runAlone(send, 'from standard input\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^○ Scheduled {2}msg_\w+\n$/);
  });

  test('nothing that it opened keeps it from ending, and it ends with its exit code', async () => {
    const ended = (...args: string[]) => cli.runAlone(args);
    expect(await ended('keys', 'ls')).toMatchObject({ code: 0, stderr: '' });
    expect(await ended('inbox', 'ls')).toMatchObject({ code: 0, stderr: '' });
    expect(await ended('queue', 'cancel', 'msg_zzzz')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'msg_zzzz: there is no message msg_zzzz\n',
    });
    expect(await ended('forget', 'nobody')).toMatchObject({ code: 2, stdout: '' });
    const unreachable = cli.with({ SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(await unreachable.runAlone(['doctor'])).toMatchObject({ code: 3, stderr: '' });
  });

  test('a reader that goes away early is no fault', async () => {
    const listing = cli.start(['queue', 'ls']);
    listing.stopReading();
    expect(await listing.ended).toMatchObject({ code: 0, stderr: '' });
  });
});

test('help and wrong usage are answered without a database', async () => {
  const cli = new Cli({ DATABASE_URL: 'sqlite:/dev/null/never-opened.db' });
  expect((await cli.runAlone(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(await cli.runAlone(['queues'])).toMatchObject({ code: 2, stdout: '' });
});

test('several command lines in one process do not see each other', async () => {
  const pretty = new Cli({ DATABASE_URL: 'mysql://x' });
  const plain = new Cli({ DATABASE_URL: 'mysql://x', LC_ALL: 'C' });
  const [first, second] = await Promise.all([pretty.run(['doctor']), plain.run(['doctor'])]);
  expect(first).toMatchObject({ code: 3, stdout: expect.stringMatching(/^■ settings/) as string });
  expect(second).toMatchObject({ code: 3, stdout: expect.stringMatching(/^x settings/) as string });
  expect(process.exitCode).toBeUndefined();
});
