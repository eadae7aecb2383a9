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
    expect(await why(id)).toBe('suppressed');
    await cli.json('unsuppress', 'ada@example.org');
    expect(await why(id)).toBe('no_worker');
    expect((await cli.run(['suppress', 'nobody'])).code).toBe(2);
  });
});
