import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkZones } from './check-zones.js';

describe('time zones', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zones-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const write = (name: string, text: string) => writeFile(join(directory, name), text);
  const check = (tz?: string) => checkZones({ TZDIR: directory }, tz);

  test('are fine where the system has none, or the same', async () => {
    expect(await check('2025b')).toMatchObject({ level: 'fine', text: 'as of 2025b' });
    await write('tzdata.zi', '# version 2025b\n# This zic input file is in the public domain.\n');
    expect(await check('2025b')).toMatchObject({ level: 'fine', text: 'as of 2025b' });
  });

  test.each([
    ['tzdata.zi', '# version 2025b\nR d 1916 o - Jun 14 23s 1 S\n'],
    ['+VERSION', '2025b\n'],
  ])('are to be looked at where the system knows more, by %s', async (name, text) => {
    await write(name, text);
    expect(await check('2024a')).toEqual({
      what: 'time zones',
      level: 'look',
      text: "Node has those of 2024a, the system those of 2025b. Windows follow Node's: update Node",
    });
    expect(await check('2025c')).toMatchObject({
      level: 'fine',
      text: "Node has those of 2025c, the system those of 2025b. Windows follow Node's, which are newer",
    });
  });

  test('of unknown age are nothing bad', async () => {
    await write('tzdata.zi', '# version unknown\n');
    expect(await check('2025b')).toMatchObject({ level: 'fine', text: 'as of 2025b' });
    await write('tzdata.zi', '# version 2025b\n');
    expect(await check()).toMatchObject({ level: 'fine' });
  });
});
