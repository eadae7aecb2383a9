import { afterEach, describe, expect, test } from 'vitest';
import { Gatekeeper } from '#pillarbox/access/gatekeeper';
import { createPillarbox } from '#pillarbox/library/pillarbox';
import { ask } from '#pillarbox/store/script';
import { databases } from '../databases.js';
import { Cli, useCli } from './cli.js';

interface Key {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly workspaceId: string;
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

describe.each(databases)('keys and workspaces on $name', ({ fresh }) => {
  const cli = useCli(fresh);

  /** What the service would say to that key, and what the audit log holds. */
  async function inside(key: string) {
    const box = await createPillarbox({ databaseUrl: cli.databaseUrl });
    try {
      const principal = await new Gatekeeper(box.store, box.home.id).ofKey(key);
      const entries = await box.store.read(ask(box.store.db.selectFrom('audit').selectAll().orderBy('id')));
      return { scopes: principal && [...principal.scopes], entries };
    } finally {
      await box.stop();
    }
  }

  test('create makes the workspace and prints the key alone; revoke ends it, once', async () => {
    const made = await cli.run(['keys', 'create', '--workspace', 'Corner Shop', '--scopes', 'send,read']);
    expect(made.code).toBe(0);
    const key = made.stdout.trimEnd();
    expect(key).toMatch(/^pbx_[\w-]{43}$/);
    const [, id] = /shown only now\. End it: pillarbox keys revoke (key_\w+)\n$/.exec(made.stderr)!;
    expect((await inside(key)).scopes).toEqual(['send', 'read']);
    const { items } = await cli.json<Page<{ name: string }>>('workspaces', 'ls');
    expect(items.map(({ name }) => name)).toContain('Corner Shop');
    const revoked = await cli.run(['keys', 'revoke', id!]);
    expect(revoked).toMatchObject({
      code: 0,
      stdout: '● Revoked command line: the next request with it is refused.\n',
    });
    const { scopes, entries } = await inside(key);
    expect(scopes).toBeUndefined();
    expect(entries).toMatchObject([
      { actor: 'command line', action: 'key.create', target: id },
      { actor: 'command line', action: 'key.delete', target: id },
    ]);
    expect(JSON.stringify(entries)).not.toContain(key);
    expect(await cli.run(['keys', 'revoke', id!])).toMatchObject({
      code: 1,
      stderr: `there is no key ${id!}, or it was revoked\n`,
    });
  });

  test('create gives it an end, after a while or at an instant, and ls shows it', async () => {
    const create = ['keys', 'create', '--workspace', 'shop', '--scopes', 'read'];
    const [, ...json] = create;
    const inDays = await cli.json<Key & { createdAt: string; expiresAt: string }>(
      'keys',
      ...json,
      '--expires',
      '90d',
    );
    expect(Date.parse(inDays.expiresAt) - Date.parse(inDays.createdAt)).toBe(90 * 86_400_000);
    const at = await cli.run([...create, '--expires', '2099-01-02T03:04:05Z']);
    expect(at.stderr).toContain('in shop, until 2099-01-02T03:04:05.000Z, and is shown only now.');
    const { stdout } = await cli.run(['keys', 'ls']);
    expect(stdout.split('\n')[0]).toMatch(/ USED +EXPIRES +ID$/);
    expect(stdout).toContain('2099-01-02');
    for (const when of ['soon', '0d', '90', '2031-02-31T00:00:00Z']) {
      expect(await cli.run([...create, '--expires', when])).toMatchObject({ code: 2, stdout: '' });
    }
    const past = await cli.run([...create, '--expires', '2001-01-01T00:00:00Z']);
    expect(past).toMatchObject({ code: 2, stderr: 'expiresAt: should be in the future\n' });
    expect((await inside(inDays.key)).scopes).toEqual(['read']);
  });

  test('ls shows the keys of all workspaces or of one, without the keys themselves, and makes nothing', async () => {
    expect((await cli.run(['keys', 'ls'])).stdout).toMatch(/^There are no keys\. Make one: /);
    const keys: Key[] = [];
    for (const [workspace, name] of [
      ['shop', 'Till'],
      ['shop', 'Web'],
      ['school', 'Desk'],
    ] as const) {
      const flags = ['--workspace', workspace, '--scopes', 'admin', '--name', name];
      keys.push(await cli.json<Key>('keys', 'create', ...flags));
    }
    const { stdout } = await cli.run(['keys', 'ls']);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^NAME +WORKSPACE +MAY +KEY +USED +ID$/);
    expect(lines[1]).toMatch(new RegExp(`^Desk +school +admin +pbx_\\S{4}… +never +${keys[2]!.id}$`));
    expect(lines.at(-2)).toBe('3 keys shown. End one: pillarbox keys revoke ID');
    for (const { key } of keys) expect(stdout).not.toContain(key);
    const shop = await cli.json<Page<Key>>('keys', 'ls', '--workspace', 'shop', '--limit', '1');
    expect(shop.items).toMatchObject([{ name: 'Web', scopes: ['admin'] }]);
    const rest = await cli.json<Page<Key>>('keys', 'ls', '--workspace', 'shop', '--cursor', shop.nextCursor!);
    expect(rest).toMatchObject({ items: [{ name: 'Till' }], nextCursor: null });
    expect(await cli.run(['keys', 'ls', '--workspace', 'nowhere'])).toMatchObject({
      code: 1,
      stderr: 'there is no workspace nowhere\n',
    });
    const { stdout: table } = await cli.run(['workspaces', 'ls']);
    expect(table).toMatch(/^NAME +MADE +ID\nshop .*\nschool .*\n2 workspaces shown\. Its keys: /);
  });
});

describe('keys, wrongly used', () => {
  // What is wrong is told before any database is opened.
  const cli = new Cli({ DATABASE_URL: 'sqlite:/nonexistent/mail.db' });
  afterEach(() => cli.close());

  test.each([
    ['without a workspace', ['create', '--scopes', 'send'], /--workspace/],
    ['without scopes', ['create', '--workspace', 'shop'], /--scopes/],
    [
      'with an unknown scope',
      ['create', '--workspace', 'shop', '--scopes', 'send,root'],
      /send, read, operate, admin/,
    ],
    ['with a line break in a name', ['create', '--workspace', 'a\nb', '--scopes', 'send'], /one line/],
    ['with nothing to revoke', ['revoke'], /id/],
  ])('%s: exit 2 and what is missing', async (_, args, words) => {
    const { code, stdout, stderr } = await cli.run(['keys', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
  });

  test('help says what there is', async () => {
    const { code, stdout } = await cli.run(['keys', 'create', '--help']);
    expect(code).toBe(0);
    for (const word of ['--workspace', '--scopes', '--name', '--json']) expect(stdout).toContain(word);
  });
});
