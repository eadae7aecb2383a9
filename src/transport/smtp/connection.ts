import { resolveHost, type HostAnswer, type HostPolicy } from '../hosts.js';
import type { Gate } from '../transport.js';
import type { Capabilities } from './capabilities.js';
import { TIME_LIMITS, type Deadlines, type TimeLimits, type Watched } from './deadlines.js';
import { planEnvelope, type Envelope } from './envelope.js';
import { MailTransaction } from './mail-transaction.js';
import { isClosing, isPositive, isRefusal, type Reply } from './reply.js';
import { notBegun, type Transmission, type End, type Failure, type Phase } from './report.js';
import { setUp, SetUpFailed, type SetUp } from './setup.js';
import { SmtpSocket, textOf } from './socket.js';
import { toWire, type Wire } from './wire.js';

/** What was learnt about a server while talking to it; shared by all connections to it. */
export interface PeerHabits {
  /** DATA may travel in one group with RCPT. Off once the server invited the body of a mail that it refused. */
  dataInGroup: boolean;
}

export interface ConnectionOptions extends SetUp {
  /** A name or an address. TLS checks the certificate against it, whatever address it resolves to. */
  readonly host: string;
  readonly port: number;
  readonly deadlines: Deadlines;
  readonly limits?: Partial<TimeLimits>;
  /** Public addresses only, unless told otherwise. */
  readonly hosts?: HostPolicy;
  /** Certificate authorities to trust instead of the system's, in PEM. */
  readonly ca?: string | Buffer;
  readonly habits?: PeerHabits;
  /** Called once, when no further mail can go this way. */
  readonly onClose?: () => void;
}

interface MailInFlight {
  readonly transaction: MailTransaction;
  readonly wire: Wire;
  readonly gate: Gate;
  readonly resolve: (transmission: Transmission) => void;
  gateIs: 'unasked' | 'pending' | 'passed' | 'refused';
  dotWritten: boolean;
  /** The mail is over, and its transmission waits for the gate. */
  settleAfterGate?: () => void;
}

/**
 * One connection to one server, one mail at a time. Its promise: the dot that hands a mail over is written only
 * after the gate said yes, at most once, and every end, whatever its cause, says whether the mail left.
 *
 * The protected methods are the three decisions that this promise rests on. Nothing in the product overrides
 * them; the chaos test does, one at a time, to prove that it would notice.
 */
