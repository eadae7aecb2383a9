// @ts-check
import { chown, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unprivileged } from '../../scripts/services/account.mjs';
import { freePorts } from '../../scripts/services/ports.mjs';
import { startDaemon } from './daemon.mjs';
import { findOrInstall } from './programs.mjs';

/**
 * A private Redis that keeps its data as its makers advise for queues: every write goes into its log, which is
 * forced to disk once a second.
 *
 * @param {string} directory
 */
export async function startRedis(directory) {
  const command = await findOrInstall('redis-server', 'redis-server');
  const account = unprivileged(['redis', 'nobody']);
  const [port = 0] = await freePorts(1);
  const room = join(directory, 'redis');
  await mkdir(room);
  if (account.uid !== undefined && account.gid !== undefined) await chown(room, account.uid, account.gid);
  const settings = {
    port: String(port),
    bind: '127.0.0.1',
    dir: room,
    appendonly: 'yes',
    appendfsync: 'everysec',
    save: '',
    'maxmemory-policy': 'noeviction',
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  const logFile = join(directory, 'redis.log');
  const { stop } = await startDaemon({ command, args, logFile, cwd: room, port, ...account });
  return { url: `redis://127.0.0.1:${port}`, stop };
}
