import { describe, expect, test } from 'vitest';
import { databases } from '../databases.js';
import { useCli } from './cli.js';

const EVENT = {
  ...{ type: 'section.opened', topic: 'section:1', dedupeKey: 'k', template: { id: 'open-seat' } },
  payload: { courseTitle: 'Linear Algebra', indexNumber: '09214', statusAfter: 'Open' },
};
const FILE = 'email,name,status\nada@example.org,Ada,active\nbob@example.org,Bob,paused\nnobody,,\n';

describe.each(databases)('notifications from the command line on $name', ({ ready }) => {
  const cli = useCli(ready).with({ PILLARBOX_SECRET: 'a secret of some length, for tests' });

  test('subscriptions are imported and listed; an event is published once, shown and cancelled', async () => {
    const imported = await cli.run(['subscriptions', 'import', '-', '--topic', 'section:1'], FILE);
    expect(imported).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('Imported 2, updated 0, left out 1.') },
      stderr: expect.stringContaining('line 4: '),
    });
    expect((await cli.run(['subscriptions', 'ls'])).stdout).toMatch(/bob@example\.org[^]*ada@example\.org/);
    expect(await cli.json('subscriptions', 'ls', '--status', 'paused')).toMatchObject({
      items: [{ contactValue: 'bob@example.org', topic: 'section:1', status: 'paused' }],
    });

    const published = await cli.run(['events', 'publish', '-'], JSON.stringify(EVENT));
    expect(published).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 subscription to be told.'),
    });
    const id = /evt_\w+/.exec(published.stdout)![0];
    const again = await cli.run(['events', 'publish', '-'], JSON.stringify(EVENT));
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(`${id}. Nobody is told twice.`) });

    expect(await cli.json('events', 'show', id)).toMatchObject({ id, counts: { scheduled: 1 } });
    expect((await cli.run(['events', 'show', id])).stdout).toContain('1  scheduled: due, and leaves next');
    expect((await cli.run(['events', 'ls', '--topic', 'section:1'])).stdout).toContain(id);
    expect(await cli.json('events', 'cancel', id)).toMatchObject({ id, counts: { cancelled: 1 } });
    expect((await cli.run(['events', 'cancel', id])).code).toBe(1);
  });

  test('what is none is refused by its exit code, and changes nothing', async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    for (const [text, words] of [
      ['{', 'file: is not JSON'],
      [JSON.stringify({ ...EVENT, topic: '' }), 'topic: '],
      [JSON.stringify({ ...EVENT, payload: 0 }).replace('"payload":0', `"payload":${deep}`), 'nested deeper'],
    ] as const)
      expect(await cli.run(['events', 'publish', '-'], text)).toMatchObject({
        ...{ code: 2, stdout: '', stderr: expect.stringContaining(words) },
      });
    expect((await cli.run(['events', 'show', 'evt_zz'])).code).toBe(1);
    expect((await cli.run(['subscriptions', 'import', '/nowhere.csv'])).code).toBe(2);
    expect((await cli.run(['subscriptions', 'import', '-'], 'colour\nred\n')).code).toBe(2);
    expect(await cli.json('events', 'ls')).toMatchObject({ items: [] });
    expect(await cli.json('subscriptions', 'ls')).toMatchObject({ items: [] });
  });
});
