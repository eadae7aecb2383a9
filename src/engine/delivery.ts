import type { Mail } from '../core/mail.js';
import { outcomeOf, outcomeOfDoubt, outcomeOfLookup, type Outcome, type Trial } from '../core/outcome.js';
import type { SendError, SendReport } from '../core/report.js';
import { reportOfThrow, saneReport } from '../core/sane-report.js';
import type { ClaimedMessage, GateAnswer, GateEntry, GateRefusal } from '../store/store.js';
import type { Probe } from './fault-points.js';
import { outgoingOf } from './outgoing.js';
import type { Sender } from './senders.js';
import { settlementOf, trialOf } from './settlement.js';
import type { Settled } from './settler.js';

/** A message in this worker's hands, and by which claim. */
export interface Held {
  readonly message: ClaimedMessage;
  readonly lease: number;
  readonly claimedAt: number;
  /** This process's own steady clock when the claim came back. */
  readonly claimedTick: number;
  readonly sender: Sender;
  /** Claimed on its own: if the worker dies now, it is this message's doing. */
  readonly alone: boolean;
  /** The caller's own try, in his own process. */
  readonly inline: boolean;
}

/** A content and the room it takes, to be given back. */
export interface BorrowedContent {
  /** Undefined: it is not there any more, or damaged. */
  readonly mail: Mail | undefined;
  readonly done: () => void;
}

export interface DeliveryPorts {
  readonly worker: string;
  readonly installation: string;
  readonly leaseMs: number;
  readonly speed: number;
  readonly probe: Probe | undefined;
  stopping(): boolean;
  /** At once if it came with the claim, as most do. */
  contentOf(message: ClaimedMessage): BorrowedContent | Promise<BorrowedContent>;
  askGate(entry: GateEntry): Promise<GateAnswer>;
  settle(settled: Settled): Promise<void>;
}

/** How a delivery ended: with an outcome, without one because the lease was lost, or not at all. */
export interface Ended {
  readonly outcome?: Outcome | undefined;
  /** It could not be settled, and its lease will run out. */
  readonly failure?: unknown;
}

/** Hears how far a delivery is. */
export interface Listener {
  /** The transport is done with it; its result is on the way into the store. */
  sent?(delivery: Delivery): void;
  /** It has let go of its message. */
  over(delivery: Delivery, ended: Ended): void;
}

/** Why a message is kept back: what the gate may say, and what this worker knows itself. */
type Refusal = GateRefusal | 'stopping' | 'store_unavailable' | 'too_slow';

/** After the gate's commit the mail must leave at once; a process that stood still for most of a lease must not. */
const SHARE_OF_LEASE = 0.8;
const NOTHING = Promise.resolve();

/**
 * One claimed message, from the last check to its settlement. What decides lives in core; this asks and writes.
 * Whatever happens here, exactly one settlement is made, or none if the lease was lost.
 */
export class Delivery {
  #gate: 'unasked' | 'asking' | 'passed' | 'refused' = 'unasked';
  #refusal: Refusal | undefined;
  #handedAt: number | null = null;
  #startedAt: number | null = null;
  #startedTick: number | undefined;
  /** Set as soon as it is decided, before it is written. */
  #outcome: Outcome | undefined;
  #over = false;
  #tellOver: () => void = () => undefined;

  constructor(
    readonly held: Held,
    private readonly ports: DeliveryPorts,
  ) {}

