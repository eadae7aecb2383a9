// @ts-check
import { randomBytes } from 'node:crypto';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * @typedef {object} BrokerPorts
 * @property {number} port AMQP.
 * @property {number} namesPort epmd, Erlang's directory of node names.
 * @property {number} nodePort Erlang's own link between nodes.
 */

/**
 * Lays out directories and configuration, so that a broker reads and writes nothing of the system's.
 *
 * @param {string} room Made here.
 * @param {import('./processes.mjs').Account} account Who will own it.
 * @param {BrokerPorts} ports
 * @param {string} clusterName
 * @returns {Promise<NodeJS.ProcessEnv>} all that the broker may know
 */
export async function furnish(room, { uid, gid }, { port, namesPort, nodePort }, clusterName) {
  const at = (/** @type {string} */ name) => join(room, name);
  const directories = [room, at('home'), at('log'), at('mnesia')];
  const files = {
    [at('home/.erlang.cookie')]: randomBytes(16).toString('hex'),
    [at('enabled_plugins')]: '[].',
    [at('rabbitmq.conf')]: [
      `listeners.tcp.1 = 127.0.0.1:${port}`,
      `cluster_name = ${clusterName}`,
      'loopback_users = none',
      'disk_free_limit.absolute = 50MB',
      '',
    ].join('\n'),
  };
  for (const directory of directories) await mkdir(directory);
  for (const [file, content] of Object.entries(files)) await writeFile(file, content, { mode: 0o400 });
  if (uid !== undefined && gid !== undefined) {
    for (const path of [...directories, ...Object.keys(files)]) await chown(path, uid, gid);
  }
  return {
    PATH: process.env['PATH'],
    HOME: at('home'),
    LANG: 'C.UTF-8',
    RABBITMQ_NODENAME: `pillarbox${port}@localhost`,
    RABBITMQ_NODE_PORT: String(port),
    RABBITMQ_DIST_PORT: String(nodePort),
    RABBITMQ_MNESIA_BASE: at('mnesia'),
    RABBITMQ_LOG_BASE: at('log'),
    RABBITMQ_CONFIG_FILE: at('rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: at('enabled_plugins'),
    RABBITMQ_CONF_ENV_FILE: '/dev/null',
    // "Allow input" makes the start script become the broker instead of staying as its parent, so that the
    // process we hold is the one to stop; `-noinput` takes the input away again.
    RABBITMQ_ALLOW_INPUT: '1',
    // The default ties each thread to one core, which doubles the start beside other programs on few cores.
    RABBITMQ_SERVER_ERL_ARGS: '+P 1048576 +stbt u +sbwt none +sbwtdcpu none +sbwtdio none',
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-noinput -kernel inet_dist_use_interface {127,0,0,1}',
    ERL_EPMD_PORT: String(namesPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };
}
