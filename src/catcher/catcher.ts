import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { PillarboxError } from '../core/errors.js';
import type { Logger } from '../log/log.js';
import { keepCaught } from '../store/scripts/caught.js';
import type { Store } from '../store/store.js';
import {
  checkRule,
  draw,
  faultsFor,
  wordsFor,
  type Fault,
  type Known,
  type Rule,
  type Step,
} from './behaviour.js';
import { makeCertificate } from './certificate.js';
import { present, type Caught } from './inbox.js';
import { readSubject } from './mail-parts.js';

export interface CatcherOptions {
  readonly store: Store;
  /** 0: any free one. */
  readonly port: number;
  readonly log: Logger;
  /** Told of each mail when it is committed, before the client is. Must not throw. */
  readonly onCaught?: ((mail: Caught) => void) | undefined;
  /** Whether STARTTLS is offered; who says it without being offered it gets it all the same. Default true. */
  readonly startTls?: boolean | undefined;
  /** Decides which mails a rule with a share strikes. */
  readonly random?: (() => number) | undefined;
}

export interface Catcher {
  readonly port: number;
  /** What `SMTP_URL` should be. */
  readonly url: string;
  /** For clients that verify: what it proves itself with, in PEM. Made anew at every start. */
  readonly certificate: string;
  /** From the next mail on it misbehaves so; without a rule it is well-behaved again. */
  behave(...rules: readonly Rule[]): void;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const LARGEST_MAIL_BYTES = 50 * 1024 * 1024;
const IDLE_MS = 5 * 60_000;

/**
 * An SMTP server for development: it takes every mail, keeps it for people to look at and delivers none. It can be
 * told to misbehave, by rules and by the recipients' own tags (see `faultOfTag`). Only this machine can reach it.
 */
export async function startCatcher(options: CatcherOptions): Promise<Catcher> {
  const server = new CatchingServer(options);
  const port = await server.listen(options.port);
  return {
    port,
    url: `smtp://${HOST}:${port}`,
    certificate: server.certificate,
    behave: (...rules) => server.behave(rules),
    close: () => server.close(),
  };
}

class SmtpRefusal extends Error {
  constructor(
    readonly responseCode: number,
    text: string,
  ) {
    super(text);
  }
}

type Callback = (error?: Error | null, text?: string) => void;

class CatchingServer {
  readonly certificate: string;
  readonly #server: SMTPServer;
  /** By the client's port: all of them come from this machine. */
  readonly #sockets = new Map<number, Socket>();
  readonly #taking = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  readonly #struck = new WeakMap<SMTPServerSession, readonly Rule[]>();
  #rules: readonly Rule[] = [];

