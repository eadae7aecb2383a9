import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { rawDatabase } from '../http/raw-database.js';
import { Cli, useCli } from './cli.js';

const PERSON = 'erasme@example.org';
const SECRET = 'a secret for tests, of some length';
const OTHER = 'another secret, of some length too';

describe.each(databases)('pillarbox forget on $name', ({ fresh }) => {
  const cli = useCli(fresh, { PILLARBOX_SECRET: SECRET });

  const raw = () => rawDatabase({ databaseUrl: cli.databaseUrl });
  const sendAndExplain = async (as: Cli) => {
    const { id } = await as.json<{ id: string }>('send', '--to', PERSON, '--subject', 'Hello');
    return (await as.json<{ reason: string }>('queue', 'explain', id)).reason;
  };

  test('says who is nobody, refuses what is no address, and erases the others', async () => {
    expect((await cli.run(['forget', PERSON])).code).toBe(1);
    expect((await cli.run(['forget', 'nobody'])).code).toBe(2);
    expect(await sendAndExplain(cli)).toBe('no_worker');
    expect(await cli.json('forget', PERSON)).toEqual({
      ...{ messages: 1, cancelled: 1, inFlight: 0, suppressed: false, events: [], scrubbed: true },
    });
    expect(await raw()).not.toMatch(/erasme/i);
  });

  test('what is written down about suppressing and erasing names nobody, and survives a new secret', async () => {
    // Processes of their own: what is in SQLite's log is written back when the last one lets go of the file.
    for (const command of ['suppress', 'unsuppress']) {
      expect(await cli.runAlone([command, PERSON])).toMatchObject({ code: 0 });
    }
    expect(await raw()).not.toMatch(/erasme/i);
    await cli.json('suppress', PERSON);
    expect((await cli.run(['forget', PERSON])).stdout).toContain('by a hash');
    expect(await raw()).not.toMatch(/erasme/i);
    const rotating = cli.with({ PILLARBOX_SECRET: OTHER, PILLARBOX_SECRET_FORMER: SECRET });
    await rotating.json('secrets', 'rotate');
    expect(await sendAndExplain(cli.with({ PILLARBOX_SECRET: OTHER }))).toBe('suppressed');
  });
});
