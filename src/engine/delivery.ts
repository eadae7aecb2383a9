import type { Mail } from '../core/mail.js';
import {
  outcomeOf,
  outcomeOfDoubt,
  outcomeOfKeptBack,
  type KeptBack,
  type Outcome,
  type Trial,
} from '../core/outcome.js';
import type { SendError, SendReport } from '../core/report.js';
import { reportOfThrow, saneReport } from '../core/sane-report.js';
import type { Suppression } from '../core/suppression.js';
import type { ClaimedMessage, GateAnswer, GateEntry } from '../store/store.js';
import type { BorrowedContent, KeptContent, PreparedContents } from './contents.js';
import type { Probe } from './fault-points.js';
import type { Leased } from './leased.js';
import { lookUp } from './look-up.js';
import { copiesOf, leaveOut, outgoingOf, withLeftOut, type Addressed } from './outgoing.js';
import { trialOf, type Result } from './result.js';
import type { Sender } from './senders.js';

export interface DeliveryPorts {
  readonly installation: string;
  readonly leaseMs: number;
  readonly speed: number;
  readonly probe: Probe | undefined;
  stopping(): boolean;
  /** Of messages that are in hand together. Undefined: all of their contents are stored. */
  prepareContents(messages: readonly ClaimedMessage[]): PreparedContents | undefined;
  /** At once if it came with the claim, as most do. */
  contentOf(
    message: ClaimedMessage,
    sender: Sender,
    prepared: PreparedContents | undefined,
  ): BorrowedContent | Promise<BorrowedContent>;
  /** Which of these addresses, in their canonical form, must not get this mail. */
  suppressionsOf(
    message: ClaimedMessage,
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, Suppression>>;
  /** Guarded mail has a gate of its own, and so have notifications. */
  askGate(entry: GateEntry): Promise<GateAnswer>;
  settle(result: Result): Promise<void>;
  /** Its result can't be written: its lease must run out. */
  unsettled(leased: Leased, error: unknown): void;
  /** It is over, however it ended. */
  letGo(delivery: Delivery): void;
}

/** Hears how far deliveries are: one for all of them. */
export interface DeliveryListener {
  /** The transport has no more to do with it; its result is on the way into the store. */
  answered(leased: Leased): void;
  /** It has let go of its message. Undefined: the lease was lost, or will run out because the result could not be written. */
  over?(leased: Leased, outcome: Outcome | undefined): void;
}

/**
 * How far it is with its gate. Only forward, and asked only once: what was shut stays shut, whatever the transport does
 * afterwards.
 */
type Gate = 'unasked' | 'asking' | 'lost' | 'passed' | KeptBack;

/** After the gate's commit the mail must leave at once; a process that stood still for most of a lease must not. */
const SHARE_OF_LEASE = 0.8;
const NOTHING = Promise.resolve();

/**
 * One message in hand, from the last check to its settlement:
 *
 *   kept back, or: content → copies → transport ⇄ gate → report → outcome → settled
 *
 * What decides lives in core; this asks and writes. Whatever happens here, exactly one settlement is made, or none if the
 * lease was lost.
 */
export class Delivery {
  #gate: Gate = 'unasked';
  /** When it was begun and when it passed the gate, by the database's clock. */
  #startedAt: number | null = null;
  #handedAt: number | null = null;
  #startedTick = 0;
  /** What was made for this try alone: if it may have left, no other try may say something else. */
  #made: Mail | undefined;
  /** Set as soon as it is decided, before it is written. */
  #outcome: Outcome | undefined;
  #running: Promise<Outcome | undefined> | undefined;

  constructor(
    readonly leased: Leased,
    private readonly ports: DeliveryPorts,
  ) {}

  /** Never rejects. Undefined: the lease was lost, or will run out because the result could not be written. */
  run(listener?: DeliveryListener): Promise<Outcome | undefined> {
    this.#running = this.#run(listener);
    return this.#running;
  }

  /** Until `run` has come to its end; at once if it was never begun. */
  async over(): Promise<void> {
    await this.#running;
  }

