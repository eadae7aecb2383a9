// @ts-check
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { run } from './processes.mjs';
import { reason } from './waiting.mjs';

const INSTALL_TIMEOUT_MS = 5 * 60_000;
const POLICY = '/usr/sbin/policy-rc.d';

/** One installation at a time: two that run at once fail on each other's lock. */
let queue = Promise.resolve();

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
