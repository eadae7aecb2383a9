// @ts-check
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { reason } from './waiting.mjs';

/** Pinned, so that the tests of today are those of tomorrow. */
export const NODE_22 = '22.23.3';
const VARIABLE = 'PILLARBOX_TEST_NODE_22';
const FETCH_TIMEOUT_MS = 5 * 60_000;
const ASK_TIMEOUT_MS = 20_000;
const REMEDY = `Set ${VARIABLE} to a Node 22`;

/**
 * The Node that PILLARBOX_TEST_NODE_22 names, else the one of the package registry, which is fetched this once and kept
 * where things of users are kept: not among temporary files, those may lie where nothing can be executed.
 *
 * @param {Pick<import('./catalogue.mjs').StartOptions, 'log' | 'signal'>} options
 * @returns {Promise<import('./tools.mjs').Tool>}
 */
export async function findNode22({ log, signal }) {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'pillarbox-tests');
  const kept = join(cache, `node-${NODE_22}`);
  const given = process.env[VARIABLE];
  if (!given && !existsSync(kept)) {
    log(`fetching Node ${NODE_22} into ${kept}, this once`);
    await fetchOnce(cache, kept).catch((/** @type {unknown} */ error) => {
      throw new Error(`it could not be fetched (${reason(error)}). ${REMEDY}`);
    });
  }
  signal?.throwIfAborted();
  const program = given || join(kept, 'bin/node');
  const answer = await run(program, ['--version'], { timeoutMs: ASK_TIMEOUT_MS, signal });
  const version = /^v(22\.\S+)/.exec(answer)?.[1];
  if (version === undefined) throw new Error(`${program} is ${answer.trim()}. ${REMEDY}`);
  return { program, version, stop: () => Promise.resolve() };
}

/**
 * All of it or nothing, also when two do so at once.
 *
 * @param {string} cache
 * @param {string} kept
 */
async function fetchOnce(cache, kept) {
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(`${kept}-`);
  const options = { timeoutMs: FETCH_TIMEOUT_MS, cwd: draft };
  try {
    // npm compares what it gets with what the registry says of it.
    const name = `node-${process.platform}-${process.arch}@${NODE_22}`;
    const archive = (await run('npm', ['pack', '--silent', '--prefer-offline', name], options)).trim();
    await run('tar', ['-xzf', archive, '--strip-components=1', 'package/bin/node'], options);
    await rm(join(draft, archive));
    await rename(draft, kept);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!existsSync(kept)) throw error;
  }
}