  /** One frame, and few awaits on the common way: each is paid by every mail. */
  async #run(listener?: DeliveryListener): Promise<Outcome | undefined> {
    let outcome: Outcome | undefined;
    try {
      const kept = this.#keptBack();
      const settled = kept
        ? this.#settle(outcomeOfKeptBack(kept, this.#trial()))
        : this.#settleReport(await this.#send());
      // Not before: an answer that pauses the account must be known when the next mail may start.
      listener?.answered(this.leased);
      await settled;
      outcome = this.#outcome;
      if (outcome) this.ports.probe?.('settled', this.leased.message.id);
    } catch (error) {
      this.ports.unsettled(this.leased, error);
    }
    this.ports.letGo(this);
    listener?.over?.(this.leased, outcome);
    return outcome;
  }

  /**
   * On shutdown: ends it from outside. False: it comes to its end by itself, and is to be waited for. What was handed over is waited for, or, when
   * waiting has to end, in doubt, because nobody has heard the answer; all else goes back, and its gate stays shut.
   */
  async end(handedOver: 'wait' | 'doubt'): Promise<boolean> {
    const gate = this.#gate;
    if (this.#outcome || (handedOver === 'wait' && gate !== 'unasked')) return false;
    if (gate === 'unasked') this.#shut({ why: 'stopping' });
    const trial = this.#trial();
    await this.#settle(
      gate === 'passed' ? outcomeOfDoubt(STOPPED, trial) : outcomeOfKeptBack({ why: 'stopping' }, trial),
    );
    return true;
  }

