// @ts-check
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, install } from '../../scripts/services/apt.mjs';

const SYSTEM_PATHS = ['/usr/sbin', '/usr/bin', '/usr/lib/postfix/sbin'];

/**
 * The path of a program, after its Debian package was installed where that is possible. Throws what to do about it.
 *
 * @param {string} program
 * @param {string} debianPackage
 */
export async function findOrInstall(program, debianPackage) {
  const found = find(program);
  if (found) return found;
  if (!canInstall()) {
    throw new Error(
      `${program} is not here, and only root on Debian or Ubuntu can have it installed: apt-get install ${debianPackage}`,
    );
  }
  await install([debianPackage]);
  const installed = find(program);
  if (!installed) throw new Error(`${debianPackage} was installed, but brought no ${program}`);
  return installed;
}

/** @param {string} program */
function find(program) {
  const paths = [...(process.env['PATH'] ?? '').split(delimiter).filter(Boolean), ...SYSTEM_PATHS];
  return paths.map((path) => join(path, program)).find((path) => existsSync(path));
}