  /** Settled, or lost: from here on whatever the transport still does changes nothing. */
  finished(): Promise<void> {
    if (this.#over) return Promise.resolve();
    return new Promise((resolve) => {
      this.#tellOver = resolve;
    });
  }

  /** Few awaits on the common way: each is paid by every mail. Never rejects. */
  async run(listener: Listener): Promise<void> {
    let failure: unknown;
    try {
      const kept = this.#keepBack();
      const settled = kept ? this.#settle(kept) : this.#settleReport(await this.#send());
      // Not before: an answer that pauses the account must be known when the next mail may start.
      listener.sent?.(this);
      await settled;
      if (this.#outcome) this.ports.probe?.('settled', this.held.message.id);
    } catch (error) {
      failure = error;
    }
    this.#end();
    listener.over(this, { outcome: this.#outcome, failure });
  }

  #end(): void {
    this.#over = true;
    this.#tellOver();
  }

  /** What needs no gate to be refused. */
  #keepBack(): Outcome | undefined {
    const { message, claimedAt, claimedTick, sender } = this.held;
    if (message.suppressed) return keptBack('suppressed', this.#trial());
    if (message.expiresAt !== null && message.expiresAt <= claimedAt)
      return keptBack('expired', this.#trial());
    return claimedTick < sender.blockedTick ? keptBack('paused', this.#trial()) : undefined;
  }

  /** On shutdown: what has not asked the gate goes back at once; the gate stays shut for it from here on. */
  async giveBack(): Promise<void> {
    if (this.#gate !== 'unasked') return;
    this.#refuse('stopping');
    await this.#settle(keptBack('stopping', this.#trial()));
    this.#end();
  }

  /** When waiting has to end: what was handed over is in doubt, because nobody has heard the answer. */
  async giveUp(): Promise<void> {
    const trial = this.#trial();
    await this.#settle(
      this.#gate === 'passed' ? outcomeOfDoubt(STOPPED, trial) : keptBack('stopping', trial),
    );
    this.#end();
  }

  async #send(): Promise<SendReport> {
    const { message, sender, claimedAt } = this.held;
    const { transport } = sender;
    this.#startedTick = performance.now();
    this.#startedAt = this.#instant();
    this.ports.probe?.('started', message.id);
    let content: BorrowedContent;
    try {
      const borrowed = this.ports.contentOf(message);
      content = borrowed instanceof Promise ? await borrowed : borrowed;
    } catch (error) {
      return unreadable(transport.kind, error);
    }
    try {
      if (content.mail === undefined) {
        return { status: 'failed', provider: transport.kind, error: CONTENT_MISSING };
      }
      const outgoing = outgoingOf(message, claimedAt, this.ports.installation, content.mail);
      const report = await transport.send(outgoing, () => this.#passGate());
      return saneReport(report, this.#gate === 'passed');
    } catch (error) {
      return reportOfThrow(transport.kind, error, this.#gate === 'passed');
    } finally {
      content.done();
      this.ports.probe?.('after_send', message.id);
    }
  }

  async #passGate(): Promise<boolean> {
    if (this.#gate !== 'unasked') return false;
    if (this.ports.stopping()) return this.#refuse('stopping');
    const { message, lease } = this.held;
    this.ports.probe?.('before_gate', message.id);
    this.#gate = 'asking';
    const asked = performance.now();
    let answer: GateAnswer;
    try {
      answer = await this.ports.askGate({
        lease,
        id: message.id,
        workspaceId: message.workspaceId,
        channelId: message.channelId,
        recipient: message.recipient,
        transactional: message.transactional,
        expiresAt: message.expiresAt,
      });
    } catch {
      // The mark may or may not be there; the mail does not leave, and its settlement takes it out of the lease.
      return this.#refuse('store_unavailable');
    }
    if (!answer.passed) return this.#refuse(answer.refusal);
    // Given up meanwhile: it is on its way back into the queue, and whoever takes it next sends it.
    if (this.#outcome) return this.#refuse('stopping');
    if (performance.now() - asked > this.ports.leaseMs * SHARE_OF_LEASE) return this.#refuse('too_slow');
    this.#gate = 'passed';
    this.#handedAt = answer.handedAt;
    this.ports.probe?.('after_gate', message.id);
    return true;
  }

  #refuse(refusal: Refusal): false {
    this.#gate = 'refused';
    this.#refusal = refusal;
    return false;
  }

  #settleReport(report: SendReport): Promise<void> {
    // A transport that says the mail may have left is believed, also if the gate was shut.
    if (this.#refusal !== undefined && report.status !== 'sent' && report.status !== 'in_doubt') {
      return this.#refusal === 'lost' ? NOTHING : this.#settle(keptBack(this.#refusal, this.#trial()));
    }
    const doubt = this.#doubtOf(report);
    return doubt ? this.#settleDoubt(doubt, report) : this.#settle(outcomeOf(report, this.#trial()), report);
  }

  async #settleDoubt(doubt: SendError, report: SendReport): Promise<void> {
    const known = await lookUp({ ...this.held, now: this.#instant() }, this.ports, doubt);
    await this.#settle(known ?? outcomeOfDoubt(doubt, this.#trial()), report);
  }

  #doubtOf(report: SendReport): SendError | undefined {
    if (report.status === 'sent') return this.#gate === 'passed' ? undefined : UNGATED;
    return report.status === 'in_doubt' ? report.error : undefined;
  }

  #settle(outcome: Outcome, report?: SendReport): Promise<void> {
    if (this.#outcome) return NOTHING;
    this.#outcome = outcome;
    const { message, lease, sender } = this.held;
    const entry = settlementOf(message, outcome, {
      lease,
      startedAt: this.#startedAt,
      handedAt: this.#handedAt,
      worker: this.ports.worker,
      report,
    });
    const seconds =
      this.#startedTick === undefined ? undefined : (performance.now() - this.#startedTick) / 1_000;
    return this.ports.settle({ entry, outcome, report, message, sender, seconds });
  }

  /** The database's time, carried on by our own steady clock in whole ms: never ahead of what it says next. */
  #instant(): number {
    const { claimedAt, claimedTick } = this.held;
    return Math.floor(claimedAt + Math.floor(performance.now() - claimedTick) * this.ports.speed);
  }

  #trial(): Trial {
    const { message, inline, claimedAt } = this.held;
    return trialOf(message, { inline, claimedAt, now: this.#instant() });
  }
}

/** Asks a provider that can be asked. Undefined: it can't tell, or failed to answer, and the policy decides. */
export async function lookUp(
  held: Pick<Held, 'message' | 'sender' | 'claimedAt' | 'inline'> & { readonly now: number },
  ports: Pick<DeliveryPorts, 'contentOf' | 'installation'>,
  error: SendError,
): Promise<Outcome | undefined> {
  const { message, sender, claimedAt } = held;
  const { transport } = sender;
  if (!transport.lookup) return undefined;
  try {
    const content = await ports.contentOf(message);
    if (content.mail === undefined) {
      content.done();
      return undefined;
    }
    const outgoing = outgoingOf(message, claimedAt, ports.installation, content.mail);
    const answer = await transport.lookup(outgoing).finally(content.done);
    return answer === 'unknown' ? undefined : outcomeOfLookup(answer, error, trialOf(message, held));
  } catch {
    return undefined;
  }
}

function keptBack(refusal: Exclude<Refusal, 'lost'>, { attempts }: Trial): Outcome {
  const untried = { attempts };
  switch (refusal) {
    case 'cancelled':
      return { event: 'cancelled', reason: 'cancelled_by_person', ...untried };
    case 'suppressed':
      return { event: 'suppressed', reason: 'suppressed', ...untried };
    case 'expired':
      return { event: 'expired', reason: 'expired', ...untried };
    case 'paused':
    case 'stopping':
    case 'store_unavailable':
    case 'too_slow':
      return { event: 'released', ...untried };
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

const CONTENT_MISSING: SendError = {
  class: 'permanent',
  scope: 'message',
  code: 'content_missing',
  message: 'the content of this mail is missing in the database, or damaged',
};

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
