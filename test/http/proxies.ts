import { chown, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unprivileged } from '../../scripts/services/account.mjs';
import { freePorts } from '../../scripts/services/ports.mjs';
import { end, launch, whileAlive } from '../../scripts/services/processes.mjs';
import { until } from '../../scripts/services/waiting.mjs';
import { PATIENCE_MS } from '../patience.js';
import { required } from '../postgres.js';

/** One that the certificate of the tests is for; Caddy makes its own. */
export const NAME = 'mail.example.test';
const TLS = 'test/fixtures/tls';
const STOP_MS = 20_000;

/** What a proxy is started with. */
interface Place {
  readonly directory: string;
  /** Where Pillarbox listens: `127.0.0.1:8025`. */
  readonly upstream: string;
  readonly plainPort: number;
  readonly port: number;
}

interface Kind {
  readonly variable: string;
  /** Its settings: the block of docs/proxy.md, with only names, ports and certificates of the test's own. */
  readonly settings: (place: Place) => Promise<string>;
  readonly args: (settings: string, place: Place) => readonly string[];
  /** Who signed its certificate, once it is there. */
  readonly authority: (place: Place) => string;
}

const blockOf = async (language: string): Promise<string> =>
  new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's')
    .exec(await readFile('docs/proxy.md', 'utf8'))![1]!
    .replaceAll('mail.example.org', NAME);

const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const nginx: Kind = {
  variable: 'PILLARBOX_TEST_NGINX',
  settings: async ({ directory, upstream, plainPort, port }) => {
    const servers = (await blockOf('nginx'))
      .replaceAll(/^ *listen \[::\].*\n/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${String(plainPort)};`)
      .replace('listen 443 ', `listen 127.0.0.1:${String(port)} `)
      .replaceAll(/\/etc\/\S+\/fullchain\.pem/g, join(directory, 'cert.pem'))
      .replaceAll(/\/etc\/\S+\/privkey\.pem/g, join(directory, 'key.pem'))
      .replace('127.0.0.1:8025', upstream);
    const paths = TEMPORARY.map((what) => `${what}_temp_path ${join(directory, what)};`);
    const top = ['daemon off;', 'worker_processes 1;', `pid ${join(directory, 'pid')};`, 'events {}'];
    return [...top, 'http {', 'access_log off;', ...paths, servers, '}', ''].join('\n');
  },
  args: (settings, { directory }) => ['-p', directory, '-c', settings, '-e', 'stderr'],
  authority: ({ directory }) => join(directory, 'cert.pem'),
};

const caddy: Kind = {
  variable: 'PILLARBOX_TEST_CADDY',
  settings: async ({ upstream, plainPort, port }) => {
    const ports = [`http_port ${String(plainPort)}`, `https_port ${String(port)}`, 'default_bind 127.0.0.1'];
    // Its own authority signs, and is not made known to this machine.
    const top = ['admin off', ...ports, 'local_certs', 'skip_install_trust'];
    return ['{', ...top, '}', (await blockOf('caddyfile')).replace('127.0.0.1:8025', upstream)].join('\n');
  },
  args: (settings) => ['run', '--config', settings, '--adapter', 'caddyfile'],
  authority: ({ directory }) => join(directory, 'caddy/pki/authorities/local/root.crt'),
};

export const KINDS = { nginx, caddy };

interface Wanted {
  readonly path: string;
  readonly method?: string;
  readonly localAddress?: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A real one on loopback, with everything it writes in a directory of its own. */
export class Proxy {
  private constructor(
    private readonly kind: Kind,
    private readonly pid: number,
    private readonly place: Place,
  ) {}

  static async start(kind: Kind, upstream: string): Promise<Proxy> {
    const account = unprivileged(['nobody']);
    const directory = await mkdtemp(join(tmpdir(), 'pillarbox-proxy-'));
    const [plainPort = 0, port = 0] = await freePorts(2);
    const place = { directory, upstream: new URL(upstream).host, plainPort, port };
    const settings = join(directory, 'settings');
    await writeFile(settings, await kind.settings(place));
    for (const name of ['cert.pem', 'key.pem']) await copyFile(join(TLS, name), join(directory, name));
    if (account.uid !== undefined && account.gid !== undefined) {
      for (const path of ['', 'cert.pem', 'key.pem', 'settings'])
        await chown(join(directory, path), account.uid, account.gid);
    }
    const logFile = join(directory, 'log');
    const env = { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory };
    const daemon = await launch(required(kind.variable), kind.args(settings, place), {
      ...{ ...account, cwd: directory, env, logFile },
    });
    const proxy = new Proxy(kind, daemon.pid, place);
    try {
      // By TLS: a certificate may come after the port.
      const ready = () => whileAlive(daemon, () => proxy.open({ path: '/healthz', headers: {} }));
      const answer = await until(`a proxy on port ${String(port)}`, ready, { timeoutMs: PATIENCE_MS });
      answer.resume();
      return proxy;
    } catch (error) {
      const log = await readFile(logFile, 'utf8').catch(() => '');
      await proxy.stop();
      throw new Error(`the proxy does not run: ${log}`, { cause: error });
    }
  }

  /** Asks over TLS, which is verified; `localAddress` is who asks, as the proxy sees it. */
  async open(options: Wanted, body?: string): Promise<IncomingMessage> {
    const ca = await readFile(this.kind.authority(this.place), 'utf8');
    const target = { host: '127.0.0.1', port: this.place.port, servername: NAME, ca, agent: false };
    const headers = { host: NAME, ...options.headers };
    return answered(requestTls({ ...target, ...options, headers }), body);
  }

  /** Asks without TLS. */
  openPlain(path: string): Promise<IncomingMessage> {
    const target = { host: '127.0.0.1', port: this.place.plainPort, agent: false };
    return answered(request({ ...target, path, headers: { host: NAME } }));
  }

  async stop(): Promise<void> {
    await end(this.pid, ['SIGTERM', 'SIGKILL'], STOP_MS);
    await rm(this.place.directory, { recursive: true, force: true });
  }
}

const answered = (asked: ClientRequest, body?: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    asked.once('response', resolve).once('error', reject);
    asked.end(body);
  });
