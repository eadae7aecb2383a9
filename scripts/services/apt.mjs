// @ts-check
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from './processes.mjs';
import { reason } from './waiting.mjs';

const INSTALL_TIMEOUT_MS = 5 * 60_000;
const POLICY = '/usr/sbin/policy-rc.d';

/** One installation at a time: two that run at once fail on each other's lock. */
let queue = Promise.resolve();
/** What was wrong with the list of packages, which is refreshed once for all that are unpacked. */
/** @type {Promise<string> | undefined} */
let refreshed;

/** @returns {boolean} whether packages can be installed here without asking anyone */
export const canInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/**
 * Installs Debian packages without starting the daemons in them. It cannot be interrupted: an installation cut
 * off half-way leaves the package database to be repaired by hand.
 *
 * @param {readonly string[]} packages
 * @returns {Promise<void>}
 */
export function install(packages) {
  const installed = queue.then(() => withoutDaemons(() => aptInstall(packages)));
  queue = installed.catch(() => {});
  return installed;
}

/**
 * Unpacks Debian packages, and the libraries they need, into a directory that can be the root of a process. Nothing of
 * them is installed: servers that do the same work, of which a machine can have only one, stand side by side.
 *
 * @param {readonly string[]} packages
 * @param {string} root Exists, and is empty.
 * @returns {Promise<void>}
 */
export function unpack(packages, root) {
  const unpacked = queue.then(() => aptUnpack(packages, root));
  queue = unpacked.catch(() => {});
  return unpacked;
}

/**
 * @param {readonly string[]} packages
 * @param {string} root
 */
async function aptUnpack(packages, root) {
  const options = { timeoutMs: INSTALL_TIMEOUT_MS };
  refreshed ??= run('apt-get', ['update', '-q'], options).then(() => '', reason);
  const stale = await refreshed;
  const archives = join(root, 'archives');
  /** @type {Set<string>} */
  const known = new Set();
  try {
    for (let wanted = [...packages]; wanted.length > 0;) {
      for (const name of wanted) known.add(name);
      await mkdir(archives);
      await run('apt-get', ['download', '-q', ...wanted], { ...options, cwd: archives });
      /** @type {Set<string>} */
      const needed = new Set();
      for (const file of await readdir(archives)) {
        const archive = join(archives, file);
        await run('dpkg-deb', ['--extract', archive, root], options);
        const fields = ['Pre-Depends', 'Depends'].map((field) =>
          run('dpkg-deb', ['--field', archive, field], options),
        );
        for (const name of (await Promise.all(fields)).flatMap(librariesIn)) needed.add(name);
      }
      await rm(archives, { recursive: true });
      wanted = [...needed].filter((name) => !known.has(name));
    }
  } catch (error) {
    throw new Error([stale, reason(error)].filter(Boolean).join('; '), { cause: error });
  }
  // Manuals and translations, which are most of it.
  await rm(join(root, 'usr/share'), { recursive: true, force: true });
}

/**
 * @param {string} dependencies As a package lists them: `libc6 (>= 2.34), debconf (>= 0.5) | debconf-2.0`.
 * @returns {string[]} the first choice of each that is a library
 */
function librariesIn(dependencies) {
  return dependencies.split(',').flatMap((choice) => /^z?lib[\w.+-]+/.exec(choice.trim())?.[0] ?? []);
}

/** @param {readonly string[]} packages */
async function aptInstall(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { timeoutMs: INSTALL_TIMEOUT_MS, env };
  // A list that cannot be refreshed may still be good enough: the installation decides.
  const stale = await run('apt-get', ['update', '-q'], options).then(() => '', reason);
  const wait = ['-o', 'DPkg::Lock::Timeout=120'];
  try {
    await run('apt-get', [...wait, 'install', '-y', '-q', '--no-install-recommends', ...packages], options);
  } catch (error) {
    throw new Error([stale, reason(error)].filter(Boolean).join('; '), { cause: error });
  }
}

/**
 * Packages start their daemon as they are installed, unless this policy forbids it. Container images bring
 * one; elsewhere ours stands in for as long as the installation takes.
 *
 * @param {() => Promise<void>} work
 */
async function withoutDaemons(work) {
  const ours = await writeFile(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755, flag: 'wx' }).then(
    () => true,
    () => false,
  );
  try {
    await work();
  } finally {
    if (ours) await rm(POLICY, { force: true });
  }
}
