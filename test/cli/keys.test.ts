import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Gatekeeper } from '#pillarbox/access/gatekeeper';
import { createPillarbox } from '#pillarbox/pillarbox';
import { ask } from '#pillarbox/store/script';
import { databases, type FreshDatabase } from '../databases.js';
import { Cli } from './cli.js';

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
  let database: FreshDatabase;
  let cli: Cli;

  beforeEach(async () => {
    database = await fresh();
    cli = new Cli({ DATABASE_URL: database.url });
  });

  afterEach(async () => {
    await cli.close();
    await database.drop();
  });

  /** What the service would say to that key, and what the audit log holds. */
  async function inside(key: string) {
    const box = await createPillarbox({ databaseUrl: database.url });
    try {
      const principal = await new Gatekeeper(box.store, box.home.id).ofKey(key);
      const deeds = await box.store.read(ask(box.store.db.selectFrom('audit').selectAll().orderBy('id')));
      return { scopes: principal && [...principal.scopes], deeds };
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
    const { scopes, deeds } = await inside(key);
    expect(scopes).toBeUndefined();
    expect(deeds).toMatchObject([
      { actor: 'command line', action: 'key.create', target: id },
      { actor: 'command line', action: 'key.delete', target: id },
    ]);
    expect(JSON.stringify(deeds)).not.toContain(key);
    expect(await cli.run(['keys', 'revoke', id!])).toMatchObject({
      code: 1,
      stderr: `there is no key ${id!}, or it was revoked\n`,
    });
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
