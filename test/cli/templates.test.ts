import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshSqlite } from '../databases.js';
import { useCli } from './cli.js';

describe('templates from the command line', () => {
  const cli = useCli(freshSqlite);
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-templates-'));
    const files = {
      'booked.v1.en.subject': 'Room {{ room }}\n',
      'booked.v1.en.html': '<p>Room {{ room }}</p>',
      'booked.v1.fr.subject': 'Chambre {{ room }}',
      'booked.v1.fr.txt': 'Chambre {{ room }}',
      'README.md': 'none of it',
    };
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('are pushed from files, listed and looked at', async () => {
    const pushed = await cli.run(['templates', 'push', directory, '--fallback', 'en']);
    expect(pushed).toMatchObject({ code: 0, stdout: expect.stringContaining('2 texts saved.') });
    const listed = await cli.run(['templates', 'ls']);
    expect(listed.stdout).toMatch(/booked\s+v1\s+fr\s+en\s+Chambre/);
    expect(await cli.json('templates', 'ls')).toMatchObject({
      items: [{ id: 'booked', locale: 'en' }, { locale: 'fr', html: null }, { id: 'open-seat' }],
    });

    const payload = join(directory, 'payload.json');
    await writeFile(payload, '{ "room": 7 }');
    const args = ['templates', 'preview', 'booked', '--locale', 'fr-CA', '--payload', payload];
    expect((await cli.run(args)).stdout).toBe('Subject: Chambre 7\n\nChambre 7\n');
    const html = await cli.run(['templates', 'preview', 'booked', 'v1', '--locale', 'de', '--html']);
    expect(html.stdout).toContain('<p>Room [room]</p>');
  });

  test('say by their exit code what came of it', async () => {
    const missing = await cli.run(['templates', 'preview', 'open-seat', '--locale', 'fr']);
    expect(missing).toMatchObject({ code: 3, stdout: expect.stringContaining('template_missing_locale') });
    expect((await cli.run(['templates', 'preview', 'nothing'])).code).toBe(1);
    expect((await cli.run(['templates', 'push', join(directory, 'README.md')])).code).toBe(2);
    const bad = join(directory, 'bad.v1.en.subject');
    await writeFile(bad, '{{ x | y }}');
    await writeFile(join(directory, 'bad.v1.en.txt'), 'x');
    expect(await cli.run(['templates', 'push', bad, join(directory, 'bad.v1.en.txt')])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('bad.v1.en: subject: line 1: there is no filter'),
    });
  });
});
