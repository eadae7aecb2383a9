// @ts-check
import { readFileSync } from 'node:fs';

/** @typedef {import('./processes.mjs').Account} Account */

/**
 * Whom a server runs as. PostgreSQL refuses to run as root and a broker has no need to, so root lends its
 * processes to the first of these users that exists; anyone else runs them as themselves. Nothing is created.
 *
 * @param {readonly string[]} userNames
 * @returns {Account}
 */
export function unprivileged(userNames) {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  for (const name of userNames) {
    const user = users.find(([userName]) => userName === name);
    if (user) return { uid: Number(user[2]), gid: Number(user[3]) };
  }
  throw new Error(
    `this runs as root, and none of the users ${userNames.join(', ')} exists to run a server as`,
  );
}
