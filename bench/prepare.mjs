// @ts-check
import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Installs the peers and builds the product, each only if it is not there or out of date. */
export function prepare() {
  if (isOlder(join(HERE, 'node_modules/.package-lock.json'), newest([join(HERE, 'package-lock.json')]))) {
    npm(['ci', '--no-audit', '--no-fund'], HERE);
  }
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => join(ROOT, 'src', name));
  if (isOlder(join(ROOT, 'dist/.tsbuildinfo'), newest(sources))) npm(['run', 'build'], ROOT);
}

/** @param {readonly string[]} files */
const newest = (files) => Math.max(...files.map((file) => statSync(file).mtimeMs));

/**
 * @param {string} file
 * @param {number} mtimeMs
 */
const isOlder = (file, mtimeMs) => (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) < mtimeMs;

/**
 * @param {string[]} args
 * @param {string} cwd
 */
function npm(args, cwd) {
  console.error(`npm ${args.join(' ')}`);
  const { status, error } = spawnSync('npm', args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}`);
}
