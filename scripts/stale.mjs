// @ts-check
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Whether something has to be made again: it is not there, or one of what it is made from has changed since.
 *
 * @param {string} made
 * @param {readonly string[]} sources Files and folders; what does not exist counts for nothing.
 * @returns {boolean}
 */
export function isStale(made, sources) {
  const madeAt = changedAt(made);
  return madeAt === undefined || sources.some((source) => (newestBelow(source) ?? 0) > madeAt);
}

/**
 * Folders count too: a file that was removed shows only there.
 *
 * @param {string} path
 * @returns {number | undefined}
 */
function newestBelow(path) {
  const own = changedAt(path);
  if (own === undefined || !statSync(path).isDirectory()) return own;
  const below = readdirSync(path).map((name) => newestBelow(join(path, name)) ?? 0);
  return below.reduce((newest, each) => Math.max(newest, each), own);
}

/** @param {string} path */
const changedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
