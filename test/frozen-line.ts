import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A line to a database that can be made to stand still: nothing fails, and nothing is answered. */
export class FrozenLine {
  readonly #sockets = new Set<Socket>();
  #frozen = false;

  private constructor(
    readonly url: string,
    private readonly shut: () => Promise<void>,
  ) {}

  static async to(databaseUrl: string): Promise<FrozenLine> {
    const far = new URL(databaseUrl);
    const server = createServer((near) => {
      const line = connect(Number(far.port), far.hostname);
      for (const [from, to] of [
        [near, line],
        [line, near],
      ] as const) {
        frozen.#sockets.add(from);
        from.on('data', (chunk) => to.write(chunk));
        from
          .on('error', () => to.destroy())
          .on('close', () => {
            frozen.#sockets.delete(from);
            to.destroy();
          });
        if (frozen.#frozen) from.pause();
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.port = String((server.address() as AddressInfo).port);
    url.hostname = '127.0.0.1';
    const frozen = new FrozenLine(url.href, () => new Promise((resolve) => server.close(() => resolve())));
    return frozen;
  }

  freeze(): void {
    this.#frozen = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#frozen = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await this.shut();
  }
}
