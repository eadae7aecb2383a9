import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { startServices } from '../../scripts/services/index.mjs';
import { freePorts } from '../../scripts/services/ports.mjs';
import { isAlive, untilGone } from '../../scripts/services/processes.mjs';
import { PATIENCE_MS } from '../patience.js';
import { privatePostgres } from '../postgres.js';

const MAIN = fileURLToPath(new URL('../../scripts/services/main.mjs', import.meta.url));

/** What a test leaves to be undone, last first. */
const undo: (() => unknown)[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const step of undo.splice(0).reverse()) await step();
});

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined); // the server goes away on purpose
  await client.connect();
  undo.push(() => client.end());
  return client;
}

const pidIn = async (dataDirectory: string) =>
  Number.parseInt(await readFile(join(dataDirectory, 'postmaster.pid'), 'utf8'), 10);

test('PostgreSQL keeps what was committed, and its port, through a restart and through a crash', async () => {
  const server = await privatePostgres();
  undo.push(() => server.stop());
  const before = await connected(server.url);
  await before.query('create table letters (id int)');
  for (const mode of ['fast', 'immediate'] as const) {
    const client = await connected(server.url);
    await client.query('insert into letters values (7)');
    const pid = await pidIn(server.dataDirectory);
    await server.restart(mode);
    expect(await pidIn(server.dataDirectory)).not.toBe(pid);
    await expect(client.query('select 1')).rejects.toThrow();
  }
  const after = await connected(server.url);
  expect((await after.query('select id from letters')).rows).toEqual([{ id: 7 }, { id: 7 }]);
});

test('a server whose port is taken after all starts on another', async () => {
  const squatter = await new Promise<Server>((resolve) => {
    const server = createServer().listen({ host: '127.0.0.1', port: 0 }, () => resolve(server));
  });
  undo.push(() => squatter.close());
  const { port } = squatter.address() as AddressInfo;
  let asked = 0;
  const log: string[] = [];
  const services = await startServices({
    want: ['postgres'],
    takePorts: (count) => (asked++ === 0 ? Promise.resolve([port]) : freePorts(count)),
    log: (line) => log.push(line),
  });
  undo.push(() => services.stop());
  expect(services.postgres).toHaveProperty('url');
  expect(log).toHaveLength(1);
  expect(log[0]).toContain(`PostgreSQL did not start on port ${port}`);
});

test('a server that cannot be had says why instead of failing the others', async () => {
  vi.stubEnv('POSTGRES_BIN_DIR', '/nowhere');
  const services = await startServices({ want: ['postgres'] });
  undo.push(() => services.stop());
  const { postgres } = services;
  expect(postgres && 'unavailable' in postgres ? postgres.unavailable : postgres).toContain('/nowhere');
});

test('nothing is left of a private server that was stopped', async () => {
  const server = await privatePostgres();
  const pid = await pidIn(server.dataDirectory);
  await server.stop();
  expect(isAlive(pid)).toBe(false);
  expect(existsSync(dirname(dirname(server.dataDirectory)))).toBe(false);
});

test('the servers end even when whoever started them is killed', async () => {
  const owner = spawn(process.execPath, [MAIN, '--only', 'postgres'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  undo.push(() => owner.kill('SIGKILL'));
  const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
  const client = await connected(line.replace('DATABASE_URL=', ''));
  const { rows } = await client.query<{ data_directory: string }>('show data_directory');
  const pid = await pidIn(String(rows[0]?.data_directory));
  owner.kill('SIGKILL');
  await untilGone(pid, PATIENCE_MS);
  expect(isAlive(pid)).toBe(false);
});
