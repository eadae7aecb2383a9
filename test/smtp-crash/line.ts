import { connect, type Socket } from 'node:net';
import type { Conduct, Cut, Phase, Script } from './phases.js';

/** One mail's way over one line, as the line saw it. */
export interface Passage {
  readonly to: string;
  /** The 354 was passed on to the worker: its dot may leave at any moment. */
  invited: boolean;
  /** The worker's dot was seen here, whether or not it went further. */
  dotLeft: boolean;
  /** The server's answer to the dot was passed on to the worker. */
  answered: boolean;
  /** The line has ended with this mail on it. */
  over: boolean;
}

export interface LinePorts {
  readonly serverPort: number;
  readonly script: Script;
  /** The server will know the line by the port it comes from. */
  readonly onConnected: (localPort: number) => void;
  readonly onMail: (mail: Passage) => void;
}

const PHASE_OF_VERB: Readonly<Record<string, Phase>> = {
  EHLO: 'ehlo',
  RSET: 'rset',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
  QUIT: 'quit',
};
const TERMINATOR = '\r\n.\r\n';

/**
 * One worker's connection to the server. It understands just enough of SMTP to know how far each mail has come: while
 * one waits for its answer, the next may be written behind it.
 */
export class Line {
  #server: Socket | undefined;
  /** The last that the worker began. */
  #mail: Passage | undefined;
  /** What the server has still to answer, in order, and for which mail. */
  readonly #unanswered: { readonly phase: Phase | 'other'; readonly mail: Passage | undefined }[] = [
    { phase: 'greeting', mail: undefined },
  ];
  /** What the server has got the dots of and not answered. */
  readonly #arriving: Passage[] = [];
  readonly #passages: Passage[] = [];
  #fromWorker = '';
  #fromServer = '';
  #inContent = false;
  #halfPassed = false;
  #severed = false;

  constructor(
    private readonly worker: Socket,
    private readonly ports: LinePorts,
  ) {
    worker.on('error', () => undefined); // a killed worker
    worker.on('close', () => {
      for (const mail of this.#passages) mail.over = true;
    });
  }

  async serve(): Promise<void> {
    if (!(await this.#reach('connect'))) {
      // Unread, even its end would not be noticed.
      this.worker.resume();
      return;
    }
    const server = connect({ host: '127.0.0.1', port: this.ports.serverPort, noDelay: true });
    this.#server = server;
    server.on('error', () => undefined);
    await new Promise((resolve) => server.once('connect', resolve));
    this.ports.onConnected(server.localPort!);
    void this.#hearServer(server);
    await this.#hearWorker();
    server.end();
  }

  /** The server has the dot. Whether it may answer. */
  dotArrived(): Promise<boolean> {
    return this.#reach('dot', this.#arriving[0]);
  }

  sever(cut: Cut): void {
    if (this.#severed) return;
    this.#severed = true;
    this.#server?.destroy();
    if (cut === 'reset') this.worker.resetAndDestroy();
    else if (cut === 'end') this.worker.end();
  }

  destroy(): void {
    this.sever('reset');
    this.worker.destroy();
  }

  async #reach(phase: Phase, mail = this.#mail): Promise<boolean> {
    if (this.#severed) return false;
    const conduct: Conduct = await this.ports.script({ phase, to: mail?.to, line: this });
    if (conduct !== 'pass') this.sever(conduct);
    return !this.#severed;
  }

  /** After a cut too: what the worker goes on to write into the void tells whether its dot left. */
  async #hearWorker(): Promise<void> {
    try {
      for await (const chunk of this.worker) {
        this.#fromWorker += (chunk as Buffer).toString('latin1');
        this.#noteDot();
        while (await this.#stepOfWorker());
      }
    } catch {
      // It was reset, or its process was killed.
    }
  }

  #noteDot(): void {
    if (this.#inContent && this.#mail && this.#fromWorker.includes(TERMINATOR)) this.#mail.dotLeft = true;
  }

  /** Whether there may be more to do with what was heard. */
  #stepOfWorker(): Promise<boolean> | false {
    if (this.#severed) return false;
    return this.#inContent ? this.#passContent() : this.#passCommand();
  }

  async #passCommand(): Promise<boolean> {
    const end = this.#fromWorker.indexOf('\r\n');
    if (end < 0) return false;
    const phase = PHASE_OF_VERB[this.#fromWorker.slice(0, 4)];
    if (phase === 'mail') this.#beginMail();
    // RSET speaks of no mail.
    const mail = phase === 'rset' ? undefined : this.#mail;
    if (phase && !(await this.#reach(phase, mail))) return false;
    this.#unanswered.push({ phase: phase ?? 'other', mail });
    this.#passOn(end + 2);
    return true;
  }

  /** The recipient stands in the same write as MAIL, so that a cut at MAIL can know whom it concerns. */
  #beginMail(): void {
    const to = /^RCPT TO:<([^>]*)>/m.exec(this.#fromWorker)?.[1] ?? '';
    this.#mail = { to, invited: false, dotLeft: false, answered: false, over: false };
    this.#passages.push(this.#mail);
    this.ports.onMail(this.#mail);
  }

  async #passContent(): Promise<boolean> {
    const terminator = this.#fromWorker.indexOf(TERMINATOR);
    if (!this.#halfPassed) {
      this.#halfPassed = true;
      this.#passOn(Math.floor((terminator < 0 ? this.#fromWorker.length : terminator) / 2));
      return this.#reach('content');
    }
    if (terminator < 0) {
      // The end may be the beginning of the terminator.
      this.#passOn(Math.max(0, this.#fromWorker.length - TERMINATOR.length));
      return false;
    }
    this.#passOn(terminator + 2);
    if (!(await this.#reach('before_dot'))) return false;
    this.#unanswered.push({ phase: 'dot', mail: this.#mail });
    if (this.#mail) this.#arriving.push(this.#mail);
    this.#inContent = false;
    this.#passOn('.\r\n'.length);
    return true;
  }

  #passOn(length: number): void {
    const bytes = this.#fromWorker.slice(0, length);
    this.#fromWorker = this.#fromWorker.slice(length);
    if (this.#server?.writable) this.#server.write(bytes, 'latin1');
  }

  async #hearServer(server: Socket): Promise<void> {
    try {
      for await (const chunk of server) {
        this.#fromServer += (chunk as Buffer).toString('latin1');
        for (let reply = this.#nextReply(); reply !== undefined; reply = this.#nextReply()) {
          await this.#passReply(reply);
        }
      }
    } catch {
      // Cut by ourselves.
    }
    if (!this.#severed) this.worker.end();
  }

  #nextReply(): string | undefined {
    const reply = /^(?:\d{3}-.*\r\n)*\d{3} .*\r\n/.exec(this.#fromServer)?.[0];
    if (reply !== undefined) this.#fromServer = this.#fromServer.slice(reply.length);
    return reply;
  }

  async #passReply(reply: string): Promise<void> {
    // A line that has fallen silent passes on nothing that lay here.
    if (this.#severed) return;
    const { phase, mail } = this.#unanswered.shift() ?? {};
    const isGo = phase === 'data' && reply.startsWith('354');
    if (isGo && !(await this.#reach('go', mail))) return;
    if (phase === 'dot' && !(await this.#reach('reply', mail))) return;
    if (isGo) this.#invite(mail);
    if (phase === 'dot' && mail) {
      mail.answered = true;
      this.#arriving.shift();
    }
    if (this.worker.writable) this.worker.write(reply, 'latin1');
    if (phase === 'greeting') await this.#reach('greeting');
  }

  #invite(mail: Passage | undefined): void {
    this.#inContent = true;
    this.#halfPassed = false;
    if (mail) mail.invited = true;
  }
}
