import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlOfMjml } from '#pillarbox/templates/mjml';

/** In the package's place, with its way of answering: it is large, and few need it. */
const STAND_IN = `export default async (mjml, options) => {
  if (mjml.includes('<mj-wrong')) return { html: '', errors: [{ formattedMessage: 'Line 1: mj-wrong is not known' }] };
  if (mjml.includes('<mj-throw')) throw new Error('malformed');
  if (mjml.includes('<mj-exit')) process.exit(1);
  return { html: '<p>' + mjml.replaceAll(/<[^>]*>/g, '') + ' ' + options.ignoreIncludes + '</p>', errors: [] };
};`;

describe('a template in MJML', () => {
  let directory: string;
  let program: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-mjml-'));
    program = pathToFileURL(join(directory, 'mjml.mjs')).href;
    await writeFile(join(directory, 'mjml.mjs'), STAND_IN);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test('becomes html, with its Liquid, and reads no files', async () => {
    expect(await htmlOfMjml('<mjml>{{ room }}</mjml>', program)).toBe('<p>{{ room }} true</p>');
  });

  test.each([
    ['<mj-wrong/>', 'mjml: Line 1: mj-wrong is not known'],
    ['<mj-throw/>', 'mjml: malformed'],
    ['<mj-exit/>', 'mjml: could not be read at all'],
  ])('%s is refused with the reason', async (mjml, message) => {
    await expect(htmlOfMjml(mjml, program)).rejects.toMatchObject({
      ...{ code: 'invalid_input', field: 'mjml', message },
    });
  });
});