  /** What needs no gate to be refused. */
  #keptBack(): KeptBack | undefined {
    const { message, claimedAt, claimedTick, sender } = this.leased;
    if (message.suppressed) return { why: 'suppressed' };
    if (message.expiresAt !== null && message.expiresAt <= claimedAt) return { why: 'expired' };
    return claimedTick < sender.blockedTick ? this.#keptFor('paused') : undefined;
  }

  /** Whatever the store and the transport do, it comes to a report. */
  async #send(): Promise<SendReport> {
    const { message, claimedAt, sender, prepared } = this.leased;
    const { transport } = sender;
    this.#startedTick = performance.now();
    this.#startedAt = this.#instant(this.#startedTick);
    this.ports.probe?.('started', message.id);
    let borrowed: BorrowedContent | undefined;
    /** From here on it is in the transport's hands. */
    let addressed: Addressed | undefined;
    try {
      const coming = this.ports.contentOf(message, sender, prepared);
      borrowed = coming instanceof Promise ? await coming : coming;
      if ('fault' in borrowed) return reportOfFault(transport.kind, borrowed.fault);
      if (!('mail' in borrowed)) return this.#keepBack(transport.kind, borrowed.kept);
      if (borrowed.kept) return this.#keepBack(transport.kind, borrowed.kept);
      const { closesAt } = borrowed;
      if (borrowed.made) this.#made = borrowed.mail;
      const all = copiesOf(borrowed.mail);
      addressed = all ? await this.#leaveOut(borrowed.mail, all) : borrowed;
      const { mail, copies, leftOut } = addressed;
      const outgoing = outgoingOf(message, claimedAt, this.ports.installation, mail);
      const report = await transport.send(outgoing, () => this.#passGate(copies, closesAt));
      return withLeftOut(saneReport(report, this.#gate === 'passed'), leftOut);
    } catch (error) {
      return addressed
        ? reportOfThrow(transport.kind, error, this.#gate === 'passed')
        : unreadable(transport.kind, error);
    } finally {
      borrowed?.done();
      this.ports.probe?.('after_send', message.id);
    }
  }

  /**
   * Looked at before the first byte, because a server is told whom a mail is for long before the gate; whoever is
   * suppressed in between makes the gate refuse, and the next look leaves him out.
   */
  async #leaveOut(mail: Mail, copies: readonly string[]): Promise<Addressed> {
    return leaveOut(mail, copies, await this.ports.suppressionsOf(this.leased.message, copies));
  }

  /** Its front door says that it may not leave, or not now: nothing is tried, and the gate stays shut. */
  #keepBack(provider: string, { why, reason, until }: KeptContent): SendReport {
    if (this.#gate === 'unasked') this.#shut({ ...this.#keptFor(why, until), reason });
    return unreadable(provider, why);
  }

  async #passGate(copies: readonly string[] | undefined, closesAt: number | undefined): Promise<boolean> {
    if (this.#gate !== 'unasked') return false;
    if (this.ports.stopping()) return this.#shut({ why: 'stopping' });
    const { message, lease } = this.leased;
    this.ports.probe?.('before_gate', message.id);
    this.#gate = 'asking';
    const asked = performance.now();
    let answer: GateAnswer;
    try {
      answer = await this.ports.askGate({ lease, message, copies, closesAt });
    } catch {
      // The mark may or may not be there; the mail does not leave, and its settlement takes it out of the lease.
      return this.#shut(this.#keptFor('store_unavailable'));
    }
    if (!answer.passed) return this.#refused(answer);
    // Given up meanwhile: it is on its way back into the queue, and whoever takes it next sends it.
    if (this.#outcome) return this.#shut({ why: 'stopping' });
    if (performance.now() - asked > this.ports.leaseMs * SHARE_OF_LEASE)
      return this.#shut(this.#keptFor('too_slow'));
    this.#gate = 'passed';
    this.#handedAt = answer.handedAt;
    this.ports.probe?.('after_gate', message.id);
    return true;
  }

  #refused({ refusal, until, reason }: Extract<GateAnswer, { passed: false }>): false {
    if (refusal !== 'lost') return this.#shut({ ...this.#keptFor(refusal, until), reason });
    this.#gate = 'lost';
    return false;
  }

  #shut(kept: KeptBack): false {
    this.#gate = kept;
    return false;
  }

  #keptFor(why: KeptBack['why'], until?: number): KeptBack {
    return { why, waitMs: until === undefined ? undefined : Math.max(0, until - this.#instant()) };
  }

  #settleReport(report: SendReport): Promise<void> {
    const gate = this.#gate;
    // A transport that says the mail may have left is believed, also if the gate was shut.
    if (report.status !== 'sent' && report.status !== 'in_doubt') {
      if (gate === 'lost') return NOTHING;
      if (typeof gate === 'object') return this.#settle(outcomeOfKeptBack(gate, this.#trial()));
    }
    const doubt = this.#doubtOf(report);
    return doubt ? this.#settleDoubt(doubt, report) : this.#settle(outcomeOf(report, this.#trial()), report);
  }

  async #settleDoubt(doubt: SendError, report: SendReport): Promise<void> {
    const known = await lookUp({ ...this.leased, now: this.#instant() }, this.ports, doubt);
    await this.#settle(known ?? outcomeOfDoubt(doubt, this.#trial()), report);
  }

  #doubtOf(report: SendReport): SendError | undefined {
    if (report.status === 'sent') return this.#gate === 'passed' ? undefined : UNGATED;
    return report.status === 'in_doubt' ? report.error : undefined;
  }

  #settle(outcome: Outcome, report?: SendReport): Promise<void> {
    if (this.#outcome) return NOTHING;
    this.#outcome = outcome;
    const { message, lease, sender } = this.leased;
    const startedAt = this.#startedAt;
    const handedAt = this.#handedAt;
    const mayHaveLeft = handedAt !== null || report?.status === 'sent' || report?.status === 'in_doubt';
    return this.ports.settle({
      message,
      lease,
      sender,
      outcome,
      report,
      startedAt,
      handedAt,
      seconds: startedAt === null ? undefined : (performance.now() - this.#startedTick) / 1_000,
      mayHaveLeft: mayHaveLeft ? this.#made : undefined,
    });
  }

  /** The database's time, carried on by our own steady clock in whole ms: never ahead of what it says next. */
  #instant(tick = performance.now()): number {
    const { claimedAt, claimedTick } = this.leased;
    return Math.floor(claimedAt + Math.floor(tick - claimedTick) * this.ports.speed);
  }

  #trial(): Trial {
    const { message, inline, claimedAt } = this.leased;
    return trialOf(message, { inline, claimedAt, now: this.#instant(), speed: this.ports.speed });
  }
}

/** Our own store could not be read: nobody was asked, so no try is used up. */
const unreadable = (provider: string, error: unknown): SendReport => ({
  status: 'retryable',
  provider,
  error: {
    class: 'retryable',
    scope: 'message',
    code: 'content_unreadable',
    message: error instanceof Error ? error.message : String(error),
    attempted: false,
  },
});

/** What can't be said is judged as if the transport had said so. */
const reportOfFault = (provider: string, error: SendError): SendReport =>
  saneReport({ status: 'failed', provider, error }, false);

const STOPPED: SendError = {
  class: 'in_doubt',
  scope: 'message',
  code: 'stopped_waiting',
  message: 'the worker had to stop before the answer came',
};

const UNGATED: SendError = {
  class: 'in_doubt',
  scope: 'message',
  code: 'ungated',
  message: 'the transport reports a success that did not pass the gate',
};
