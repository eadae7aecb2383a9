// @ts-check
import { existsSync } from 'node:fs';
import { canInstall, install } from './apt.mjs';
import { run } from './processes.mjs';
import { reason } from './waiting.mjs';

const ASK_TIMEOUT_MS = 20_000;

/**
 * @typedef {object} Tool A program that tests run: there is nothing to stop.
 * @property {string} program
 * @property {string} version
 * @property {() => Promise<void>} stop
 */

/**
 * @typedef {object} Wanted
 * @property {string} variable That names the program where somebody has it elsewhere.
 * @property {string} path Where its package puts it.
 * @property {string} packageName
 * @property {string} [ask] `--version`, unless it is said otherwise.
 * @property {RegExp} version In what it answers.
 */

/** Clients of RabbitMQ that know nothing of us: they speak through the queues as they are documented. */
export const findAmqpTools = findTool({
  variable: 'PILLARBOX_TEST_AMQP_PUBLISH',
  path: '/usr/bin/amqp-publish',
  packageName: 'amqp-tools',
  version: /(\d+\.\d+\.\d+)/,
});

/** What Prometheus itself thinks of our alert rules. */
export const findPromtool = findTool({
  variable: 'PILLARBOX_TEST_PROMTOOL',
  path: '/usr/bin/promtool',
  packageName: 'prometheus',
  version: /version (\S+)/,
});

/** A proxy as people put it before the service. */
export const findNginx = findTool({
  variable: 'PILLARBOX_TEST_NGINX',
  path: '/usr/sbin/nginx',
  packageName: 'nginx-light',
  version: /nginx\/(\S+)/,
});

/** Another one, that has its certificates by itself. */
export const findCaddy = findTool({
  variable: 'PILLARBOX_TEST_CADDY',
  path: '/usr/bin/caddy',
  packageName: 'caddy',
  ask: 'version',
  version: /^v?(\d\S+)/,
});

/** What systemd itself thinks of our units. */
export const findSystemd = findTool({
  variable: 'PILLARBOX_TEST_SYSTEMD_ANALYZE',
  path: '/usr/bin/systemd-analyze',
  packageName: 'systemd',
  version: /^systemd (\d+)/,
});

/**
 * The program that the variable names, else that of this machine, installed first where that is possible: before the
 * tests, because whatever apt-get does in the middle of them, every one of them would wait for.
 *
 * @param {Wanted} wanted
 * @returns {(options: Pick<import('./catalogue.mjs').StartOptions, 'log' | 'signal'>) => Promise<Tool>}
 */
function findTool({ variable, path, packageName, ask = '--version', version }) {
  const remedy = `Install it (sudo apt-get install ${packageName}), or set ${variable} to the program`;
  return async ({ log, signal }) => {
    const given = process.env[variable];
    if (!given && !existsSync(path)) {
      if (!canInstall())
        throw new Error(
          `it is not installed, and only root on Debian or Ubuntu can have it installed here. ${remedy}`,
        );
      log(`installing ${packageName} with apt-get, this once`);
      await install([packageName]).catch((/** @type {unknown} */ error) => {
        throw new Error(`it could not be installed (${reason(error)}). ${remedy}`);
      });
    }
    signal?.throwIfAborted();
    const program = given || path;
    // Some answer with their version and complain all the same.
    const answer = await run(program, [ask], { timeoutMs: ASK_TIMEOUT_MS, signal }).catch(reason);
    return { program, version: version.exec(answer)?.[1] ?? 'installed', stop: () => Promise.resolve() };
  };
}
