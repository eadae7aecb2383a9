// @ts-check
import { connect } from 'node:net';
import { Hopeless, until } from '../../scripts/services/waiting.mjs';
import { Child } from '../children.mjs';

const READY_MS = 20_000;

/**
 * @typedef {object} Daemon
 * @property {number} port
 * @property {() => Promise<void>} stop
 *
 * Starts a server of somebody else and waits until it accepts connections.
 *
 * @param {{ command: string, args: string[], logFile: string, cwd: string, port: number, uid?: number, gid?: number }} options
 * @returns {Promise<Daemon>}
 */
export async function startDaemon({ port, ...options }) {
  const keeper = new Child('daemon', options);
  await keeper.heard('launched');
  let lost = false;
  void keeper.gone.then(() => (lost = true));
  const stop = async () => {
    if (!lost) {
      keeper.tell({ kind: 'stop' });
      await keeper.heard('stopped');
    }
    await keeper.end();
  };
  const accepts = async () => {
    if (lost) throw new Hopeless(`${options.command} ended; see ${options.logFile}`);
    await knock(port);
  };
  try {
    await until(`${options.command} on port ${port}`, accepts, { timeoutMs: READY_MS, everyMs: 10 });
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, stop };
}

/**
 * @param {number} port
 * @returns {Promise<void>}
 */
function knock(port) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port }, () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
}
