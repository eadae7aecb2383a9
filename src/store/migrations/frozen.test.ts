import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { postgresDefinitions, sqliteDefinitions, type DefinitionDialect } from './dialect.js';
import { MIGRATIONS } from './index.js';

/** What each released migration does, on PostgreSQL and on SQLite. Add the next; never change one of these. */
const RELEASED: Record<number, readonly [string, string]> = {
  1: ['f863bbd51ad23476', '18c2ddfade895599'],
  2: ['32686caeef19bc73', '7fe893b349e52727'],
  3: ['03a3fe94411487f5', '7e68ead9137b5efb'],
  4: ['d9e4d930120c0e41', '434623f83a5f3f0e'],
  5: ['1a433384718cb2c8', '76b53ec0f2edabab'],
  6: ['2ff8e4a4b8c7ef2c', 'f102985f162f2b16'],
  7: ['ce3cce1c08cb530c', '4f53cda18c2baa0c'],
  8: ['e70a6e6b482ff1f6', '6d5e4f134cfde6f6'],
  9: ['dc17203cc9f8f044', 'dd25e0ece2b1bdba'],
  10: ['a8df6632b6fc9b3c', 'c287336828e95aa5'],
};

/** The installation's own name is drawn when a database is made. */
const hashOf = (statements: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify(statements).replace(/'installation', '[0-9a-f]{10}'/, ''))
    .digest('hex')
    .slice(0, 16);

describe('migrations', () => {
  test.each(MIGRATIONS.filter(({ version }) => version in RELEASED))(
    '$version-$name does what it did when it was released',
    ({ version, statements }) => {
      const dialects: DefinitionDialect[] = [postgresDefinitions('pillarbox'), sqliteDefinitions];
      expect(dialects.map((dialect) => hashOf(statements(dialect)))).toEqual(RELEASED[version]);
    },
  );

  test('read nothing that may change after their release', () => {
    const here = fileURLToPath(new URL('.', import.meta.url));
    const files = readdirSync(here).filter((name) => /^\d{4}-.*\.ts$/.test(name));
    expect(files.length).toBe(MIGRATIONS.length);
    for (const file of files) {
      const imports = [...readFileSync(here + file, 'utf8').matchAll(/from '([^']+)'/g)].map(
        ([, from]) => from,
      );
      const foreign = imports.filter(
        (from) => !/^(?:\.\/(?:dialect|parts)\.js|node:crypto)$/.test(from ?? ''),
      );
      expect({ file, foreign }).toEqual({ file, foreign: [] });
    }
  });

  test('come in the order of their numbers', () => {
    const versions = MIGRATIONS.map(({ version }) => version);
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  });
});
