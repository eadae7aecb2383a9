import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import type { Place } from '../engine/posts.js';

/** Everything that stands in the database, as whoever steals it would read it. */
export function rawDatabase({ databaseUrl }: Place): Promise<string> {
  return databaseUrl.startsWith('sqlite:')
    ? filesOf(databaseUrl.slice('sqlite:'.length))
    : rowsOf(databaseUrl);
}

/** The file, and what has not been written back into it. */
async function filesOf(path: string): Promise<string> {
  const names = (await readdir(dirname(path))).filter((name) => name.startsWith(basename(path)));
  const files = await Promise.all(names.map((name) => readFile(join(dirname(path), name), 'latin1')));
  return files.join('\n');
}

async function rowsOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      'select table_name as name from information_schema.tables where table_schema = $1',
      ['pillarbox'],
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(
        `select t::text as text from pillarbox.${name} t`,
      );
      texts.push(...rows.map(({ text }) => text));
    }
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
