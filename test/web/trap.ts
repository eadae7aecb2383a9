import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** The rest of the world: whatever the browser connects to arrives here, and nothing is ever answered. */
export class Trap {
  /** The first words of every connection; of TLS, the greeting, which names the host in clear. */
  readonly #words: string[] = [];
  readonly #server = createServer((peer) => {
    peer.on('error', () => undefined);
    peer.once('data', (bytes) => this.#words.push(bytes.toString('latin1')));
  });

  static async set(): Promise<Trap> {
    const trap = new Trap();
    trap.#server.listen(0, '127.0.0.1');
    await once(trap.#server, 'listening');
    return trap;
  }

  /** For `--host-resolver-rules`: every name there is leads here, and our own service is asked by its address. */
  get resolverRules(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `MAP * 127.0.0.1:${port}, EXCLUDE 127.0.0.1`;
  }

  /** Which of these hosts were spoken to. */
  heard(hosts: readonly string[]): string[] {
    return hosts.filter((host) => this.#words.some((words) => words.includes(host)));
  }
}
