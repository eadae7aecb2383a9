import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { useCli } from './cli.js';

describe.each(databases)('who may send and be written to, on $name', ({ fresh }) => {
  const cli = useCli(fresh);

  const why = async (id: string) => (await cli.json<{ reason: string }>('queue', 'explain', id)).reason;

  test('an account is paused with its reason and resumed; an address is suppressed and let off', async () => {
    const { id } = await cli.json<{ id: string }>('send', '--to', 'ada@example.org', '--subject', 'Hello');
    await cli.json('pause', 'moving house');
    expect((await cli.run(['queue', 'explain', id])).stdout).toContain('moving house');
    await cli.json('resume');
    await cli.json('suppress', 'Ada@Example.org');
    const listed = await cli.json<{ items: { email: string }[] }>('suppressions', 'ls', '--q', 'ADA');
    expect(listed.items).toMatchObject([{ email: 'ada@example.org', reason: 'manual' }]);
    expect((await cli.run(['suppressions', 'ls'])).stdout).toContain('ada@example.org');
    // What waited for it was cancelled.
    expect(await why(id)).toBe('cancelled_by_person');
    await cli.json('unsuppress', 'ada@example.org');
    const again = await cli.json<{ id: string }>('send', '--to', 'ada@example.org', '--subject', 'Hello');
    expect(await why(again.id)).toBe('no_worker');
    expect((await cli.run(['suppress', 'nobody'])).code).toBe(2);
  });

  test('suppressions are added, asked about and removed; a complaint only with the address once more', async () => {
    await cli.json('send', '--to', 'bob@example.org', '--subject', 'Hello');
    const added = await cli.json<{ email: string }>(
      ...['suppressions', 'add', 'Bob@Example.org', '--note', 'asked by letter'],
    );
    expect(added).toMatchObject({
      ...{ email: 'bob@example.org', reason: 'manual', lanes: null, cancelled: 1 },
      ...{ note: 'asked by letter', actor: 'command line' },
    });
    const asked = await cli.json<{ lanes: object[] }>('suppressions', 'ask', 'bob@example.org');
    expect(asked.lanes).toHaveLength(3);
    expect(asked.lanes[0]).toMatchObject({ writes: false, because: 'suppressed by hand' });
    expect((await cli.run(['suppressions', 'ask', 'carl@example.org'])).stdout).toContain('outbox: yes');
    expect(await cli.json('suppressions', 'rm', 'bob@example.org')).toEqual({
      ...{ email: 'bob@example.org', removed: true },
    });
    expect((await cli.run(['suppressions', 'rm', 'bob@example.org'])).code).toBe(1);

    await cli.json('suppressions', 'add', 'eve@example.org', '--reason', 'complaint', '--lane', 'campaign');
    const refused = await cli.run(['suppressions', 'rm', 'eve@example.org']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--confirm') as string });
    await cli.json('suppressions', 'rm', 'eve@example.org', '--confirm', 'EVE@example.org');
    expect((await cli.run(['suppressions', 'add', 'nobody'])).code).toBe(2);
  });
});
