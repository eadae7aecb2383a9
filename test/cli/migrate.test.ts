import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { documentIn, useCli } from './cli.js';

interface Report {
  readonly version: number;
  readonly applied: readonly string[];
}

describe.each(databases)('migrate on $name', ({ fresh }) => {
  const cli = useCli(fresh);

  test('brings an empty database up to date, and is content when it is', async () => {
    const first = await cli.run(['migrate']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^● Schema \d+; applied queue, catcher\b.*\.\n$/);
    const second = await cli.run(['migrate']);
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/^● Schema \d+, up to date\.\n$/);
    const { version, applied } = await cli.json<Report>('migrate');
    expect(version).toBeGreaterThanOrEqual(2);
    expect(applied).toEqual([]);
  });

  test('several processes at once apply everything once', async () => {
    const migrate = async () => documentIn(await cli.runAlone(['migrate', '--json'])) as Report;
    const reports = await Promise.all([1, 2, 3, 4].map(migrate));
    const applied = reports.flatMap((report) => report.applied);
    // Whoever comes to one first applies it: of several none need have the first.
    expect(applied).toEqual(expect.arrayContaining(['queue', 'catcher', 'told']));
    expect(new Set(applied).size).toBe(applied.length);
    expect(new Set(reports.map(({ version }) => version)).size).toBe(1);
  });
});
