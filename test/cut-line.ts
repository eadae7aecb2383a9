import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * Where in the life of a statement the line breaks: before it has arrived; after it was answered, with the answer on
 * its way; or while it runs, with the server none the wiser.
 */
export type Moment = 'before' | 'answered' | 'running';

interface Plan {
  readonly text: string;
  readonly moment: Moment;
  readonly first: () => Promise<unknown>;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** "Ready for query": what ends every answer of PostgreSQL. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5]);

/** A line to a server, dead altogether when it is to be; one to PostgreSQL can be cut at one statement. */
export class CutLine {
  readonly #sockets = new Set<Socket>();
  readonly #plans: Plan[] = [];
  #dead = false;
  /** How often somebody came in vain. */
  refused = 0;

  private constructor(
    readonly url: string,
    private readonly server: Server,
  ) {}

  static async to(databaseUrl: string): Promise<CutLine> {
    const far = new URL(databaseUrl);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const line = new CutLine(url.href, server);
    server.on('connection', (near) => line.#join(near, connect(Number(far.port), far.hostname)));
    return line;
  }

  /** The next statement that holds this text is cut off, while it runs not before `first`. Resolves when it was. */
  cut(text: string, moment: Moment, first = (): Promise<unknown> => Promise.resolve()): Promise<void> {
    return new Promise((done, failed) => {
      this.#plans.push({ text, moment, first, done, failed });
    });
  }

  /** Nobody gets through any more, nor has what he had. */
  die(): void {
    this.#dead = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  revive(): void {
    this.#dead = false;
  }

  async close(): Promise<void> {
    this.die();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  #join(near: Socket, far: Socket): void {
    if (this.#dead) {
      this.refused += 1;
      near.destroy();
    }
    let cutting: Plan | undefined;
    near.on('data', (chunk) => {
      cutting ??= this.#planFor(chunk);
      if (cutting?.moment !== 'before') far.write(chunk);
      if (!cutting || cutting.moment === 'answered') return;
      const { first, done, failed } = cutting;
      const cut = () => {
        near.destroy();
        done();
      };
      if (cutting.moment === 'running') void first().then(cut, failed);
      else cut();
    });
    far.on('data', (chunk) => {
      if (!cutting) near.write(chunk);
      else if (chunk.includes(READY)) {
        near.destroy();
        cutting.done();
      }
    });
    const ends = [
      [near, far],
      [far, near],
    ] as const;
    for (const [socket, other] of ends) {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        // The server of a statement that runs does not learn that its caller has gone.
        if (cutting?.moment !== 'running') other.destroy();
      });
    }
  }

  #planFor(chunk: Buffer): Plan | undefined {
    const place = this.#plans.findIndex(({ text }) => chunk.includes(text));
    return place === -1 ? undefined : this.#plans.splice(place, 1)[0];
  }
}
