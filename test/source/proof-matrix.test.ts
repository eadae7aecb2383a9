import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { CASES, type Case } from './cases.js';

const DOCUMENT = 'docs/proof/matrix.md';
const RENEW = 'UPDATE_DOCS=1 npx vitest run test/source/proof-matrix.test.ts';
const LABEL = /\[([DFT]\d{1,2})\]/g;

interface Labelled {
  readonly file: string;
  readonly title: string;
  readonly id: string;
}

const testFiles = ['test', 'src', 'web/src'].flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => join(root, path)),
);

/** Whatever is the title of a test or of a group of tests. */
function titlesIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    const [title] = ts.isCallExpression(node) ? node.arguments : [];
    const isText = title && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title));
    if (isText && /^(?:describe|test|it)\b/.test((node as ts.CallExpression).expression.getText())) {
      titles.push(title.getText().slice(1, -1));
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

const labelled: readonly Labelled[] = testFiles.sort().flatMap((file) =>
  titlesIn(file).flatMap((title) =>
    [...title.matchAll(LABEL)].map(([, id = '']) => ({
      file,
      title: title.replaceAll(LABEL, '').trim(),
      id,
    })),
  ),
);

const proofOf = ({ id, untested }: Case): string => {
  const proofs = labelled.filter((each) => each.id === id);
  if (proofs.length === 0) return `_no test:_ ${untested ?? 'unknown'}`;
  return proofs.map(({ file, title }) => `[${plain(title)}](../../${file})`).join('<br>');
};

/** As a table and a link can hold it. */
const plain = (title: string): string =>
  title
    .replaceAll(/\\'/g, '’')
    .replaceAll(/[|[\]]/g, '')
    .replaceAll('$', '\\$')
    .replaceAll('_', '\\_');

const document = `<!-- Generated from the labels of the tests: ${RENEW} -->

# What is proven, and by what

Every way in which mail could be lost or doubled (D), every fault that is injected (F) and what strangers try (T), with the
tests that carry its number. \`npm test\` runs all of them, on both databases where that applies; \`npm run chaos\` runs
some of them at length.

| case | what happens | shown by |
| ---- | ------------ | -------- |
${CASES.map((each) => `| ${each.id} | ${each.what} | ${proofOf(each)} |`).join('\n')}
`;

test(`${DOCUMENT} says what the labels of the tests say`, () => {
  if (process.env['UPDATE_DOCS']) writeFileSync(DOCUMENT, document);
  expect(readFileSync(DOCUMENT, 'utf8'), RENEW).toBe(document);
});

test('every label is that of a case', () => {
  const known = new Set(CASES.map(({ id }) => id));
  expect(labelled.filter(({ id }) => !known.has(id))).toEqual([]);
});

test('every case has a test, or says why it has none, and not both', () => {
  const proven = new Set(labelled.map(({ id }) => id));
  const odd = CASES.filter(({ id, untested }) => proven.has(id) === (untested !== undefined));
  expect(odd.map(({ id }) => id)).toEqual([]);
});
