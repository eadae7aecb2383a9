import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { useCli } from './cli.js';

describe.each(databases)('restored on $name', ({ fresh }) => {
  const cli = useCli(fresh, { MAIL_FROM: 'box@example.org' });

  test('holds what waits, says how many and how to go on, and finds nothing more to hold', async () => {
    const mail = [
      '--to',
      'ada@example.org',
      '--subject',
      'Hello',
      '--text',
      'Hello.',
      '--at',
      '2099-01-01T00:00:00Z',
    ];
    const { id } = await cli.json<{ id: string }>('send', ...mail);
    const first = await cli.run(['restored']);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^◆ 1 held: .*\n.*pillarbox queue resolve <id> --as unsent\n$/);
    expect(await cli.json('queue', 'show', id)).toMatchObject({ state: 'held', reason: 'restored' });
    expect(await cli.json('restored')).toEqual({ held: 0 });
    expect((await cli.run(['restored', '--keep'])).stdout).toBe('● It goes on here with what waits.\n');
  });
});
