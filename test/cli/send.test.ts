import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPillarbox } from 'pillarbox';
import { databases, freshSqlite, type FreshDatabase } from '../databases.js';
import { Cli } from './cli.js';

describe.each(databases)('send on $name', ({ fresh }) => {
  let database: FreshDatabase;
  let cli: Cli;
  let directory: string;

  beforeAll(async () => {
    database = await fresh();
    cli = new Cli({ DATABASE_URL: database.url, MAIL_FROM: 'Box <box@example.org>' });
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-send-'));
  });
  afterEach(() => cli.close());
  afterAll(async () => {
    await rm(directory, { recursive: true });
    await database.drop();
  });

  test('stores a mail and says its id', async () => {
    const { code, stdout, stderr } = await cli.run([...TO_ADA, '--subject', 'Hello', '--text', 'Hello.']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, id] = /^○ Scheduled {2}(msg_\w+)\n$/.exec(stdout)!;
    expect((await storedIn(database))[0]).toMatchObject({
      id,
      subject: 'Hello',
      to: { email: 'ada@example.org' },
    });
  });

  test('with --json prints what the API would answer', async () => {
    const at = '2031-03-03T09:00:00.000Z';
    const sent = await cli.json<object>(...TO_ADA, '--subject', 'Later', '--text', 'x', '--at', at);
    expect(sent).toEqual({
      delivered: false,
      id: expect.stringMatching(/^msg_/) as string,
      state: 'scheduled',
      nextAttemptAt: at,
    });
  });

  test('takes bodies from files and from standard input, and everything else a mail can have', async () => {
    const html = join(directory, 'body.html');
    const file = join(directory, 'größe.pdf');
    await writeFile(html, '<p>Größe</p>');
    await writeFile(file, 'PDF');
    const args = [
      ...['send', '--to', 'Ada Lovelace <ada@EXAMPLE.org>', '--subject', 'Whole', '--text', '@-'],
      ...['--html', `@${html}`, '--cc', 'bob@example.org', '--cc', 'Cy <cy@example.org>'],
      ...['--bcc', 'eve@example.org', '--reply-to', 'desk@example.org', '--attach', file],
      ...['--expires', '2031-03-03T09:00:00Z', '--json'],
    ];
    const { code, stdout, stderr } = await cli.run(args, 'from standard input\n');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { id } = JSON.parse(stdout) as { id: string };
    const shown = await cli.json<{ to: object; expiresAt: string }>('queue', 'show', id);
    expect(shown).toMatchObject({
      to: { email: 'ada@example.org', name: 'Ada Lovelace' },
      expiresAt: '2031-03-03T09:00:00.000Z',
    });
  });

  test('a known key stores nothing new; the same key for another mail fails', async () => {
    const args = [...TO_ADA, '--subject', 'Once', '--text', 'x', '--key', 'booking:7'];
    const { id } = await cli.json<{ id: string }>(...args);
    expect(await cli.json(...args)).toEqual({ duplicate: true, id, state: 'scheduled' });
    expect((await cli.run(args)).stdout).toBe(
      `○ Scheduled  ${id}  (this key was known; nothing new was stored)\n`,
    );
    const other = await cli.run([...args, '--subject', 'Twice', '--json']);
    expect(other).toEqual({
      code: 1,
      stdout: '',
      stderr: 'idempotencyKey: was used before, for a mail with different content\n',
    });
  });

  test('a workspace sees only its own', async () => {
    const args = ['--subject', 'Elsewhere', '--text', 'x', '--workspace', 'other'];
    const { id } = await cli.json<{ id: string }>(...TO_ADA, ...args);
    expect(await cli.run(['queue', 'show', id])).toMatchObject({ code: 1, stdout: '' });
    expect(await cli.json('queue', 'show', id, '--workspace', 'other')).toMatchObject({
      subject: 'Elsewhere',
    });
  });
});

const TO_ADA = ['send', '--to', 'ada@example.org'];
const HELLO = ['--subject', 'Bad', '--text', 'x'];

describe('wrong usage is exit 2 and one line that names it', () => {
  let database: FreshDatabase;
  let cli: Cli;

  beforeAll(async () => {
    database = await freshSqlite();
    cli = new Cli({ DATABASE_URL: database.url });
  });
  afterEach(() => cli.close());
  afterAll(() => database.drop());

  test.each<[string, string[], RegExp]>([
    ['no recipient', ['send', ...HELLO], /^error: required option '--to <address>' not specified\n/],
    ['no subject', [...TO_ADA, '--text', 'x'], /--subject/],
    ['an address that is none', ['send', '--to', 'nobody', ...HELLO], /^to: has no @/],
    ['two addresses', ['send', '--to', 'a@example.org, b@example.org', ...HELLO], /^to: /],
    ['a bad copy', [...TO_ADA, ...HELLO, '--cc', 'nobody'], /^cc: has no @/],
    [
      'a header in the subject',
      [...TO_ADA, '--subject', 'a\r\nBcc: eve@example.org', '--text', 'x'],
      /^subject: /,
    ],
    [
      'a terminal escape in the subject',
      [...TO_ADA, '--subject', '\u001b[31mred', '--text', 'x'],
      /^subject: /,
    ],
    ['a time that is none', [...TO_ADA, ...HELLO, '--at', 'tomorrow'], /^sendAt: is not an ISO 8601 instant/],
    ['a file that is not there', [...TO_ADA, '--subject', 'Bad', '--text', '@/no/such'], /^text: .*ENOENT/],
    ['an attachment that is not there', [...TO_ADA, ...HELLO, '--attach', '/no/such'], /^attach: .*ENOENT/],
    ['an option that does not exist', [...TO_ADA, ...HELLO, '--urgent'], /^error: unknown option '--urgent'/],
    ['an argument too many', [...TO_ADA, ...HELLO, 'now'], /too many arguments/],
  ])('%s', async (_what, args, expected) => {
    const { code, stdout, stderr } = await cli.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(expected);
    expect(stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  test('and nothing was stored', async () => {
    expect(await storedIn(database)).toEqual([]);
  });
});

async function storedIn({ url }: FreshDatabase) {
  const box = await createPillarbox({ databaseUrl: url });
  const { items } = await box.messages.list({ limit: 200 });
  await box.stop();
  return items;
}
