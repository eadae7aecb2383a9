import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PillarboxError } from '../core/errors.js';
import type { Logger } from '../log/log.js';
import { parseDatabaseUrl } from '../store/database-url.js';

const OTHERS_MAY_READ = 0o077;

/**
 * What signs links and encrypts credentials. Whoever sets none gets one, kept beside the SQLite file; with
 * PostgreSQL several machines must agree on it, so there it has to be set.
 */
export function findSecret(given: string | undefined, databaseUrl: string, log: Logger): string {
  if (given !== undefined) return given;
  const path = pathOf(databaseUrl);
  if (path === undefined) {
    throw new PillarboxError(
      'invalid_config',
      'PILLARBOX_SECRET: is needed with PostgreSQL, the same in every process; make one with: openssl rand -hex 32',
    );
  }
  return keptSecret(fileBeside(path), log);
}

const pathOf = (databaseUrl: string): string | undefined => {
  const place = parseDatabaseUrl(databaseUrl);
  return place.dialect === 'sqlite' ? place.path : undefined;
};
const fileBeside = (path: string): string => `${resolve(path)}.secret`;

interface SecretSettings {
  readonly secret: string | undefined;
  readonly formerSecret: string | undefined;
  readonly databaseUrl: string;
}

/** The one that is used, and the one before it if it is still needed. */
export const findSecrets = (config: SecretSettings, log: Logger): readonly string[] => [
  findSecret(config.secret, config.databaseUrl, log),
  ...(config.formerSecret === undefined ? [] : [config.formerSecret]),
];

/** Those that are there. For whoever only looks: makes none, and misses none. */
export function presentSecrets(config: SecretSettings): readonly string[] {
  const path = pathOf(config.databaseUrl);
  const kept = config.secret === undefined && path !== undefined && existsSync(fileBeside(path));
  return [config.secret, kept ? readKept(fileBeside(path)) : undefined, config.formerSecret].filter(
    (secret) => secret !== undefined,
  );
}

const makeSecret = (): string => randomBytes(32).toString('base64url');

function keptSecret(file: string, log: Logger): string {
  try {
    const kept = readKept(file) ?? makeKept(file);
    if ((statSync(file).mode & OTHERS_MAY_READ) !== 0) {
      log.warn({ file }, 'others on this machine may read the secret; give it mode 600');
    }
    return kept;
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new PillarboxError(
      'store_unavailable',
      `the secret cannot be kept in ${file} (${code}); set PILLARBOX_SECRET`,
      { cause: error },
    );
  }
}

function readKept(file: string): string | undefined {
  try {
    const text = readFileSync(file, 'utf8').trim();
    if (text === '') throw Object.assign(new Error('the file is empty'), { code: 'empty' });
    return text;
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Written apart and linked into place: of several processes that start at once the first wins, and nobody reads half. */
function makeKept(file: string): string {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${makeSecret()}\n`, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = readKept(file);
  if (kept === undefined) throw new Error('the secret vanished');
  return kept;
}
