import { isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { Dial, type Family } from './dial.js';
import { ReplyReader, type Reply } from './reply.js';
import { tlsWords } from './tls-words.js';

export interface SocketEvents {
  /** `more`: further bytes came in the same piece. */
  onReply(reply: Reply, more: boolean): void;
  /** The network, or bytes that are no reply, put an end to it. May be called more than once. */
  onCut(code: string, detail: string): void;
  /** The last event: the socket is gone. */
  onClosed(): void;
}

/** What the next connection to the same server, checked by the same authorities, can go on with. */
export interface TlsSessions {
  last?: Buffer;
}

/** The bytes of one connection: TCP, then perhaps TLS, and replies read out of it. It decides nothing. */
export class SmtpSocket {
  #dial: Dial | undefined;
  #socket: Socket | undefined;
  #clearSocket: Socket | undefined;
  #reader = new ReplyReader();
  #listening = false;
  #held: (string | Buffer)[] | undefined;

  readonly #onData = (chunk: Buffer): void => {
    const reader = this.#reader;
    const replies = reader.read(chunk);
    replies.forEach((reply, i) => {
      this.events.onReply(reply, i < replies.length - 1 || reader.midReply || reader.fault !== undefined);
    });
    if (reader.fault !== undefined) this.events.onCut('EPROTOCOL', `the server sent ${reader.fault}`);
  };
  readonly #onError = (cause: Error): void => this.events.onCut(codeOf(cause), textOf(cause));
  readonly #onEnd = (): void => this.events.onCut('ECLOSED', 'the server closed the connection');
  readonly #onClose = (): void => {
    this.#onEnd();
    this.events.onClosed();
  };

  constructor(private readonly events: SocketEvents) {}

  /** To the first of these addresses that answers. */
  connect(addresses: readonly string[], port: number, done: (family: Family) => void): void {
    const connected = (socket: Socket, family: Family): void => {
      this.#adopt(socket);
      done(family);
    };
    this.#dial = new Dial(addresses, port, connected, this.#onError);
  }

  /** Encrypts from here on. The certificate must be trusted and must name the host. */
  secure(host: string, ca: string | Buffer | undefined, sessions: TlsSessions, done: () => void): void {
    const clear = this.#socket;
    if (!clear) return;
    // Only what comes out of the TLS layer was said by the server. Errors below it still end the connection.
    clear.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onClose);
    this.#clearSocket = clear;
    this.#reader = new ReplyReader();
    const options = {
      socket: clear,
      host,
      minVersion: 'TLSv1.2',
      // Said out loud, so that no environment variable can say otherwise.
      rejectUnauthorized: true,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      ...(sessions.last === undefined ? {} : { session: sessions.last }),
    } as const;
    const secured = connectTls(options).once('secureConnect', done);
    secured.on('session', (session: Buffer) => (sessions.last = session));
    this.#adopt(secured);
  }

  #adopt(socket: Socket): void {
    this.#socket = socket;
    this.#listening = false;
    socket.on('error', this.#onError).on('end', this.#onEnd).on('close', this.#onClose);
  }

  /** Nothing is read before somebody waits for it: a greeting may arrive together with the end of the handshake. */
  listen(): void {
    if (this.#listening) return;
    this.#listening = true;
    this.#socket?.on('data', this.#onData);
  }

  /** What is written meanwhile leaves in one write. */
  together(work: () => void): void {
    if (this.#held) return work();
    const held: (string | Buffer)[] = [];
    this.#held = held;
    work();
    this.#held = undefined;
    const [first] = held;
    if (first === undefined) return;
    const all = held.map((bytes) => (typeof bytes === 'string' ? Buffer.from(bytes) : bytes));
    this.#socket?.write(held.length === 1 ? first : Buffer.concat(all));
  }

  write(bytes: string | Buffer, written?: () => void): void {
    if (!written) {
      if (this.#held) this.#held.push(bytes);
      else this.#socket?.write(bytes);
      return;
    }
    this.#socket?.write(bytes, (fault) => {
      if (!fault) written();
    });
  }

  /** Can still be written to, as far as anybody knows. */
  get alive(): boolean {
    const socket = this.#socket;
    return socket !== undefined && !socket.destroyed && socket.writable && !socket.readableEnded;
  }

  /** Last words. */
  end(bytes: string): void {
    this.#socket?.end(bytes);
    this.rest();
  }

  /** Nobody waits for it: from here on it keeps no process alive. */
  rest(): void {
    this.#socket?.unref();
    this.#clearSocket?.unref();
  }

  /** Somebody does again. */
  wake(): void {
    this.#socket?.ref();
    this.#clearSocket?.ref();
  }

  destroy(): void {
    this.#dial?.destroy();
    this.#socket?.destroy();
    this.#clearSocket?.destroy();
  }
}

export const textOf = (cause: unknown): string =>
  (cause instanceof Error ? (tlsWords(cause) ?? cause.message) : String(cause)).slice(0, 300);

const codeOf = (cause: Error): string =>
  'code' in cause && typeof cause.code === 'string' ? cause.code : 'ESOCKET';
