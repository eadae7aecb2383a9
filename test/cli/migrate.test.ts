import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { databases, type FreshDatabase } from '../databases.js';
import { Cli } from './cli.js';

describe.each(databases)('migrate on $name', ({ fresh }) => {
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

  test('brings an empty database up to date, and is content when it is', async () => {
    const first = await cli.run(['migrate']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^● Schema \d+; applied queue, catcher\b.*\.\n$/);
    const second = await cli.run(['migrate']);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/^● Schema \d+, up to date\.\n$/);
    const { version, applied } = await cli.json<{ version: number; applied: string[] }>('migrate');
    expect(version).toBeGreaterThanOrEqual(2);
    expect(applied).toEqual([]);
  });

  test('several at once apply everything once', async () => {
    const reports = await Promise.all(
      [1, 2, 3, 4].map(() => cli.json<{ version: number; applied: string[] }>('migrate')),
    );
    const applied = reports.flatMap((report) => report.applied);
    expect(applied.slice(0, 2)).toEqual(['queue', 'catcher']);
    expect(new Set(applied).size).toBe(applied.length);
    expect(new Set(reports.map(({ version }) => version)).size).toBe(1);
  });
});
