import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createPillarbox } from 'pillarbox';
import { databases } from '../databases.js';
import { useCli } from './cli.js';

const FILE = 'E-Mail,Name,notes\nada@example.org,Ada,x\nno-at,Bob,"=1+1"\n,Nobody,\n';

describe.each(databases)('contacts from the command line, on $name', ({ fresh }) => {
  const cli = useCli(fresh);
  let directory: string;
  let file: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-contacts-'));
    file = join(directory, 'guests.csv');
    await writeFile(file, FILE);
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test('are imported from a file, and the lines that were left out are told and written', async () => {
    const rejects = join(directory, 'rejects.csv');
    const args = [
      'contacts',
      'import',
      file,
      '--map',
      'E-Mail=email',
      '--map',
      'notes=',
      '--rejected',
      rejects,
    ];
    const { code, stdout, stderr } = await cli.run(args);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('Imported 1, updated 0, left out 2.'),
    });
    expect(stderr).toContain('line 3: email has no @');
    expect(await readFile(rejects, 'utf8')).toMatch(/^E-Mail,Name,notes,reason\r\nno-at,Bob,'=1\+1,/);
    const listed = await cli.run(['contacts', 'ls', '--q', 'ada']);
    expect(listed.stdout).toMatch(/ada@example\.org\s+Ada/);
    expect(await cli.json('contacts', 'ls')).toMatchObject({
      items: [{ email: 'ada@example.org', name: 'Ada', attributes: {} }],
      nextCursor: null,
    });
  });

  test('are imported from standard input, with one document for programs', async () => {
    const { code, stdout, stderr } = await cli.run(
      ['contacts', 'import', '-', '--json'],
      'email\nada@example.org\nbad\n',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      ...{ id: 'imp_1', imported: 1, updated: 0, rejectedTotal: 1, enrolled: 0, notEnrolled: 0 },
      rejected: [{ line: 3, reason: expect.stringContaining('email has no @') }],
    });
  });

  test('are put into a campaign as they come in, however their file is written', async () => {
    const box = await createPillarbox({ databaseUrl: cli.databaseUrl });
    const accountIds = (await box.home.accounts.list()).items.map((account) => account.id);
    const campaign = await box.campaigns.create({ name: 'Autumn', accountIds });
    await writeFile(file, Buffer.from('email,x;name\nada@example.org;M\xfcller\n', 'latin1'));
    const given = ['--map', 'email,x=email', '--separator', 'semicolon', '--encoding', 'windows-1252'];
    const { code, stdout } = await cli.run(['contacts', 'import', file, ...given, '--campaign', campaign]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('Put 1 into the campaign.'),
    });
    expect(await box.campaigns.people(campaign)).toMatchObject({ items: [{ name: 'Müller' }] });
    await box.campaigns.stop(campaign);
    const late = await cli.run(['contacts', 'import', file, ...given, '--campaign', campaign]);
    expect(late).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the campaign is stopped; choose another'),
    });
    expect(await box.contacts.imports.list()).toMatchObject({ items: [{ id: 1 }] });
    await box.stop();
  });

  test.each<[string, string[], RegExp]>([
    [
      'a campaign that is not there',
      ['FILE', '--campaign', 'cmp_zzz'],
      /campaignId: is not the id of a known campaign/,
    ],
    ['a file that is not there', ['/nonexistent/x.csv'], /file: .*cannot be read \(ENOENT\)/],
    ['a directory', ['/'], /is a directory/],
    ['a column that is not there', ['FILE', '--map', 'nope=email'], /mapping\.nope: is not a column/],
    ['no way to reach anybody', ['FILE'], /no column becomes email or linkedinId/],
    ['half a mapping', ['FILE', '--map', 'E-Mail'], /map: E-Mail should be like/],
  ])('are refused with 2 for %s, and nothing is imported', async (_, args, words) => {
    const { code, stderr } = await cli.run([
      'contacts',
      'import',
      ...args.map((arg) => (arg === 'FILE' ? file : arg)),
    ]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(words) });
    expect((await cli.run(['contacts', 'ls'])).stdout).toContain('No contact yet.');
  });
});
