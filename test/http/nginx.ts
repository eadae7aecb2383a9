import { chown, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivileged } from '../../scripts/services/account.mjs';
import { freePorts } from '../../scripts/services/ports.mjs';
import { end, launch, whileAlive } from '../../scripts/services/processes.mjs';
import { until } from '../../scripts/services/waiting.mjs';
import { PATIENCE_MS } from '../patience.js';
import { required } from '../postgres.js';

/** One that the certificate of the tests is for. */
export const NAME = 'mail.example.test';
const TLS = 'test/fixtures/tls';
const STOP_MS = 20_000;

/** The block of docs/proxy.md, with only names, ports and certificates of the test's own. */
async function documented(directory: string, upstream: string, ports: readonly number[]): Promise<string> {
  const [plain, tls] = ports.map(String);
  const block = /```nginx\n(.*?)```/s.exec(await readFile('docs/proxy.md', 'utf8'))?.[1] ?? '';
  return block
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443 ', `listen 127.0.0.1:${tls} `)
    .replaceAll(/\/etc\/\S+\/fullchain\.pem/g, join(directory, 'cert.pem'))
    .replaceAll(/\/etc\/\S+\/privkey\.pem/g, join(directory, 'key.pem'))
    .replaceAll('mail.example.org', NAME)
    .replace('http://127.0.0.1:8025', upstream);
}

interface Wanted {
  readonly path: string;
  readonly method?: string;
  readonly localAddress?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** A real nginx on loopback, with everything it writes in a directory of its own. */
export class Nginx {
  private constructor(
    private readonly pid: number,
    private readonly directory: string,
    readonly plainPort: number,
    private readonly port: number,
    private readonly ca: string,
  ) {}

  static async start(upstream: string): Promise<Nginx> {
    const account = unprivileged(['nobody']);
    const directory = await mkdtemp(join(tmpdir(), 'pillarbox-nginx-'));
    const ports = await freePorts(2);
    const [plainPort = 0, port = 0] = ports;
    const settings = join(directory, 'nginx.conf');
    const paths = TEMPORARY.map((what) => `${what}_temp_path ${join(directory, what)};`);
    const servers = await documented(directory, upstream, ports);
    const top = ['daemon off;', 'worker_processes 1;', `pid ${join(directory, 'pid')};`, 'events {}'];
    await writeFile(settings, [...top, 'http {', 'access_log off;', ...paths, servers, '}', ''].join('\n'));
    for (const name of ['cert.pem', 'key.pem']) await copyFile(join(TLS, name), join(directory, name));
    if (account.uid !== undefined && account.gid !== undefined) {
      for (const path of ['', 'cert.pem', 'key.pem', 'nginx.conf'])
        await chown(join(directory, path), account.uid, account.gid);
    }
    const args = ['-p', directory, '-c', settings, '-e', 'stderr'];
    const logFile = join(directory, 'log');
    const daemon = await launch(required('PILLARBOX_TEST_NGINX'), args, {
      ...{ ...account, cwd: directory, logFile },
    });
    const nginx = new Nginx(
      daemon.pid,
      directory,
      plainPort,
      port,
      await readFile(`${TLS}/cert.pem`, 'utf8'),
    );
    try {
      const ready = () => whileAlive(daemon, () => reached(port));
      await until(`nginx on port ${String(port)}`, ready, { timeoutMs: PATIENCE_MS });
      return nginx;
    } catch (error) {
      const log = await readFile(logFile, 'utf8').catch(() => '');
      await nginx.stop();
      throw new Error(`nginx does not run: ${log}`, { cause: error });
    }
  }

  /** Asks over TLS, which is verified; `localAddress` is who asks, as nginx sees it. */
  open(options: Wanted, body?: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const target = { host: '127.0.0.1', port: this.port, servername: NAME, ca: this.ca, agent: false };
      const asked = request({ ...target, ...options, headers: { host: NAME, ...options.headers } }, resolve);
      asked.once('error', reject);
      asked.end(body);
    });
  }

  async stop(): Promise<void> {
    await end(this.pid, ['SIGTERM', 'SIGKILL'], STOP_MS);
    await rm(this.directory, { recursive: true, force: true });
  }
}

const reached = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve();
    });
    socket.once('error', reject);
  });
