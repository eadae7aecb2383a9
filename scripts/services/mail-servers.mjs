// @ts-check
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canInstall, unpack } from './apt.mjs';
import { run } from './processes.mjs';
import { sweepRooms } from './stale-rooms.mjs';
import { reason } from './waiting.mjs';

/** Not among temporary files: those may lie where nothing can be executed. */
const CACHE = '/var/cache/pillarbox-tests';
const ASK_TIMEOUT_MS = 20_000;
const REMEDY = 'Run the tests as root on Debian or Ubuntu, in a container for example';

/** Whom the servers run as. They have a list of users of their own, so that none is created on this machine. */
export const OWNERS = {
  root: 0,
  box: 59_000,
  'Debian-exim': 59_001,
  postfix: 59_002,
  postdrop: 59_003,
  opensmtpd: 59_004,
  opensmtpq: 59_005,
};

/**
 * @typedef {object} MailServer A directory that tests copy and start a server in: there is nothing to stop.
 * @property {string} root
 * @property {string} version
 * @property {() => Promise<void>} stop
 */

export const findPostfix = findMailServer({
  name: 'postfix',
  packages: ['postfix'],
  ask: ['/usr/sbin/postconf', '-d', 'mail_version'],
  version: /mail_version = (\S+)/,
});

export const findExim = findMailServer({
  name: 'exim',
  packages: ['exim4-daemon-light'],
  ask: ['/usr/sbin/exim4', '-C', '/dev/null', '-bV'],
  version: /^Exim version (\S+)/,
});

export const findOpensmtpd = findMailServer({
  name: 'opensmtpd',
  packages: ['opensmtpd', 'dash'],
  ask: ['/usr/sbin/smtpd', '-h'],
  version: /OpenSMTPD (\d\S+)/,
});

/** @type {Promise<void> | undefined} */
let swept;

/** Of tests that were killed, before there are new ones. */
const sweepOnce = () => (swept ??= sweepRooms(CACHE));

/**
 * Debian lets a machine have one mail server. So each is unpacked, with the libraries it needs, into a directory of its
 * own that can be its root, this once and before the tests.
 *
 * @param {{ name: string, packages: readonly string[], ask: readonly string[], version: RegExp }} wanted
 * @returns {(options: Pick<import('./catalogue.mjs').StartOptions, 'log' | 'signal'>) => Promise<MailServer>}
 */
function findMailServer({ name, packages, ask, version }) {
  return async ({ log, signal }) => {
    if (!canInstall()) throw new Error(`only root on Debian or Ubuntu can run it in tests. ${REMEDY}`);
    const root = join(CACHE, name);
    await sweepOnce();
    if (!existsSync(root)) {
      log(`unpacking ${packages.join(' and ')} into ${root}, this once`);
      await unpackOnce(packages, root).catch((/** @type {unknown} */ error) => {
        throw new Error(`it could not be unpacked (${reason(error)}). Check the sources of apt-get`);
      });
    }
    signal?.throwIfAborted();
    // Some answer with their version and complain all the same.
    const answer = await run('chroot', [root, ...ask], { timeoutMs: ASK_TIMEOUT_MS, signal }).catch(reason);
    const found = version.exec(answer)?.[1];
    if (found === undefined)
      throw new Error(`it can't be run (${answer.trim()}). Remove ${root}, and it is unpacked anew`);
    return { root, version: found, stop: () => Promise.resolve() };
  };
}

/**
 * All of it or nothing, also when two do so at once.
 *
 * @param {readonly string[]} packages
 * @param {string} root
 */
async function unpackOnce(packages, root) {
  await mkdir(CACHE, { recursive: true });
  const draft = await mkdtemp(`${root}-`);
  try {
    await unpack(packages, draft);
    await furnish(draft);
    await rename(draft, root).catch((/** @type {unknown} */ error) => {
      if (!existsSync(root)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * What any program expects of a machine.
 *
 * @param {string} root
 */
async function furnish(root) {
  await chmod(root, 0o755);
  for (const path of ['etc', 'dev', 'run', 'tmp', 'var/run', 'var/mail', 'var/spool', 'var/log', 'var/tmp'])
    await mkdir(join(root, path), { recursive: true });
  for (const path of ['tmp', 'var/tmp']) await chmod(join(root, path), 0o1777);
  const users = Object.entries(OWNERS).map(([name, id]) => `${name}:x:${id}:${id}::/:/bin/sh\n`);
  const groups = Object.entries({ ...OWNERS, mail: 8 }).map(([name, id]) => `${name}:x:${id}:\n`);
  const files = {
    passwd: users.join(''),
    group: groups.join(''),
    'nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\nservices: files\n',
    hosts: '127.0.0.1 localhost mx.example.test\n',
    services: 'smtp 25/tcp mail\n',
    'resolv.conf': 'nameserver 127.0.0.1\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(root, 'etc', name), text);
  const devices = { null: '3', random: '8', urandom: '9' };
  for (const [name, minor] of Object.entries(devices))
    await run('mknod', ['-m', '666', join(root, 'dev', name), 'c', '1', minor], {
      timeoutMs: ASK_TIMEOUT_MS,
    });
}
