import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createPillarbox, type Pillarbox } from 'pillarbox';
import { prepareAccess, refuseWithoutAccess } from '#pillarbox/access/first-run';
import { Gatekeeper } from '#pillarbox/access/gatekeeper';
import { findSecret } from '#pillarbox/access/secret';
import { silent } from '#pillarbox/log/log';
import { listApiKeys, revokeApiKey } from '#pillarbox/store/scripts/api-keys';
import { databases, type FreshDatabase } from '../databases.js';

const NOTHING_GIVEN = { apiKey: undefined, adminEmail: undefined, adminPassword: undefined };
const KEY = 'a-key-of-twenty-four-characters';
const PASSWORD = 'correct horse battery staple';

describe.each(databases)('the first run on $name', ({ fresh }) => {
  let database: FreshDatabase;
  let boxes: Pillarbox[];

  beforeEach(async () => {
    database = await fresh();
    boxes = await Promise.all([1, 2, 3].map(() => createPillarbox({ databaseUrl: database.url })));
  });
  afterEach(async () => {
    await Promise.all(boxes.map((box) => box.stop()));
    await database.drop();
  });

  const prepare = (box: Pillarbox, given = {}) =>
    prepareAccess(box.store, box.home.id, { ...NOTHING_GIVEN, ...given });
  const gatekeeper = () => new Gatekeeper(boxes[0]!.store, boxes[0]!.home.id);

  test('of several processes that start at once, one makes an admin and one a key; both work', async () => {
    const made = await Promise.all(boxes.map((box) => prepare(box)));
    const passwords = made.flatMap(({ adminPassword }) => adminPassword ?? []);
    const keys = made.flatMap(({ apiKey }) => apiKey ?? []);
    expect(passwords).toHaveLength(1);
    expect(keys).toHaveLength(1);
    await expect(gatekeeper().logIn('admin@localhost', passwords[0]!, 'here')).resolves.toBeTruthy();
    expect((await gatekeeper().ofKey(keys[0]!))?.scopes.has('admin')).toBe(true);
    expect(await prepare(boxes[0]!)).toEqual({
      adminEmail: 'admin@localhost',
      adminPassword: undefined,
      apiKey: undefined,
    });
  });

  test('what is given is taken, told to nobody, and another key ends the former', async () => {
    const given = { apiKey: KEY, adminEmail: 'Ada@Example.ORG', adminPassword: PASSWORD };
    const made = await Promise.all(boxes.map((box) => prepare(box, given)));
    for (const each of made) {
      expect(each).toEqual({ adminEmail: 'ada@example.org', adminPassword: undefined, apiKey: undefined });
    }
    await expect(gatekeeper().logIn('ada@example.org', PASSWORD, 'here')).resolves.toBeTruthy();
    expect(await gatekeeper().ofKey(KEY)).toBeDefined();
    await prepare(boxes[1]!, { ...given, apiKey: `${KEY}-2` });
    expect(await gatekeeper().ofKey(KEY)).toBeUndefined();
    expect(await gatekeeper().ofKey(`${KEY}-2`)).toBeDefined();
  });

  test('a key that was revoked is not replaced behind the back of who revoked it', async () => {
    const [box] = boxes as [Pillarbox];
    await prepare(box);
    const [key] = await box.store.read(listApiKeys(box.store, box.home.id, Number.MAX_SAFE_INTEGER, 9));
    await box.store.transaction(revokeApiKey(box.store, box.home.id, key!.id, await box.store.now()));
    expect((await prepare(box)).apiKey).toBeUndefined();
  });

  test('nothing is opened to other machines before somebody set a password and a key', async () => {
    const [box] = boxes as [Pillarbox];
    const refuse = (given = {}) =>
      refuseWithoutAccess(box.store, box.home.id, { ...NOTHING_GIVEN, ...given }, '0.0.0.0');
    await expect(refuse()).rejects.toMatchObject({
      code: 'invalid_config',
      message: expect.stringMatching(/^HOST: 0\.0\.0\.0 .*PILLARBOX_ADMIN_PASSWORD and PILLARBOX_API_KEY/),
    });
    await expect(refuse({ apiKey: KEY })).rejects.toMatchObject({
      message: expect.stringMatching(/set PILLARBOX_ADMIN_PASSWORD first/),
    });
    await expect(refuse({ apiKey: KEY, adminPassword: PASSWORD })).resolves.toBeUndefined();
    await prepare(box);
    await expect(refuse()).resolves.toBeUndefined();
  });
});

describe('the secret', () => {
  let directory: string;
  const url = () => `sqlite:${join(directory, 'data', 'mail.db')}`;
  const file = () => join(directory, 'data', 'mail.db.secret');

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-secret-'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test('is kept beside a SQLite file, for its owner only, and found again', async () => {
    const secret = findSecret(undefined, url(), silent);
    expect(secret.length).toBeGreaterThanOrEqual(43);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await readFile(file(), 'utf8')).trim()).toBe(secret);
    expect(findSecret(undefined, url(), silent)).toBe(secret);
  });

  test('that is given is used, and none is kept', async () => {
    expect(findSecret('given', url(), silent)).toBe('given');
    await expect(stat(file())).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('must be given with PostgreSQL', () => {
    expect(() => findSecret(undefined, 'postgres://db/mail', silent)).toThrow(/^PILLARBOX_SECRET: is needed/);
    expect(findSecret('given', 'postgres://db/mail', silent)).toBe('given');
  });

  test('that others may read is warned of [T26]', async () => {
    findSecret(undefined, url(), silent);
    await rm(file());
    await writeFile(file(), 'kept\n', { mode: 0o644 });
    const warn = vi.fn();
    expect(findSecret(undefined, url(), { ...silent, warn })).toBe('kept');
    expect(warn).toHaveBeenCalledOnce();
  });

  test('that cannot be kept or read stops the start', async () => {
    expect(() => findSecret(undefined, 'sqlite:/dev/null/x.db', silent)).toThrow(/cannot be kept.*ENOTDIR/);
    findSecret(undefined, url(), silent);
    await writeFile(file(), '');
    expect(() => findSecret(undefined, url(), silent)).toThrow(/cannot be kept/);
  });
});
