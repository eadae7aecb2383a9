import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
].map((name) => join(ROOT, name));

/** What is written in code is no link and no heading. */
const proseOf = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/^```.*?^```/gms, '')
    .replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ' '));

/** As GitHub makes them of headings. */
const anchorsOf = (path: string): Set<string> =>
  new Set(
    [...proseOf(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  );

const linksOf = (path: string): string[] =>
  [...proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, to]) => to!).filter((to) => !/^[a-z]+:/.test(to));

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

test('every link between the documents leads to a file, and to a heading of it', () => {
  const links = PAGES.flatMap((page) => linksOf(page).map((to) => ({ page, to })));
  expect(links.length).toBeGreaterThan(100);
  const broken = links.filter(({ page, to }) => {
    const [file = '', anchor] = to.split('#');
    const target = file === '' ? page : join(dirname(page), decodeURIComponent(file));
    return !isThere(target) || (anchor !== undefined && !anchorsOf(target).has(anchor));
  });
  expect(broken.map(({ page, to }) => `${relative(ROOT, page)}: ${to}`)).toEqual([]);
});

test('every page of docs can be reached from README.md', () => {
  const reached = new Set([join(ROOT, 'README.md')]);
  for (const page of reached) {
    for (const to of linksOf(page)) {
      const target = join(dirname(page), to.split('#')[0] ?? '');
      if (target.endsWith('.md')) reached.add(target);
      // A folder is shown with all that is in it.
      else if (target.endsWith('/'))
        PAGES.filter((other) => dirname(other) + '/' === target).forEach((other) => reached.add(other));
    }
  }
  expect(PAGES.filter((page) => !reached.has(page)).map((page) => relative(ROOT, page))).toEqual([]);
});
