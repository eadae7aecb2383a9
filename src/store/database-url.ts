import { PillarboxError } from '../core/errors.js';

export type DatabasePlace =
  { readonly dialect: 'postgres' } | { readonly dialect: 'sqlite'; readonly path: string };

/** Throws `invalid_config`. */
export function parseDatabaseUrl(url: string): DatabasePlace {
  if (/^postgres(?:ql)?:\/\/./.test(url)) return { dialect: 'postgres' };
  const path = /^sqlite:(.+)$/.exec(url)?.[1];
  if (path === undefined)
    throw new PillarboxError('invalid_config', 'databaseUrl: should be sqlite:<path> or postgres://…');
  if (path === ':memory:') {
    throw new PillarboxError(
      'invalid_config',
      'databaseUrl: should be sqlite:<path>: every process and thread needs the same file, and a database in memory is none',
    );
  }
  return { dialect: 'sqlite', path };
}
