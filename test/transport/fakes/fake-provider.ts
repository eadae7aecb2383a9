import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, type Socket } from 'node:net';
import { Signal } from '../../engine/signal.js';

/** A request as it arrived. */
export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** What a request that sends meets instead of a provider in good order. */
export interface Trouble {
  /** Before the body was read. */
  readonly early?: (request: IncomingMessage, response: ServerResponse) => void;
  /** After it was read; `accept` takes the mail as the provider would. */
  readonly late?: (response: ServerResponse, accept: () => Reply) => void;
}

/**
 * A provider on this machine: a real HTTP server that speaks the documented API and keeps what it takes. `troubles`
 * are met in turn by the requests that send.
 */
export abstract class FakeProvider<Taken> {
  readonly seen: Seen[] = [];
  readonly taken: Taken[] = [];
  readonly troubles: Trouble[] = [];
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #sockets = new Map<Socket, number>();
  readonly #signal = new Signal();
  #connections = 0;

  constructor() {
    this.#server.on('connection', (socket) => {
      this.#sockets.set(socket, ++this.#connections);
      socket.once('close', () => this.#sockets.delete(socket));
      this.#signal.tell();
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#connections;
  }

  /** The requests that send. */
  get sends(): Seen[] {
    return this.seen.filter((seen) => this.isSend(seen));
  }

  until(what: string, happened: () => boolean): Promise<void> {
    return this.#signal.until(what, happened);
  }

  /** As a server that has had enough. Whoever is in this process has noticed when it resolves. */
  async hangUp(): Promise<void> {
    this.#cut();
    // What was sent before this answer has arrived before it.
    await fetch(this.url, { headers: { connection: 'close' } }).then((response) => response.text());
  }

  #cut(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#cut();
    await closed;
  }

  protected abstract isSend(seen: Pick<Seen, 'method' | 'path'>): boolean;
  /** A provider in good order. */
  protected abstract reply(seen: Seen): Reply;

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '/', this.url);
    const { method = '', headers } = request;
    const trouble = this.isSend({ method, path }) ? this.troubles.shift() : undefined;
    if (trouble?.early) {
      trouble.early(request, response);
      return;
    }
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const connection = this.#sockets.get(request.socket) ?? 0;
    const seen: Seen = { method, path, query, headers, body: Buffer.concat(chunks), connection };
    this.seen.push(seen);
    this.#signal.tell();
    if (trouble?.late) trouble.late(response, () => this.reply(seen));
    else write(response, this.reply(seen));
  }
}

export function write(response: ServerResponse, { status, headers = {}, body }: Reply): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
}
