import { resolveHost, type HostAnswer } from '../hosts.js';
import type { Gate } from '../transport.js';
import type { Capabilities } from './capabilities.js';
import type { ConnectionOptions } from './connection-options.js';
import { TIME_LIMITS, type TimeLimits, type Watched } from './deadlines.js';
import { inTurn } from './dial.js';
import type { Envelope } from './envelope.js';
import { PeerHabits } from './habits.js';
import { MailInFlight } from './mail-in-flight.js';
import type { Step } from './mail-transaction.js';
import { PhaseWatch } from './phase-watch.js';
import { Pipeline } from './pipeline.js';
import { planMail } from './planned-mail.js';
import type { Reply } from './reply.js';
import { notBegun, type Transmission, type End, type Failure } from './report.js';
import { setUp, SetUpFailed } from './setup.js';
import { SmtpSocket, textOf } from './socket.js';

export type { ConnectionOptions } from './connection-options.js';

/**
 * One connection to one server. A mail is written behind the one before as soon as that one's last byte is, so that
 * a mail costs one turn of the line. Its promise: the last byte of a mail, which hands it over, is written only
 * after its own gate said yes, at most once, and every end, whatever its cause, says whether the mail left.
 *
 * The protected methods are the three decisions that this promise rests on. Nothing in the product overrides
 * them; the chaos test does, one at a time, to prove that it would notice.
 */
