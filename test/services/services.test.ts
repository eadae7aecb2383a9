import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { expect, test } from 'vitest';
import { greet } from '../../scripts/services/amqp.mjs';
import { readDescriptor } from '../../scripts/services/postgres.mjs';
import { freshDatabase, required } from '../postgres.js';

const FIRST_EPHEMERAL_PORT = 32_768;

async function rows(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('PostgreSQL is a real server that answers over a connection', async () => {
  const [row] = await rows(required('TEST_POSTGRES_URL'), 'select version()');
  expect(row?.['version']).toMatch(/^PostgreSQL \d+/);
});

test('RabbitMQ greets a client with its name and version', async () => {
  const { product, version } = await greet(required('TEST_AMQP_URL'));
  expect(product).toBe('RabbitMQ');
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

test('a private PostgreSQL does not run as root, and keeps off the ports of outgoing connections', async () => {
  const url = new URL(required('TEST_POSTGRES_URL'));
  const descriptorFile = process.env['TEST_POSTGRES_DESCRIPTOR'];
  if (descriptorFile === undefined) return; // the server of DATABASE_URL is run by someone else
  const { pidFile, port } = await readDescriptor(descriptorFile);
  const pid = Number.parseInt(await readFile(pidFile, 'utf8'), 10);
  expect(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }).trim()).not.toBe('0');
  expect(port).toBeLessThan(FIRST_EPHEMERAL_PORT);
  expect(url.port).toBe(String(port));
});

test('a fresh database is empty, apart from every other, and gone once dropped', async () => {
  const [one, other] = await Promise.all([freshDatabase(), freshDatabase()]);
  try {
    await rows(one.url, 'create table letters (id int)');
    expect(await rows(other.url, `select to_regclass('letters') as letters`)).toEqual([{ letters: null }]);
  } finally {
    await Promise.all([one.drop(), other.drop()]);
  }
  await expect(rows(one.url, 'select 1')).rejects.toThrow(/does not exist/);
});
