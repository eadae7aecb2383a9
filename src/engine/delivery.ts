import { canonicalAddress } from '../core/address.js';
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
    prepared?: PreparedContents,
  ): BorrowedContent | Promise<BorrowedContent>;
  /** Which of these addresses, in their canonical form, must not get this mail. */
  suppressionsOf(
    message: ClaimedMessage,
    addresses: readonly string[],
  ): Promise<ReadonlyMap<string, Suppression>>;
  /** Guarded mail has a gate of its own, and so have notifications. */
  askGate(entry: GateEntry, guarded: boolean): Promise<GateAnswer>;
  settle(result: Result): Promise<void>;
  /** Its result can't be written: its lease must run out. */
  unsettled(leased: Leased, error: unknown): void;
  /** It is over, however it ended. */
  letGo(delivery: Delivery): void;
}

/**
 * How far it is with its gate. Only forward, and asked only once: what was shut stays shut, whatever the transport does
 * afterwards.
 */
type Gate =
  | { readonly at: 'unasked' | 'asking' | 'lost' }
  | { readonly at: 'shut'; readonly kept: KeptBack }
  | { readonly at: 'passed'; readonly handedAt: number };

const UNASKED: Gate = { at: 'unasked' };
const ASKING: Gate = { at: 'asking' };
const LOST: Gate = { at: 'lost' };

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
  #gate: Gate = UNASKED;
  #began: { readonly at: number; readonly tick: number } | undefined;
  /** What was made for this try alone: if it may have left, no other try may say something else. */
  #made: Mail | undefined;
  /** Set as soon as it is decided, before it is written. */
  #outcome: Outcome | undefined;
  #running: Promise<Outcome | undefined> | undefined;

  constructor(
    readonly leased: Leased,
    private readonly ports: DeliveryPorts,
  ) {}

  /**
   * `transportDone` is called when the transport has no more to do with it. Never rejects. Undefined: the lease was
   * lost, or will run out because the result could not be written.
   */
  run(transportDone?: (leased: Leased) => void): Promise<Outcome | undefined> {
    this.#running = this.#run(transportDone);
    return this.#running;
  }

  /** Until `run` has come to its end; at once if it was never begun. */
  async over(): Promise<void> {
    await this.#running;
  }

  /** One frame, and few awaits on the common way: each is paid by every mail. */
  async #run(transportDone?: (leased: Leased) => void): Promise<Outcome | undefined> {
    try {
      const kept = this.#keptBack();
      const settled = kept
        ? this.#settle(outcomeOfKeptBack(kept, this.#trial()))
        : this.#settleReport(await this.#send());
      // Not before: an answer that pauses the account must be known when the next mail may start.
      transportDone?.(this.leased);
      await settled;
      if (this.#outcome) this.ports.probe?.('settled', this.leased.message.id);
      return this.#outcome;
    } catch (error) {
      this.ports.unsettled(this.leased, error);
      return undefined;
    } finally {
      this.ports.letGo(this);
    }
  }

  /**
   * On shutdown: ends it from outside. False: it comes to its end by itself, and is to be waited for. What was handed over is waited for, or, when
   * waiting has to end, in doubt, because nobody has heard the answer; all else goes back, and its gate stays shut.
   */
  async end(handedOver: 'wait' | 'doubt'): Promise<boolean> {
    const { at } = this.#gate;
    if (this.#outcome || (handedOver === 'wait' && at !== 'unasked')) return false;
    if (at === 'unasked') this.#shut({ why: 'stopping' });
    const trial = this.#trial();
    await this.#settle(
      at === 'passed' ? outcomeOfDoubt(STOPPED, trial) : outcomeOfKeptBack({ why: 'stopping' }, trial),
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
    this.#began = { at: this.#instant(), tick: performance.now() };
    this.ports.probe?.('started', message.id);
    let borrowed: BorrowedContent | undefined;
    /** From here on it is in the transport's hands. */
    let addressed: Addressed | undefined;
    try {
      const coming = this.ports.contentOf(message, sender, prepared);
      borrowed = coming instanceof Promise ? await coming : coming;
      const { content, made } = borrowed;
      if ('fault' in content) return reportOfFault(transport.kind, content.fault);
      if (!('mail' in content)) return this.#keepBack(transport.kind, content.kept);
      if (content.kept) return this.#keepBack(transport.kind, content.kept);
      const { closesAt } = content;
      if (made) this.#made = content.mail;
      const all = copiesOf(content.mail);
      addressed = all ? await this.#leaveOut(content.mail, all) : content;
      const { mail, copies, leftOut } = addressed;
      const outgoing = outgoingOf(message, claimedAt, this.ports.installation, mail);
      const report = await transport.send(outgoing, () => this.#passGate(copies, closesAt));
      return withLeftOut(saneReport(report, this.#gate.at === 'passed'), leftOut);
    } catch (error) {
      return addressed
        ? reportOfThrow(transport.kind, error, this.#gate.at === 'passed')
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
    if (this.#gate.at === 'unasked') this.#shut({ ...this.#keptFor(why, until), reason });
    return unreadable(provider, why);
  }

  async #passGate(copies: readonly string[] | undefined, closesAt: number | undefined): Promise<boolean> {
    if (this.#gate.at !== 'unasked') return false;
    if (this.ports.stopping()) return this.#shut({ why: 'stopping' });
    const { message } = this.leased;
    this.ports.probe?.('before_gate', message.id);
    this.#gate = ASKING;
    const asked = performance.now();
    let answer: GateAnswer;
    try {
      answer = await this.ports.askGate(gateEntryOf(this.leased, copies, closesAt), message.guarded);
    } catch {
      // The mark may or may not be there; the mail does not leave, and its settlement takes it out of the lease.
      return this.#shut(this.#keptFor('store_unavailable'));
    }
    if (!answer.passed) return this.#refused(answer);
    // Given up meanwhile: it is on its way back into the queue, and whoever takes it next sends it.
    if (this.#outcome) return this.#shut({ why: 'stopping' });
    if (performance.now() - asked > this.ports.leaseMs * SHARE_OF_LEASE)
      return this.#shut(this.#keptFor('too_slow'));
    this.#gate = { at: 'passed', handedAt: answer.handedAt };
    this.ports.probe?.('after_gate', message.id);
    return true;
  }

  #refused({ refusal, until, reason }: Extract<GateAnswer, { passed: false }>): false {
    if (refusal !== 'lost') return this.#shut({ ...this.#keptFor(refusal, until), reason });
    this.#gate = LOST;
    return false;
  }

  #shut(kept: KeptBack): false {
    this.#gate = { at: 'shut', kept };
    return false;
  }

  #keptFor(why: KeptBack['why'], until?: number): KeptBack {
    return { why, waitMs: until === undefined ? undefined : Math.max(0, until - this.#instant()) };
  }

  #settleReport(report: SendReport): Promise<void> {
    const gate = this.#gate;
    // A transport that says the mail may have left is believed, also if the gate was shut.
    if (report.status !== 'sent' && report.status !== 'in_doubt') {
      if (gate.at === 'lost') return NOTHING;
      if (gate.at === 'shut') return this.#settle(outcomeOfKeptBack(gate.kept, this.#trial()));
    }
    const doubt = this.#doubtOf(report);
    return doubt ? this.#settleDoubt(doubt, report) : this.#settle(outcomeOf(report, this.#trial()), report);
  }

  async #settleDoubt(doubt: SendError, report: SendReport): Promise<void> {
    const known = await lookUp({ ...this.leased, now: this.#instant() }, this.ports, doubt);
    await this.#settle(known ?? outcomeOfDoubt(doubt, this.#trial()), report);
  }

  #doubtOf(report: SendReport): SendError | undefined {
    if (report.status === 'sent') return this.#gate.at === 'passed' ? undefined : UNGATED;
    return report.status === 'in_doubt' ? report.error : undefined;
  }

  #settle(outcome: Outcome, report?: SendReport): Promise<void> {
    if (this.#outcome) return NOTHING;
    this.#outcome = outcome;
    const { message, lease, sender } = this.leased;
    const handedAt = this.#gate.at === 'passed' ? this.#gate.handedAt : null;
    const mayHaveLeft = handedAt !== null || report?.status === 'sent' || report?.status === 'in_doubt';
    return this.ports.settle({
      message,
      lease,
      sender,
      outcome,
      report,
      handedAt,
      startedAt: this.#began?.at ?? null,
      seconds: this.#began && (performance.now() - this.#began.tick) / 1_000,
      mayHaveLeft: mayHaveLeft ? this.#made : undefined,
    });
  }

  /** The database's time, carried on by our own steady clock in whole ms: never ahead of what it says next. */
  #instant(): number {
    const { claimedAt, claimedTick } = this.leased;
    return Math.floor(claimedAt + Math.floor(performance.now() - claimedTick) * this.ports.speed);
  }

  #trial(): Trial {
    const { message, inline, claimedAt } = this.leased;
    return trialOf(message, { inline, claimedAt, now: this.#instant(), speed: this.ports.speed });
  }
}

const gateEntryOf = (
  { message, lease }: Leased,
  copies: readonly string[] | undefined,
  windowClosesAt: number | undefined,
): GateEntry => ({
  lease,
  id: message.id,
  workspaceId: message.workspaceId,
  channelId: message.channelId,
  lane: message.lane,
  recipient: canonicalAddress(message.recipient),
  copies,
  transactional: message.transactional,
  expiresAt: message.expiresAt,
  campaignId: message.campaignId,
  contactId: message.contactId,
  closesAt: message.closesAt,
  eventId: message.eventId,
  subscriptionId: message.subscriptionId,
  windowClosesAt,
});

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
