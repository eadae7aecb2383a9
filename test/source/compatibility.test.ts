import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { TRIED, type Tried } from './compatibility.js';

const DOCUMENT = 'docs/compatibility.md';
const RENEW = 'UPDATE_DOCS=1 npx vitest run test/source/compatibility.test.ts';

interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const packages = { ...manifest.devDependencies, ...manifest.dependencies };

const versionOf = ({ version }: Tried): string =>
  'npm' in version ? (packages[version.npm] ?? 'unknown') : Object.values(version)[0]!;
const linkTo = (file: string): string => `[${file.replace(/^test\//, '')}](../${file})`;
const rowOf = (tried: Tried): string =>
  `| ${tried.name} | ${versionOf(tried)} | ${tried.what} | ${tried.files.map(linkTo).join('<br>') || 'hand'} |`;

const groups = [...new Set(TRIED.map(({ group }) => group))];
const document = `<!-- Generated from test/source/compatibility.ts and package.json: ${RENEW} -->

# What it is tried with

Programs of others that the tests run, none of them imitated, with the versions that are pinned in package.json or that
Debian 12 has. \`npm test\` runs all of it but what was tried by hand, once, with the version that is named; where a program is
missing, its tests fail and none is skipped. Node: ${manifest.engines.node}.
${groups
  .map(
    (group) => `
## ${group}

| with | version | what is tried | by |
| ---- | ------- | ------------- | -- |
${TRIED.filter((each) => each.group === group)
  .map(rowOf)
  .join('\n')}
`,
  )
  .join('')}`;

test(`${DOCUMENT} says what is tried, and with which versions`, () => {
  if (process.env['UPDATE_DOCS']) writeFileSync(DOCUMENT, document);
  expect(readFileSync(DOCUMENT, 'utf8'), RENEW).toBe(document);
});

test.each(TRIED)('$name has a version, and its test files are there', ({ version, files }) => {
  if ('npm' in version) expect(packages).toHaveProperty([version.npm]);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});
