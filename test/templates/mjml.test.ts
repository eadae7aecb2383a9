import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { htmlOfMjml } from '#pillarbox/templates/mjml';

const inBody = (part: string, head = ''): string =>
  `<mjml><mj-head>${head}</mj-head><mj-body><mj-section><mj-column>\n${part}</mj-column></mj-section></mj-body></mjml>`;

describe('a template in MJML', () => {
  test('becomes html, with its Liquid as it was', async () => {
    const html = await htmlOfMjml(
      1,
      inBody(
        '<mj-text>Dear {{ name | default: "you" }},{% if room %} room {{ room }}{% endif %}</mj-text>' +
          '<mj-button href="{{ manageUrl }}">Look</mj-button>',
        '<mj-preview>{{ room }}</mj-preview>',
      ),
    );
    expect(html).toContain('Dear {{ name | default: "you" }},{% if room %} room {{ room }}{% endif %}');
    expect(html).toContain('href="{{ manageUrl }}"');
    expect(html).not.toContain('<mj-');
  });

  test.each([
    '<mj-include path="/etc/passwd" type="html" />',
    '<mj-include path="./package.json"/>',
    '<MJ-INCLUDE path="/etc/passwd" type="css" css-inline="inline"/>',
    '<\nmj-include path="x.mjml" />',
  ])('%s is refused: no file of this machine is read', async (part) => {
    for (const mjml of [inBody(part), inBody('<mj-text>a</mj-text>', part)])
      await expect(htmlOfMjml(1, mjml)).rejects.toMatchObject({
        ...{ code: 'invalid_input', field: 'mjml' },
        message: expect.stringContaining('mj-include'),
      });
  });

  test('that does not make sense is refused by line and word, and says nothing of this machine', async () => {
    const refusal = await htmlOfMjml(1, inBody('<mj-nonsense/>')).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      ...{ code: 'invalid_input', field: 'mjml' },
      message: expect.stringMatching(/^mjml: line \d+: mj-nonsense: /),
    });
    expect(JSON.stringify(refusal)).not.toContain(process.cwd());
    await expect(htmlOfMjml(1, 'no mjml at all')).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

/** In the package's place, with its way of answering: what it does not do by itself. */
const STAND_IN = `export default async (mjml, options) => {
  if (mjml.includes('<mj-spin')) for (;;);
  if (mjml.includes('<mj-exit')) process.exit(1);
  if (mjml.includes('<mj-eat')) { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)); }
  return { html: String(options.ignoreIncludes), errors: [] };
};`;

describe('the thread that reads MJML', () => {
  let directory: string;
  let program: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pillarbox-mjml-'));
    program = pathToFileURL(join(directory, 'mjml.mjs')).href;
    await writeFile(join(directory, 'mjml.mjs'), STAND_IN);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test.each([
    ['<mj-spin/>', 'mjml: took too long, and was stopped', 500],
    ['<mj-exit/>', 'mjml: could not be read at all', undefined],
    ['<mj-eat/>', 'mjml: took too much memory, or could not be read at all', undefined],
  ])('%s ends, and nothing else does', async (mjml, message, deadlineMs) => {
    const options = { program, ...(deadlineMs !== undefined && { deadlineMs }) };
    await expect(htmlOfMjml(1, mjml, options)).rejects.toMatchObject({
      ...{ code: 'invalid_input', field: 'mjml', message },
    });
  });

  test('asks for no files, and says how to get the package where it is missing', async () => {
    expect(await htmlOfMjml(1, '<mjml/>', { program })).toBe('true');
    await expect(htmlOfMjml(1, '<mjml/>', { program: 'no-such-package' })).rejects.toMatchObject({
      ...{ code: 'invalid_input', field: 'mjml', message: expect.stringContaining('npm install mjml') },
    });
  });
});
