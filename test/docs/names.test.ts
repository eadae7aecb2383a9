import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ERROR_CODES } from '#pillarbox/core/errors';
import { documentOf } from '#pillarbox/http/openapi/document';
import { routeGroups } from '#pillarbox/http/routes/index';
import { Cli } from '../cli/cli.js';
import { blocksOf, PAGES, ROOT, textOf } from './pages.js';

/** What stands between backticks, in a table too. */
const wordsIn = (page: string): readonly string[] =>
  [
    ...textOf(page)
      .replaceAll(/^```.*?^```$/gms, '')
      .matchAll(/`([^`\n]+)`/g),
  ].map(([, word]) => word!);

const linesIn = (page: string): readonly string[] =>
  blocksOf(page, 'sh').flatMap(({ code }) => code.replaceAll('\\\n', ' ').split('\n'));

const SOURCE = ['src', 'scripts']
  .flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(ROOT, folder, name),
    ),
  )
  .filter((path) => /\.(?:ts|mjs)$/.test(path) && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

test('every command that a page names is there, with the options that it gives', async () => {
  const cli = new Cli({});
  const helped = new Map<string, string>();
  const help = async (path: readonly string[]): Promise<string> => {
    const name = path.join(' ');
    const known = helped.get(name) ?? (await cli.run([...path, '--help'])).stdout;
    helped.set(name, known);
    return known;
  };
  const wrong: string[] = [];
  let seen = 0;
  for (const page of PAGES)
    for (const text of [...wordsIn(page), ...linesIn(page)]) {
      const said = /(?:^|npx |&& |<\()pillarbox ([a-z][^#|&`)]*)/.exec(text)?.[1];
      if (said === undefined) continue;
      seen += 1;
      const words = said.trim().split(/\s+/);
      let usage = await help(words.slice(0, 1));
      if (usage.includes('\nCommands:') && words[1] !== undefined) usage = await help(words.slice(0, 2));
      const path = /^Usage: pillarbox ([a-z ]*[a-z])/.exec(usage)?.[1];
      const isThere = path !== undefined && ` ${words.join(' ')} `.startsWith(` ${path} `);
      const given = words.filter((word) => /^--[a-z]/.test(word));
      const unknown = given.filter((flag) => !new RegExp(`(?:^|[\\s,])${flag}\\b`, 'm').test(usage));
      if (!isThere || unknown.length > 0) wrong.push(`${page}: ${text}`);
    }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(40);
});

const { paths } = documentOf(routeGroups);
const ROUTES = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    is: new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
    parameters: (operation as { parameters: readonly { name: string; in: string }[] }).parameters,
  })),
);

test('every request that a page names is one that the API answers, with the parameters that it gives', () => {
  const wrong: string[] = [];
  let seen = 0;
  for (const page of PAGES)
    for (const text of wordsIn(page)) {
      const [, methods, path, query] =
        /^((?:GET|POST|PUT|PATCH|DELETE)(?: \| \w+)*) (\/[^\s?]*)(?:\?(\S*))?/.exec(text) ?? [];
      if (methods === undefined || path === undefined || path.startsWith('/api/v1/')) continue;
      seen += 1;
      for (const method of methods.split(' | ')) {
        const route = ROUTES.find(({ is }) => is.test(`${method} ${path}`));
        const names = (query ?? '')
          .split('&')
          .map((pair) => pair.split('=', 1).join(''))
          .filter((name) => name !== '');
        const known = route?.parameters.filter((each) => each.in === 'query').map(({ name }) => name);
        if (!known || !names.every((name) => known.includes(name))) wrong.push(`${page}: ${text}`);
      }
    }
  expect(wrong).toEqual([]);
  expect(seen).toBeGreaterThan(50);
});

test('every variable, metric and error code that a page names is known', () => {
  const wrong = PAGES.flatMap((page) =>
    [...new Set(textOf(page).match(/\b(?:PILLARBOX_[A-Z_]*[A-Z]|pillarbox_[a-z_]*[a-z])\b/g))]
      .filter((name) => !SOURCE.includes(name.replace(/^pillarbox_/, '')))
      .map((name) => `${page}: ${name}`),
  );
  expect(wrong).toEqual([]);
  const codes = [...textOf('docs/errors.md').matchAll(/^\| `(\w+)` /gm)].map(([, code]) => code);
  expect(codes).toEqual(Object.keys(ERROR_CODES));
});
