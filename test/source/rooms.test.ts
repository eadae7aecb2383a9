import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SRC = join(ROOT, 'src');
/** A query builder, or what runs what it built. */
const SQL = /\bdb\b|\byield\* ask(?:One|Compiled)?\(/;

test('at the root of the source lies only what others import by name', () => {
  const files = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name).sort()).toEqual(['index.ts', 'testing.ts']);
});

test('every room has a line in the code map, and every line of it a room', () => {
  const rooms = readdirSync(SRC, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const map = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| `src\/([a-z-]+)\/` /gm);
  expect([...map].map(([, name]) => name).sort()).toEqual(rooms.map(({ name }) => name).sort());
});

test('SQL stands in the store alone', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(?:store|vendor)\//.test(file),
  );
  expect(files.length).toBeGreaterThan(200);
  const fromScripts = files.filter((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    return /from '(?:\.\.\/)+store\/script\.js'/.test(text) && SQL.test(text);
  });
  expect(fromScripts).toEqual([]);
});
