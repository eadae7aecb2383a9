import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/** Where the product's own expressions stand. Any of them may meet a text from outside. */
const ROOTS = ['src', 'web/src'];

interface Expression {
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

const filesOf = (root: string): string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .map((path) => join(root, path));

function nodesOf(path: string): { readonly node: ts.Node; readonly place: string }[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const found: { node: ts.Node; place: string }[] = [];
  const visit = (node: ts.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    found.push({ node, place: `${path}:${line + 1}` });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const literals = (path: string): Expression[] =>
  nodesOf(path).flatMap(({ node, place }) => {
    if (!ts.isRegularExpressionLiteral(node)) return [];
    const end = node.text.lastIndexOf('/');
    return [{ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) }];
  });

/** Put together from parts: known only when the file is run. */
const isMadeAtRunTime = (path: string): boolean =>
  nodesOf(path).some(
    ({ node }) =>
      (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp',
  );

async function madeBy(path: string): Promise<Expression[]> {
  const made: Expression[] = [];
  const { RegExp: plain } = globalThis;
  globalThis.RegExp = new Proxy(plain, {
    construct(target, given: [string | RegExp, string?]) {
      const { source, flags } = new target(...given);
      made.push({ place: path, source, flags });
      return new target(...given);
    },
  });
  try {
    const built = new URL(`../../${path.replace(/^src/, 'dist').replace(/ts$/, 'js')}?anew`, import.meta.url);
    await import(built.href);
  } finally {
    globalThis.RegExp = plain;
  }
  return made;
}

/** What a hostile text could make quadratic or worse. */
const slowness = ({ source, flags }: Pick<Expression, 'source' | 'flags'>): string[] =>
  analyse({ source, flags }).reports.map(({ type, exponential }) =>
    exponential ? `exponential ${type}` : type,
  );

describe('regular expressions', () => {
  const files = ROOTS.flatMap(filesOf);

  test('every one of them takes time in proportion to its text [T21]', async () => {
    const composed = await Promise.all(files.filter(isMadeAtRunTime).map(madeBy));
    const expressions = [...files.flatMap(literals), ...composed.flat()];
    expect(composed.flat().length).toBeGreaterThan(2);
    expect(expressions.length).toBeGreaterThan(150);
    const slow = expressions.filter((each) => slowness(each).length > 0);
    expect(slow.map(({ place, source }) => `${place} ${source}`)).toEqual([]);
  });

  test.each([
    ['a start that is tried again at every letter', '[a-z][a-z0-9+.-]*:\\/\\/', 'gi'],
    ['two loops that share their letters', '^\\s*\\s*$', ''],
    ['a loop in a loop', '^(?:a+)+$', ''],
  ])('%s is noticed', (_, source, flags) => {
    expect(slowness({ source, flags })).not.toEqual([]);
  });
});
