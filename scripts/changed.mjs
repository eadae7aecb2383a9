// @ts-check
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * What differs from the last commit, as tests import it: they run against the built product, so a file of `src/` is
 * also named as what is built from it.
 *
 * @param {string} directory Of the repository.
 * @returns {Promise<readonly string[]>}
 */
export async function changedFiles(directory) {
  const git = async (/** @type {readonly string[]} */ ...args) =>
    (await run('git', args, { cwd: directory })).stdout.split('\n').filter(Boolean);
  const changed = await git('diff', '--name-only', '--relative', '--diff-filter=d', 'HEAD');
  const added = await git('ls-files', '--others', '--exclude-standard');
  return [...changed, ...added].flatMap((path) => [path, ...builtFrom(path)]);
}

const builtFrom = (/** @type {string} */ path) =>
  /^src\/.*\.ts$/.test(path) ? [path.replace(/^src\/(.*)\.ts$/, 'dist/$1.js')] : [];