export class SmtpConnection implements Watched {
  protected readonly socket: SmtpSocket;
  readonly #options: ConnectionOptions;
  readonly #limits: TimeLimits;
  readonly #habits: PeerHabits;
  #phase: Phase = 'connect';
  #offered: Capabilities | undefined;
  #mail: MailInFlight | undefined;
  #answerSetUp: ((reply: Reply) => void) | undefined;
  #failSetUp: ((failure: Failure) => void) | undefined;
  #resetFirst = false;
  #ended: Failure | undefined;
  #mails = 0;
  #openedAt = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#limits = { ...TIME_LIMITS, ...options.limits };
    this.#habits = options.habits ?? { dataInGroup: true };
    this.socket = new SmtpSocket({
      onReply: (reply, more) => this.#onReply(reply, more),
      onCut: (code, detail) => this.#finish({ phase: this.#phase, code, detail }),
      onClosed: () => options.deadlines.forget(this),
    });
  }

  /** Why no further mail can go this way; undefined while one can. */
  get ended(): Failure | undefined {
    return this.#ended;
  }

  /** Mails begun here, whatever became of them. */
  get mails(): number {
    return this.#mails;
  }

  /** On the monotonic clock. */
  get openedAt(): number {
    return this.#openedAt;
  }

  /** Resolves the host, connects, secures, introduces itself, logs in. Answers what went wrong; never rejects. */
  async open(): Promise<Failure | undefined> {
    try {
      await this.#connect();
      this.#offered = await setUp(
        { ask: (phase, command) => this.#ask(phase, command), secure: () => this.#secure() },
        this.#options,
      );
    } catch (cause) {
      const bug = (): Failure => ({ phase: this.#phase, code: 'ESETUP', detail: textOf(cause) });
      this.#finish(cause instanceof SetUpFailed ? cause.failure : bug());
    }
    if (this.#ended) return this.#ended;
    this.#openedAt = performance.now();
    this.#enter('idle', this.#limits.idleMs);
    return undefined;
  }

  /** Never rejects. The transmission is given after the gate, once asked, has answered. */
  send(envelope: Envelope, mail: Buffer, gate: Gate): Promise<Transmission> {
    const begun = this.#plan(envelope, mail);
    if ('failure' in begun) return Promise.resolve(notBegun(begun.failure));
    const { transaction, wire } = begun;
    return new Promise((resolve) => {
      this.#mail = { transaction, wire, gate, resolve, gateIs: 'unasked', dotWritten: false };
      this.#mails++;
      // Until a 2yz to its dot says otherwise, this mail may leave half a transaction behind.
      this.#resetFirst = true;
      this.#enter('envelope', this.#limits.envelopeMs);
      this.socket.write(transaction.opening);
    });
  }

  /** Takes leave without waiting for the answer. A mail in flight is cut off. */
  quit(): void {
    if (this.#ended) return;
    if (this.#phase !== 'idle') return this.destroy();
    this.#ended = { phase: 'idle', code: 'ECLOSED', detail: 'closed by us' };
    this.socket.end('QUIT\r\n');
    this.#options.deadlines.arm(this, this.#limits.quitMs);
    this.#options.onClose?.();
  }

  /** Cuts the connection. A mail in flight ends as if the network had done it. */
  destroy(): void {
    this.#finish({ phase: this.#phase, code: 'ECLOSED', detail: 'closed by us' });
  }

  expire(): void {
    if (this.#ended) this.#letGo();
    else if (this.#phase === 'idle') this.quit();
    else this.#finish({ phase: this.#phase, code: 'ETIMEDOUT', detail: 'no answer in time' });
  }

  /** The dot waits for this answer and for nothing else. */
  protected askGate(gate: Gate): Promise<boolean> {
    return gate();
  }

  /** Without a whole reply, a dot that was written makes a doubt. */
  protected leftWhenCut(dotWritten: boolean): 'no' | 'unknown' {
    return dotWritten ? 'unknown' : 'no';
  }

  /**
   * The server wants the body of a mail that it refused. RFC 2920 suggests a lone dot; a careless server would
   * deliver an empty mail for it, and it would be a dot without a gate. The connection goes instead.
   */
  protected decline(failure: Failure): void {
    this.#habits.dataInGroup = false;
    this.#drop(failure);
  }

  // Set-up

  async #connect(): Promise<void> {
    this.#enter('connect', this.#limits.connectMs);
    const { host, port, hosts = { allowPrivate: false } } = this.#options;
    const found = await this.#unlessEnded<HostAnswer>((done) => {
      void resolveHost(host, hosts).then(done);
    });
    if ('code' in found) throw new SetUpFailed({ phase: 'connect', ...found });
    await this.#unlessEnded((done) => this.socket.connect(host, port, found.lookup, () => done(undefined)));
  }

  async #secure(): Promise<void> {
    this.#enter('tls', this.#limits.tlsMs);
    const { host, ca } = this.#options;
    await this.#unlessEnded((done) => this.socket.secure(host, ca, () => done(undefined)));
  }

  #ask(phase: 'greeting' | 'ehlo' | 'tls' | 'auth', command: string | undefined): Promise<Reply> {
    this.#enter(phase, this.#limits[`${phase}Ms`]);
    return this.#unlessEnded((done) => {
      this.#answerSetUp = done;
      this.socket.listen();
      if (command !== undefined) this.socket.write(`${command}\r\n`);
    });
  }

  /** A step of the set-up. Whatever ends the connection ends the step: nobody is left waiting. */
  #unlessEnded<T>(start: (done: (value: T) => void) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new SetUpFailed(this.#ended));
      this.#failSetUp = (failure) => reject(new SetUpFailed(failure));
      start(resolve);
    });
  }

  // One mail

  #plan(
    envelope: Envelope,
    mail: Buffer,
  ): { transaction: MailTransaction; wire: Wire } | { failure: Failure } {
    if (this.#ended) return { failure: { ...this.#ended, phase: 'idle' } };
    if (this.#mail || !this.#offered) return { failure: { phase: 'idle', code: 'EBUSY' } };
    const wire = toWire(mail);
    if (!wire)
      return { failure: { phase: 'mail', code: 'ECOMPOSE', detail: 'the mail has a bare CR or LF' } };
    const plan = planEnvelope(envelope, wire, this.#offered, this.#resetFirst);
    if ('failure' in plan) return plan;
    const { commands } = plan;
    const inOneGroup = commands.length - (this.#habits.dataInGroup ? 0 : 1);
    const transaction = new MailTransaction(
      commands,
      envelope.partial ?? 'all',
      this.#offered.pipelining ? inOneGroup : 1,
    );
    return { transaction, wire };
  }

  #onReply(reply: Reply, more: boolean): void {
    if (this.#ended) return;
    const mail = this.#mail;
    if (this.#answerSetUp) this.#onSetUpReply(this.#answerSetUp, reply, more);
    else if (mail?.dotWritten) this.#onFinalReply(mail, reply);
    else if (mail && this.#phase === 'envelope') this.#onEnvelopeReply(mail, reply);
    // Nobody was asked. Between 354 and the dot, whatever it means, no dot may follow it.
    else this.#drop({ phase: this.#phase, code: isRefusal(reply) ? 'EREPLY' : 'EPROTOCOL', reply });
  }

  #onSetUpReply(answer: (reply: Reply) => void, reply: Reply, more: boolean): void {
    this.#answerSetUp = undefined;
    if (!more) return answer(reply);
    // Bytes behind the answer to STARTTLS were sent in clear and would be read as if they had not been.
    const code = this.#phase === 'tls' ? 'ETLS_INJECTION' : 'EPROTOCOL';
    this.#finish({ phase: this.#phase, code, detail: 'the server sent more than one answer' });
  }

  #onEnvelopeReply(mail: MailInFlight, reply: Reply): void {
    const step = mail.transaction.take(reply);
    switch (step.do) {
      case 'wait':
        return;
      case 'write':
        this.#enter('envelope', this.#limits.envelopeMs);
        return this.socket.write(step.line);
      case 'go':
        return this.#pour(mail, 0);
      case 'end':
        return this.#endMail(mail, { left: 'no', ...step.failure });
      case 'drop':
        return this.#drop(step.failure);
      case 'decline':
        return this.decline(step.failure);
    }
  }

  /** Slice by slice, each after the one before has reached the kernel; then the gate. */
  #pour(mail: MailInFlight, index: number): void {
    const slice = mail.wire.slices[index];
    if (!slice) return this.#passGate(mail);
    this.#enter('body', this.#limits.bodyMs);
    this.socket.write(slice, () => {
      if (this.#mail === mail) this.#pour(mail, index + 1);
    });
  }

  #passGate(mail: MailInFlight): void {
    this.#enter('gate', this.#limits.gateMs);
    mail.gateIs = 'pending';
    let answer: Promise<boolean>;
    try {
      answer = this.askGate(mail.gate);
    } catch (cause) {
      return this.#onGate(mail, false, cause);
    }
    answer.then(
      (passed) => this.#onGate(mail, passed),
      (cause: unknown) => this.#onGate(mail, false, cause),
    );
  }

  /** Runs in the very tick in which the gate answers: between its yes and the dot there is no other wait. */
  #onGate(mail: MailInFlight, passed: boolean, cause?: unknown): void {
    mail.gateIs = passed ? 'passed' : 'refused';
    if (mail.settleAfterGate) return mail.settleAfterGate();
    if (!passed) {
      const detail = cause === undefined ? 'the gate refused' : `the gate failed: ${textOf(cause)}`;
      return this.#drop({ phase: 'gate', code: 'EGATE', detail });
    }
    if (!this.socket.alive) return this.#drop({ phase: 'gate', code: 'ECLOSED' });
    // Before the write: from here on a silence is a doubt.
    mail.dotWritten = true;
    this.#enter('reply', this.#limits.replyMs);
    this.socket.write(mail.wire.last);
  }

  #onFinalReply(mail: MailInFlight, reply: Reply): void {
    const refusal: Failure = { phase: 'reply', code: 'EREPLY', reply };
    if (isPositive(reply)) {
      this.#resetFirst = false;
      this.#endMail(mail, { left: 'yes', phase: 'reply', reply });
    } else if (isClosing(reply)) {
      this.#drop(refusal);
    } else if (isRefusal(reply)) {
      this.#endMail(mail, { left: 'no', ...refusal });
    } else {
      // Not even the reply is passed on: it says nothing about the mail.
      this.#finish({
        phase: 'reply',
        code: 'EPROTOCOL',
        detail: `the server answered the dot with ${reply.code}`,
      });
    }
  }

  // Ends

  /** The mail in flight did not leave, for certain, and the connection can't be used any more. */
  #drop(failure: Failure): void {
    if (this.#mail) this.#endMail(this.#mail, { left: 'no', ...failure });
    this.#finish(failure);
  }

  #endMail(mail: MailInFlight, end: End): void {
    this.#mail = undefined;
    this.#enter('idle', this.#limits.idleMs);
    const settle = (): void =>
      mail.resolve({ ...end, recipients: mail.transaction.recipients, gated: mail.gateIs === 'passed' });
    // An answer now could be settled before the gate's own write, and the two would overtake each other.
    if (mail.gateIs === 'pending') mail.settleAfterGate = settle;
    else settle();
  }

  /** The only way a connection ends, other than by QUIT. Tells everybody who waits for it. */
  #finish(failure: Failure): void {
    if (this.#ended) return;
    this.#ended = failure;
    this.#letGo();
    const mail = this.#mail;
    if (mail) {
      // What the server refused before it vanished stays refused.
      const refusal = mail.transaction.refusal;
      this.#endMail(
        mail,
        refusal ? { left: 'no', ...refusal } : { left: this.leftWhenCut(mail.dotWritten), ...failure },
      );
    }
    this.#failSetUp?.(failure);
    this.#options.onClose?.();
  }

  #letGo(): void {
    this.#options.deadlines.forget(this);
    this.socket.destroy();
  }

  #enter(phase: Phase, limitMs: number): void {
    if (this.#ended) return;
    this.#phase = phase;
    this.#options.deadlines.arm(this, limitMs);
  }
}
