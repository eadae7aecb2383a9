import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** `door`: it takes every connection and never says a word. `hall`: it does so after the EHLO. */
type Where = 'door' | 'hall';

/** A mail server that keeps its clients waiting. */
export class Tarpit {
  readonly #server: Server;
  readonly #peers = new Set<Socket>();
  /** Connections that it was offered, and those that have ended. */
  taken = 0;
  ended = 0;

  private constructor(where: Where) {
    this.#server = createServer((peer) => {
      this.taken += 1;
      this.#peers.add(peer);
      peer.on('error', () => undefined);
      peer.on('close', () => {
        this.ended += 1;
        this.#peers.delete(peer);
      });
      if (where === 'hall') peer.write('220 tarpit\r\n');
      // Read in any case, so that the end of a client is noticed.
      peer.on('data', (chunk: Buffer) => {
        if (where === 'hall' && chunk.toString('latin1').startsWith('EHLO')) peer.write('250 tarpit\r\n');
      });
    });
  }

  static async start(where: Where): Promise<Tarpit> {
    const tarpit = new Tarpit(where);
    tarpit.#server.listen(0, '127.0.0.1');
    await once(tarpit.#server, 'listening');
    return tarpit;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}?tls=none`;
  }

  /** Connections that it holds now. */
  get holds(): number {
    return this.#peers.size;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const peer of this.#peers) peer.destroy();
    await closed;
  }
}
