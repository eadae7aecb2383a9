import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { useCli } from './cli.js';

describe.each(databases)('limits from the command line, on $name', ({ fresh }) => {
  const cli = useCli(fresh);

  test('say that everything keeps them, and end with 0', async () => {
    const { code, stdout } = await cli.run(['limits', 'check']);
    expect(code).toBe(0);
    expect(stdout).toContain('Nothing is over a limit, sent or planned.');
    expect(await cli.json('limits', 'fix')).toEqual({ moved: 0, left: 0 });
  });
});
