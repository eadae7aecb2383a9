// @ts-check
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePorts } from '../../scripts/services/ports.mjs';
import { run } from '../../scripts/services/processes.mjs';
import { startDaemon } from './daemon.mjs';
import { findOrInstall } from './programs.mjs';

const CHECK_MS = 30_000;
const PROCESSES = 200;

/** The services a smarthost needs; none of them in a chroot, which would have to be furnished. */
const SERVICES = `
127.0.0.1:PORT inet n - n - - smtpd
cleanup    unix n - n - 0 cleanup
qmgr       unix n - n 300 1 qmgr
rewrite    unix - - n - - trivial-rewrite
bounce     unix - - n - 0 bounce
defer      unix - - n - 0 bounce
trace      unix - - n - 0 bounce
verify     unix - - n - 1 verify
flush      unix n - n 1000? 0 flush
proxymap   unix - - n - - proxymap
smtp       unix - - n - - smtp
relay      unix - - n - - smtp
showq      unix n - n - - showq
error      unix - - n - - error
retry      unix - - n - - error
discard    unix - - n - - discard
anvil      unix - - n - 1 anvil
scache     unix - - n - 1 scache
postlog    unix-dgram n - n - 1 postlogd
`;

/** Throws why there can be none. */
export async function findPostfix() {
  const master = await findOrInstall('master', 'postfix');
  if (process.getuid?.() !== 0) throw new Error('Postfix can only be started by root');
  return master;
}

/**
 * A private Postfix with its own configuration, queue and ports, that relays everything to one sink over so many
 * connections, which it keeps. Its queue is as durable as ever: each mail is forced to disk before it is accepted.
 *
 * @param {string} directory
 * @param {{ sinkPort: number, connections: number }} relay
 */
export async function startPostfix(directory, { sinkPort, connections }) {
  const master = await findPostfix();
  const [port = 0] = await freePorts(1);
  const room = await mkdtemp(join(directory, 'postfix-'));
  await chmod(room, 0o755);
  const etc = join(room, 'etc');
  for (const name of ['etc', 'queue', 'data']) await mkdir(join(room, name));
  await run('chown', ['postfix', join(room, 'data')], { timeoutMs: CHECK_MS });
  const settings = {
    compatibility_level: '3.6',
    queue_directory: join(room, 'queue'),
    data_directory: join(room, 'data'),
    maillog_file: join(room, 'log'),
    maillog_file_prefixes: room,
    myhostname: 'bench.example.test',
    mydestination: '',
    mynetworks: '127.0.0.0/8',
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    relayhost: `[127.0.0.1]:${sinkPort}`,
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtpd_peername_lookup: 'no',
    smtpd_client_connection_count_limit: '0',
    disable_dns_lookups: 'yes',
    smtp_host_lookup: 'native',
    alias_maps: '',
    alias_database: '',
    local_recipient_maps: '',
    default_process_limit: String(PROCESSES),
    initial_destination_concurrency: String(connections),
    default_destination_concurrency_limit: String(connections),
    smtp_connection_cache_destinations: `[127.0.0.1]:${sinkPort}`,
    // By default it holds back those who hand in mail faster than it leaves.
    in_flow_delay: '0',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(join(etc, 'main.cf'), lines.join(''));
  await writeFile(join(etc, 'master.cf'), SERVICES.replace('PORT', String(port)));
  // Makes the folders of the queue.
  await run('postfix', ['-c', etc, 'check'], { timeoutMs: CHECK_MS });
  const logFile = join(room, 'output');
  const { stop } = await startDaemon({ command: master, args: ['-c', etc], logFile, cwd: room, port });
  return { port, stop };
}
