import { connect, type Socket } from 'node:net';
import { Signal } from '../engine/signal.js';
import type { Caller, Office } from './office.js';

export const portOf = async ({ app }: Pick<Office, 'app'>): Promise<number> =>
  Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);

/** The head of a POST: `rest` says how its body comes, a header a line. */
export const headOf = (url: string, { headers }: Caller, ...rest: readonly string[]): string =>
  [
    ...[`POST ${url} HTTP/1.1`, 'host: x', 'content-type: application/json'],
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...rest,
  ].join('\r\n') + '\r\n\r\n';

export const ofLength = (bytes: number): string => `content-length: ${String(bytes)}`;
export const CHUNKED = 'transfer-encoding: chunked';

export const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

/** What a server ends only after a while, on a machine that has other things to do. */

/** A connection on which exactly this is sent, and no more. */
export class RawClient {
  heard = '';
  ended = false;
  readonly #socket: Socket;
  readonly #signal = new Signal();

  constructor(port: number, text: string, localAddress = '127.0.0.1') {
    this.#socket = connect({ port, host: '127.0.0.1', localAddress });
    this.#socket.write(text);
    this.#socket.setEncoding('latin1').on('data', (chunk: string) => {
      this.heard += chunk;
      this.#signal.tell();
    });
    this.#socket
      .on('error', () => undefined)
      .on('close', () => {
        this.ended = true;
        this.#signal.tell();
      });
  }

  /** False: there is nobody to send it to any more. Waits until it is on its way. */
  send(text: string): Promise<boolean> {
    if (this.ended) return Promise.resolve(false);
    return new Promise((resolve) => this.#socket.write(text, (error) => resolve(!error)));
  }

  /** The statuses of what was answered so far, in order. */
  get statuses(): readonly number[] {
    return [...this.heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  }

  /** Waits for so many answers, or the end. */
  async answers(many = 1): Promise<string> {
    const answered = () => this.ended || this.statuses.length >= many;
    await this.#signal.until(`answer ${String(many)}`, answered);
    return this.heard;
  }

  over(): Promise<void> {
    return this.#signal.until('the end', () => this.ended);
  }

  hangUp(): void {
    this.#socket.destroy();
  }
}
