// @ts-check
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { canInstall, install } from './apt.mjs';
import { reason } from './waiting.mjs';

// Debian's /usr/sbin/rabbitmq-server is a wrapper that insists on the system's own broker; this is the program.
const DEBIAN_PROGRAM = '/usr/lib/rabbitmq/bin/rabbitmq-server';

/**
 * The broker's start script, installed first where that is possible.
 *
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 */
export async function findOrInstallRabbitmq(log) {
  const found = findProgram();
  if (found) return found;
  if (!canInstall()) {
    throw new Error(
      'rabbitmq-server is not installed, and only root on Debian or Ubuntu can have it installed here. ' +
        'Install it (sudo apt-get install rabbitmq-server), or set AMQP_URL to a running broker',
    );
  }
  log('installing rabbitmq-server with apt-get, this once');
  await install(['rabbitmq-server']).catch((/** @type {unknown} */ error) => {
    throw new Error(
      `rabbitmq-server could not be installed (${reason(error)}). ` +
        'Install it by hand (apt-get install rabbitmq-server), or set AMQP_URL to a running broker',
    );
  });
  const installed = findProgram();
  if (!installed) throw new Error(`rabbitmq-server was installed, but is not at ${DEBIAN_PROGRAM}`);
  return installed;
}

/** @returns {string | undefined} */
function findProgram() {
  const paths = (process.env['PATH'] ?? '').split(delimiter).filter((path) => path && path !== '/usr/sbin');
  const programs = [DEBIAN_PROGRAM, ...paths.map((path) => join(path, 'rabbitmq-server'))];
  return programs.find((program) => existsSync(program));
}