export class SmtpConnection implements Watched {
  protected readonly socket: SmtpSocket;
  readonly #options: ConnectionOptions;
  readonly #limits: TimeLimits;
  readonly #habits: PeerHabits;
  readonly #mailsInFlight: number;
  readonly #watch: PhaseWatch;
  #offered: Capabilities | undefined;
  /** Written, in this order. */
  readonly #pipeline = new Pipeline<MailInFlight>();
  /** Taken, and not written yet: mails that travel in one group with their last byte wait here for room, and for their gate. */
  readonly #bound: MailInFlight[] = [];
  #answerSetUp: ((reply: Reply) => void) | undefined;
  #failSetUp: ((failure: Failure) => void) | undefined;
  /** The last mail ended well, so that nothing is left of it. */
  #clean = true;
  #heardAt = 0;
  #ended: Failure | undefined;
  #mails = 0;
  #openedAt = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#limits = { ...TIME_LIMITS, ...options.limits };
    this.#habits = options.habits ?? new PeerHabits();
    this.#mailsInFlight = options.mailsInFlight ?? 1;
    this.#watch = new PhaseWatch(this, options.deadlines, this.#limits);
    this.socket = new SmtpSocket({
      onReply: (reply, more) => this.#onReply(reply, more),
      onCut: (code, detail) => this.#cut(code, detail),
      onClosed: () => this.#watch.end(),
    });
  }

  /** Why no further mail can go this way; undefined while one can. */
  get ended(): Failure | undefined {
    return this.#ended;
  }

  /** No mail is on it. */
  get isIdle(): boolean {
    return this.#pipeline.size === 0 && this.#bound.length === 0;
  }

  /** Mails may travel with their envelope, in one group, and more than one at a time. */
  get chunks(): boolean {
    return this.#offered?.chunking === true && this.#mayRide && this.#habits.chunks;
  }

  /** Another mail can be taken now. */
  get hasRoom(): boolean {
    if (this.#ended || !this.#offered || !this.#pipeline.isOpen) return false;
    if (this.isIdle) return true;
    if (!this.#mayRide || this.#bound.some(({ gateLast }) => gateLast)) return false;
    return this.#bound.length === 0 || this.#pipeline.size + this.#bound.length < this.#mailsInFlight;
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
      const bug = (): Failure => ({ phase: this.#watch.phase, code: 'ESETUP', detail: textOf(cause) });
      this.#finish(cause instanceof SetUpFailed ? cause.failure : bug());
    }
    if (this.#ended) return this.#ended;
    this.#openedAt = this.#heardAt = performance.now();
    this.#rest();
    return undefined;
  }

  /** Never rejects. The transmission is given after the gate, once asked, has answered. */
  send(envelope: Envelope, bytes: Buffer, gate: Gate, gateLast = false): Promise<Transmission> {
    if (this.#ended) return Promise.resolve(notBegun({ ...this.#ended, phase: 'idle' }));
    const offered = this.#offered;
    if (!offered || !this.hasRoom) return Promise.resolve(notBegun({ phase: 'idle', code: 'EBUSY' }));
    const planned = planMail(envelope, bytes, offered, this.#habits, this.#isWarm);
    if ('failure' in planned) return Promise.resolve(notBegun(planned.failure));
    this.#mails++;
    this.socket.wake();
    return new Promise((resolve) => {
      this.#bound.push(new MailInFlight(planned, gate, gateLast, resolve));
      this.#begin();
    });
  }

  /** Takes leave without waiting for the answer. A mail in flight is cut off. */
  quit(): void {
    if (this.#ended) return;
    if (!this.isIdle || this.#watch.phase !== 'idle') return this.destroy();
    this.#ended = { phase: 'idle', code: 'ECLOSED', detail: 'closed by us' };
    this.socket.end('QUIT\r\n');
    this.#watch.takeLeave();
    this.#options.onClose?.();
  }

  /** Cuts the connection. A mail in flight ends as if the network had done it. */
  destroy(): void {
    this.#cut('ECLOSED', 'closed by us');
  }

  expire(): void {
    if (this.#ended) this.#letGo();
    else if (this.#watch.phase !== 'idle') this.#cut('ETIMEDOUT', 'no answer in time');
    else if (this.#options.mayStay?.(performance.now() - this.#heardAt)) this.#rest();
    else this.quit();
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
    this.#habits.invitedRefused();
    this.#drop(this.#pipeline.first, failure);
  }

  // Set-up

  async #connect(): Promise<void> {
    this.#watch.enter('connect', this.#limits.connectMs);
    const { host, port, hosts = { allowPrivate: false } } = this.#options;
    const found = await this.#unlessEnded<HostAnswer>((done) => {
      void resolveHost(host, hosts).then(done);
    });
    if ('code' in found) throw new SetUpFailed({ phase: 'connect', ...found });
    const addresses = inTurn(found.addresses, this.#habits.family);
    this.#habits.family = await this.#unlessEnded((done) => this.socket.connect(addresses, port, done));
  }

  async #secure(): Promise<void> {
    this.#watch.enter('tls', this.#limits.tlsMs);
    const { host, ca, tlsSessions = {} } = this.#options;
    await this.#unlessEnded((done) => this.socket.secure(host, ca, tlsSessions, () => done(undefined)));
  }

  #ask(phase: 'greeting' | 'ehlo' | 'tls' | 'auth', command: string | undefined): Promise<Reply> {
    this.#watch.enter(phase, this.#limits[`${phase}Ms`]);
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

  // Mails

  get #mayRide(): boolean {
    return this.#offered?.pipelining === true && this.#habits.takesTwo;
  }

  /**
   * A whole mail may be written without having been invited. Not if the server may have gone while nobody looked: then
   * nobody could say whether it left.
   */
  get #isWarm(): boolean {
    if (!this.chunks) return false;
    return this.#pipeline.size > 0 || performance.now() - this.#heardAt <= this.#limits.quietMs;
  }

  /** Writes what has been taken, as far as there is room. */
  #begin(): void {
    for (let mail = this.#bound[0]; mail && this.#pipeline.isOpen; mail = this.#bound[0]) {
      if (mail.chunk && !this.#mayLeave(mail)) break;
      this.#bound.shift();
      mail.rode = this.#pipeline.size > 0;
      // Half a transaction may be left of the mail before, or none: that is not known yet.
      if (mail.rode || !this.#clean) mail.transaction.resetFirst();
      this.#clean = false;
      this.#pipeline.add(mail);
      const { opening } = mail.transaction;
      this.socket.write(mail.chunk ? Buffer.concat([Buffer.from(opening), mail.chunk]) : opening);
    }
    this.#watch.follow(this.#pipeline.first);
    if (this.isIdle) return this.#rest();
    if (this.hasRoom) this.#options.onRoom?.();
  }

  /** Of a mail whose last byte is in its first write: there is room for it, and then its gate has passed. */
  #mayLeave(mail: MailInFlight): boolean {
    const inTheAir = this.#pipeline.inTheAir;
    const most = mail.gateLast || inTheAir.some(({ gateLast }) => gateLast) ? 1 : this.#mailsInFlight;
    if (inTheAir.length >= most) return false;
    if (mail.gateIs === 'unasked') this.#passGate(mail);
    return mail.gateIs === 'passed';
  }

  #onReply(reply: Reply, more: boolean): void {
    if (this.#ended) return;
    if (this.#answerSetUp) return this.#onSetUpReply(this.#answerSetUp, reply, more);
    const consequence = this.#pipeline.take(reply);
    if (consequence.of) this.#follow(consequence.of, consequence.step);
    else this.#drop(this.#pipeline.first, { ...consequence.failure, phase: this.#watch.phase });
  }

  #onSetUpReply(answer: (reply: Reply) => void, reply: Reply, more: boolean): void {
    this.#answerSetUp = undefined;
    if (!more) return answer(reply);
    // Bytes behind the answer to STARTTLS were sent in clear and would be read as if they had not been.
    const code = this.#watch.phase === 'tls' ? 'ETLS_INJECTION' : 'EPROTOCOL';
    this.#cut(code, 'the server sent more than one answer');
  }

  #follow(mail: MailInFlight, step: Step): void {
    switch (step.do) {
      case 'wait':
        return;
      case 'write':
        this.#watch.enter('envelope', this.#limits.envelopeMs);
        return this.socket.write(step.line);
      case 'go':
        if (mail.rode) this.#habits.fit();
        return this.#pour(mail, 0);
      case 'over':
        return this.#onOver(mail, step.end);
      case 'decline':
        return this.decline(step.failure);
      case 'unchunk':
        this.#habits.chunkUnknown();
        return this.#drop(mail, step.failure);
      case 'drop':
        if (!mail.rode || step.failure.code !== 'EPROTOCOL') return this.#drop(mail, step.failure);
        // The answers belong to other commands than these: nobody knows what was said of this mail.
        this.#habits.misfit();
        return this.#drop(mail, { ...step.failure, phase: 'envelope' });
      case 'doubt':
        if (mail.rode) this.#habits.misfit();
        return this.#finish(step.failure, mail);
    }
  }

  #onOver(mail: MailInFlight, end: End): void {
    if (mail.rode) this.#habits.fit();
    this.#clean = end.left === 'yes' && this.#pipeline.size === 0;
    this.#heardAt = performance.now();
    mail.end(end);
    this.socket.together(() => this.#begin());
  }

  /** Slice by slice, each after the one before has reached the kernel; then the gate. */
  #pour(mail: MailInFlight, index: number): void {
    const slice = mail.wire.slices[index];
    if (!slice) return this.#passGate(mail);
    this.#watch.enter('body', this.#limits.bodyMs);
    this.socket.write(slice, () => {
      if (this.#pipeline.first === mail) this.#pour(mail, index + 1);
    });
  }

  #passGate(mail: MailInFlight): void {
    // While others are without an answer, theirs is what is waited for.
    if (!mail.chunk || this.#pipeline.size === 0) this.#watch.enter('gate', this.#limits.gateMs);
    mail.gateIs = 'pending';
    // One that throws has failed like one that rejects.
    const ask = async (): Promise<boolean> => this.askGate(mail.gate);
    ask().then(
      (passed) => this.#onGate(mail, passed),
      (cause: unknown) => this.#onGate(mail, false, cause),
    );
  }

  /** Runs in the very tick in which the gate answers: between its yes and the last byte there is no other wait. */
  #onGate(mail: MailInFlight, passed: boolean, cause?: unknown): void {
    if (mail.gateAnswered(passed)) return;
    if (!passed) {
      const detail = cause === undefined ? 'the gate refused' : `the gate failed: ${textOf(cause)}`;
      return this.#shut(mail, { phase: 'gate', code: 'EGATE', detail });
    }
    if (!this.socket.alive) return this.#shut(mail, { phase: 'gate', code: 'ECLOSED' });
    this.socket.together(() => {
      if (!mail.chunk) {
        // Before the write: from here on a silence is a doubt.
        mail.transaction.endBody();
        this.socket.write(mail.wire.last);
      }
      this.#begin();
    });
  }

  /** A mail that was invited must be followed by its body or by nothing; of one that was not, nothing was written. */
  #shut(mail: MailInFlight, failure: Failure): void {
    if (!mail.chunk) return this.#drop(mail, failure);
    this.#bound.shift();
    mail.end({ left: 'no', ...failure });
    if (failure.code === 'ECLOSED') this.#finish(failure);
    else this.socket.together(() => this.#begin());
  }

  // Ends

  /** This mail did not leave, for certain, and the connection can't be used any more. */
  #drop(mail: MailInFlight | undefined, failure: Failure): void {
    if (mail) {
      this.#pipeline.remove(mail);
      mail.end({ left: 'no', ...failure });
    }
    this.#finish(failure);
  }

  /** The network, a time limit or ourselves: whoever is first on the connection was being served. */
  #cut(code: string, detail: string): void {
    this.#finish({ phase: this.#watch.phase, code, detail }, this.#pipeline.first);
  }

  /** The only way a connection ends, other than by QUIT. Tells everybody who waits for it. */
  #finish(failure: Failure, cause?: MailInFlight): void {
    if (this.#ended) return;
    this.#ended = failure;
    this.#letGo();
    // It had nothing to say to a mail that was written behind another.
    if (cause?.rode && cause.transaction.isUntouched) this.#habits.unanswered();
    for (const { mail, end } of this.#pipeline.cut(failure, cause, (left) => this.leftWhenCut(left))) {
      mail.end(end);
    }
    for (const mail of this.#bound.splice(0)) mail.end({ left: 'no', ...failure, phase: 'idle' });
    this.#failSetUp?.(failure);
    this.#options.onClose?.();
  }

  #letGo(): void {
    this.#watch.end();
    this.socket.destroy();
  }

  /** Kept for the next mail, and keeping no process alive. */
  #rest(): void {
    this.#watch.enter('idle', this.#limits.idleMs);
    this.socket.rest();
  }
}
