// @ts-check
import { readFile } from 'node:fs/promises';
import { end } from './processes.mjs';

const STOP_TIMEOUT_MS = 10_000;

/**
 * The processes of a private RabbitMQ, kept as JSON so that any process can stop it.
 *
 * @typedef {object} RabbitmqDescriptor
 * @property {number} [brokerPid]
 * @property {number} [namesPid] epmd, Erlang's directory of node names; it would outlive the broker.
 * @property {Launch} [launch] How it was started, to command it, and to start it again.
 */

/**
 * @typedef {object} Launch
 * @property {string} program
 * @property {string} url
 * @property {string} logFile
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {number} [uid]
 * @property {number} [gid]
 */

/**
 * @param {string} path
 * @returns {Promise<RabbitmqDescriptor>}
 */
export async function readDescriptor(path) {
  return /** @type {RabbitmqDescriptor} */ (JSON.parse(await readFile(path, 'utf8')));
}

/**
 * Kills it: a clean stop takes a second to save what is thrown away with it.
 *
 * @param {RabbitmqDescriptor} descriptor
 * @returns {Promise<void>}
 */
export async function stopRabbitmq({ brokerPid, namesPid }) {
  if (brokerPid) await end(brokerPid, ['SIGKILL'], STOP_TIMEOUT_MS);
  if (namesPid) await end(namesPid, ['SIGKILL'], STOP_TIMEOUT_MS);
}
