import { chown, copyFile, chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createPillarbox } from 'pillarbox';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { freePorts } from '../../scripts/services/ports.mjs';
import { PATIENCE_MS } from '../patience.js';
import { privatePostgres, required, type PrivatePostgres } from '../postgres.js';
import { Cli } from './cli.js';

const TLS = fileURLToPath(new URL('../fixtures/tls/', import.meta.url));

/** One line with a remedy, as `PillarboxError` and from the command line, where the variable is named that was set. */
describe('a connection that can not be had', () => {
  let server: PrivatePostgres;

  beforeAll(async () => {
    server = await privatePostgres();
    const { dataDirectory } = server;
    const { uid, gid } = await stat(dataDirectory);
    for (const [from, to] of [
      ['cert.pem', 'server.crt'],
      ['key.pem', 'server.key'],
    ] as const) {
      const path = join(dataDirectory, to);
      await copyFile(join(TLS, from), path);
      await chmod(path, 0o600);
      await chown(path, uid, gid);
    }
    const rules = join(dataDirectory, 'pg_hba.conf');
    const locked = [
      ...['hostnossl all encrypted all reject', 'host all guarded all scram-sha-256'],
      'host all barred all reject',
    ];
    await writeFile(rules, [...locked, await readFile(rules, 'utf8')].join('\n'));
    const admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    await admin.query("create role guarded login password 'right'");
    for (const role of ['encrypted', 'barred']) await admin.query(`create role ${role} login`);
    await admin.query('create schema pillarbox authorization encrypted');
    await admin.query('alter system set ssl = on');
    await admin.query('select pg_reload_conf()');
    // The reload is asked for, and done when the server comes to it.
    await vi.waitUntil(async () => (await told('guarded:wrong')).code === '28P01', { timeout: PATIENCE_MS });
    await admin.end();
  });
  afterAll(() => server.stop());

  /** What the driver itself says. */
  async function told(user: string): Promise<{ code?: string }> {
    const client = new pg.Client({ connectionString: at(user) });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return {};
    } catch (error) {
      return error as { code?: string };
    } finally {
      await client.end();
    }
  }

  const at = (user: string, more: { host?: string; database?: string; query?: string } = {}): string => {
    const { host, pathname } = new URL(server.url);
    return `postgres://${user}@${more.host ?? host}/${more.database ?? pathname.slice(1)}${more.query ?? ''}`;
  };

  const refused = async (databaseUrl: string, words: RegExp) => {
    const inLibrary = { name: 'PillarboxError', message: expect.stringMatching(words) as string };
    await expect(createPillarbox({ databaseUrl })).rejects.toMatchObject(inLibrary);
    const { code, stderr, stdout } = await new Cli({ DATABASE_URL: databaseUrl }).run(['queue', 'ls']);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(new RegExp(words.source.replaceAll('databaseUrl', 'DATABASE_URL')));
    expect(stderr).not.toMatch(/wrong|databaseUrl/);
  };

  test('a wrong password, a role that is not let in, a database that is not there', async () => {
    await refused(at('guarded:wrong'), /28P01.*correct user and password in databaseUrl/);
    await refused(at('barred'), /28000.*let this user in by its pg_hba\.conf/);
    await refused(at('nobody_of_that_name'), /28000.*does not exist; correct the user in databaseUrl/);
    await refused(at('postgres', { database: 'nowhere' }), /3D000.*"nowhere" does not exist; create it/);
  });

  test('TLS that is demanded, not offered, or signed by a CA that nobody knows', async () => {
    await refused(at('encrypted'), /add \?sslmode=require to databaseUrl if the server demands TLS/);
    await refused(
      at('encrypted', { query: '?sslmode=verify-full' }),
      /a CA that is unknown here.*sslrootcert=/,
    );
    const plain = new URL(required('TEST_POSTGRES_URL'));
    plain.searchParams.set('sslmode', 'require');
    await refused(plain.href, /offers no TLS, which databaseUrl asks for/);
    const missing = at('encrypted', { query: '?sslmode=verify-full&sslrootcert=/nowhere/ca.pem' });
    await refused(missing, /^databaseUrl: names the file \/nowhere\/ca\.pem, which can't be read \(ENOENT\)/);
    const named = at('encrypted', { query: `?sslmode=verify-full&sslrootcert=${TLS}cert.pem` });
    const box = await createPillarbox({ databaseUrl: named });
    await box.stop();
  });

  test('a host that is unknown, a port where nothing listens, a URL that is none', async () => {
    await refused(
      at('postgres', { host: 'nowhere.invalid' }),
      /name of the host is unknown here.*databaseUrl/,
    );
    const [port = 0] = await freePorts(1);
    await refused(
      at('postgres', { host: `127.0.0.1:${String(port)}` }),
      /nothing listens at 127\.0\.0\.1:\d+/,
    );
    await refused(
      'postgres://ada:wrong@[127.0.0.1/x',
      /^databaseUrl: should be postgres:\/\/user:password@host/,
    );
  });

  test.each([
    ['/sys/nowhere', 'this process must be allowed to write into /sys'],
    ['/dev/shm/no/where', 'there is no /dev/shm/no; make that one first, or correct the path'],
  ])('a directory that can not be made is named, and why: %s', async (directory, why) => {
    const cli = new Cli({ DATABASE_URL: `sqlite:${directory}/mail.db` });
    const { code, stderr } = await cli.run(['queue', 'ls']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `SQLite could not make the directory ${directory}: ${why}\n`,
    });
  });
});