  constructor(private readonly options: CatcherOptions) {
    const { key, cert } = makeCertificate(Date.now());
    this.certificate = cert;
    this.#server = new SMTPServer({
      ...{ key, cert, hideSTARTTLS: options.startTls === false },
      disableReverseLookup: true,
      hideSMTPUTF8: false,
      size: LARGEST_MAIL_BYTES,
      rejectOversized: true,
      socketTimeout: IDLE_MS,
      logger: false,
      // Whatever an application logs in with is fine here.
      authOptional: true,
      allowInsecureAuth: true,
      authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
      onAuth: ({ username }, _session, callback) => callback(null, { user: username ?? 'anybody' }),
      onMailFrom: ({ address: sender }, session, callback) => {
        this.#struck.set(session, draw(this.#rules, this.options.random ?? Math.random));
        void this.#answer('mail', session, { sender, recipients: [] }, callback);
      },
      onRcptTo: ({ address }, session, callback) => {
        void this.#answer('rcpt', session, { sender: senderOf(session), recipients: [address] }, callback);
      },
      onData: (stream, session, callback) => {
        const taking = this.#take(stream, session, callback).finally(() => this.#taking.delete(taking));
        this.#taking.add(taking);
      },
    });
    this.#server.server.on('connection', (socket: Socket) => {
      const { remotePort = 0 } = socket;
      this.#sockets.set(remotePort, socket);
      socket.once('close', () => this.#sockets.delete(remotePort));
    });
  }

  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', (error) => {
        reject(new PillarboxError('invalid_config', whyNot(port, error), { cause: error }));
      });
      this.#server.listen(port, HOST, resolve);
    });
    this.#server.removeAllListeners('error');
    this.#server.on('error', (error) => {
      this.options.log.debug({ err: error }, 'a client of the catcher went away');
    });
    const address = this.#server.server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  behave(rules: readonly Rule[]): void {
    rules.forEach(checkRule);
    this.#rules = rules;
  }

  /** What was being taken is committed or was never answered; then the store may be closed. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(resolve));
    this.#closing.abort();
    for (const socket of this.#sockets.values()) socket.destroy();
    await Promise.all(this.#taking);
    await closed;
  }

  async #answer(step: Step, session: SMTPServerSession, known: Known, callback: Callback): Promise<void> {
    try {
      await this.#misbehave(step, this.#faultsFor(session, known), known);
      callback();
    } catch (error) {
      callback(error as Error);
    }
  }

  async #take(stream: SMTPServerDataStream, session: SMTPServerSession, callback: Callback): Promise<void> {
    const recipients = session.envelope.rcptTo.map(({ address }) => address);
    const sender = senderOf(session);
    if (drops(this.#faultsFor(session, { sender, recipients }), 'before_dot')) {
      // In the same turn, so that not even the 354 leaves: a client that has seen it may send the dot at any moment.
      this.#hangUp(session);
      return;
    }
    const raw = await wholeMail(stream);
    if (!raw) return;
    if (stream.sizeExceeded) {
      callback();
      return;
    }
    const known = { sender, recipients, bytes: raw.length };
    const faults = this.#faultsFor(session, known);
    try {
      await this.#misbehave('data', faults, known);
      const caught = await this.#keep(sender, recipients, raw);
      this.options.onCaught?.(caught);
      if (drops(faults, 'after_dot')) this.#hangUp(session);
      else callback(null, `2.0.0 caught as ${caught.id}`);
    } catch (error) {
      callback(error as Error);
    }
  }

  async #keep(sender: string, recipients: readonly string[], raw: Buffer): Promise<Caught> {
    const { store, log } = this.options;
    const subject = await readSubject(raw);
    try {
      const receivedAt = await store.now();
      const mail = { receivedAt, sender, recipients, subject, size: raw.length, raw };
      return present(await store.transaction(() => keepCaught(store, mail)));
    } catch (error) {
      log.error({ err: error }, 'the catcher could not keep a mail');
      throw new SmtpRefusal(451, '4.3.0 the mail could not be stored');
    }
  }

  #faultsFor(session: SMTPServerSession, known: Known): readonly Fault[] {
    return faultsFor(this.#struck.get(session) ?? [], known);
  }

  async #misbehave(step: Step, faults: readonly Fault[], { recipients }: Known): Promise<void> {
    for (const fault of faults) {
      if (fault.at !== step) continue;
      if (fault.kind === 'refuse') throw new SmtpRefusal(fault.code, wordsFor(fault.text, recipients));
      await sleep(fault.ms, undefined, { signal: this.#closing.signal });
    }
  }

  #hangUp({ remotePort }: SMTPServerSession): void {
    this.#sockets.get(remotePort)?.destroy();
  }
}

const senderOf = ({ envelope: { mailFrom } }: SMTPServerSession): string =>
  mailFrom ? mailFrom.address : '';

const drops = (faults: readonly Fault[], at: 'before_dot' | 'after_dot'): boolean =>
  faults.some((fault) => fault.kind === 'drop' && fault.at === at);

/** Undefined: the client went away in the middle. What is too large is read to its end, but not kept. */
async function wholeMail(stream: SMTPServerDataStream): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) {
      if (stream.sizeExceeded) chunks.length = 0;
      else chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  } catch {
    return undefined;
  }
}

function whyNot(port: number, error: Error): string {
  const { code } = error as { code?: string };
  if (code === 'EADDRINUSE') return `port: ${port} is in use on ${HOST}; give another`;
  return `port: the catcher cannot listen on ${HOST}:${port}: ${error.message}`;
}
