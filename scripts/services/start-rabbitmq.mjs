// @ts-check
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { unprivileged } from './account.mjs';
import { greet } from './amqp.mjs';
import { freePorts } from './ports.mjs';
import { lastLines, launch, whileAlive } from './processes.mjs';
import { findOrInstallRabbitmq } from './rabbitmq-program.mjs';
import { furnish } from './rabbitmq-room.mjs';
import { readDescriptor, stopRabbitmq } from './rabbitmq.mjs';
import { reason, until } from './waiting.mjs';

const NAMES_TIMEOUT_MS = 10_000;
const READY_TIMEOUT_MS = 60_000;
const MOST_STARTS = 3;

/**
 * @typedef {object} Rabbitmq
 * @property {string} url
 * @property {string} version
 * @property {string} [descriptorFile] Of a private one: how to command it.
 * @property {() => Promise<void>} stop
 */

/**
 * The broker at AMQP_URL if that is set, else a private one.
 *
 * @param {import('./catalogue.mjs').StartOptions} options
 * @returns {Promise<Rabbitmq>}
 */
export async function startRabbitmq(options) {
  const given = process.env['AMQP_URL'];
  if (!given) return startPrivate(options);
  const { version } = await greet(given).catch((/** @type {unknown} */ error) => {
    throw new Error(
      `AMQP_URL is set, but its broker does not answer (${reason(error)}). Start it, or unset it`,
    );
  });
  return { url: given, version, stop: () => Promise.resolve() };
}

/**
 * @param {import('./catalogue.mjs').StartOptions} options
 * @returns {Promise<Rabbitmq>}
 */
async function startPrivate({ directory, takePorts = freePorts, signal, log }) {
  const program = await findOrInstallRabbitmq(log);
  signal?.throwIfAborted();
  const account = unprivileged(['rabbitmq', 'nobody']);
  for (let start = 1; ; start += 1) {
    const [port = 0, namesPort = 0, nodePort = 0] = await takePorts(3);
    const room = join(directory, `start-${start}`);
    try {
      return await launchBroker({ program, account, room, signal }, { port, namesPort, nodePort });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (start === MOST_STARTS) {
        const remedy = `Start ${program} by hand to see why, or set AMQP_URL to a running broker`;
        throw new Error(`RabbitMQ did not start in ${MOST_STARTS} tries (${reason(error)}). ${remedy}`, {
          cause: error,
        });
      }
      log(`RabbitMQ did not start on port ${port}, trying another: ${reason(error)}`);
    }
  }
}

/**
 * @param {{ program: string, account: import('./processes.mjs').Account, room: string,
 *   signal: AbortSignal | undefined }} plan
 * @param {import('./rabbitmq-room.mjs').BrokerPorts} ports
 * @returns {Promise<Rabbitmq>}
 */
async function launchBroker({ program, account, room, signal }, ports) {
  const { port, namesPort } = ports;
  const clusterName = `pillarbox-${randomBytes(6).toString('hex')}`;
  const env = await furnish(room, account, ports, clusterName);
  const settings = { ...account, cwd: room, env, logFile: join(room, 'output') };
  const url = `amqp://guest:guest@127.0.0.1:${port}`;
  /** @type {import('./rabbitmq.mjs').RabbitmqDescriptor} */
  const descriptor = { launch: { program, url, ...settings } };
  // Beside the room, where whoever has to stop the broker looks first.
  const descriptorFile = join(room, '..', 'descriptor.json');
  const note = () => writeFile(descriptorFile, JSON.stringify(descriptor, undefined, 2));
  try {
    // Started here and not by the broker, which would leave it behind as a daemon of unknown id.
    const names = await launch('epmd', ['-port', String(namesPort), '-address', '127.0.0.1'], settings);
    descriptor.namesPid = names.pid;
    await note();
    const named = () => whileAlive(names, () => accepts(namesPort));
    await until(`epmd on port ${namesPort}`, named, { timeoutMs: NAMES_TIMEOUT_MS, everyMs: 10, signal });

    const broker = await launch(program, [], settings);
    descriptor.brokerPid = broker.pid;
    await note();
    const ready = () => whileAlive(names, () => whileAlive(broker, () => versionOf(url, clusterName)));
    const version = await until(`RabbitMQ on port ${port}`, ready, { timeoutMs: READY_TIMEOUT_MS, signal });
    const stop = async () => stopRabbitmq(await readDescriptor(descriptorFile));
    return { url, version, descriptorFile, stop };
  } catch (error) {
    await stopRabbitmq(descriptor);
    const output = lastLines(await readFile(settings.logFile, 'utf8').catch(() => ''));
    throw new Error(`${reason(error)}; its output ends:\n${output}`, { cause: error });
  }
}

/**
 * @param {string} url
 * @param {string} clusterName
 */
async function versionOf(url, clusterName) {
  const broker = await greet(url);
  // A stranger on our port answers just as well; its queues are not ours to use.
  if (broker.clusterName !== clusterName) throw new Error(`this is another broker, ${broker.clusterName}`);
  return broker.version;
}

/**
 * @param {number} port
 * @returns {Promise<void>}
 */
function accepts(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
