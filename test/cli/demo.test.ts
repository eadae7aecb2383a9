import { describe, expect, test } from 'vitest';
import { freshSqlite } from '../databases.js';
import { useCli } from './cli.js';

describe('demo', () => {
  const cli = useCli(freshSqlite, { PORT: '0' });

  test('loads an empty database once; whatever serves it goes on with it and says so', async () => {
    const loaded = await cli.json<Record<string, number>>('demo');
    for (const state of ['messages', 'pending', 'sent', 'dead', 'held'])
      expect([state, loaded[state]]).toEqual([state, expect.toSatisfy((n: number) => n > 0)]);

    const { code, stdout, stderr } = await cli.run(['demo']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe('demo data goes only into an empty database: the demo data is here already\n');

    const serving = cli.start(['serve']);
    const said = await serving.said(/Ctrl-C/);
    expect(said).toMatch(/^ {2}demo +these are demo mails.*never leaving this machine$/m);
    expect(said).toMatch(/^ {2}inbox +http:\/\/127\.0\.0\.1:\d+\/inbox$/m);
    serving.tell('SIGTERM');
    expect(await serving.ended).toMatchObject({ code: 0 });
  });

  test('does not mix with real mail', async () => {
    const { code, stderr } = await cli.with({ SMTP_URL: 'smtp://127.0.0.1:1' }).run(['demo']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'SMTP_URL: is set, and demo mails never leave this machine; unset it for the demo\n',
    });
  });
});
