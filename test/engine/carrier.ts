import type { Gate, LookupAnswer, Outgoing, SendError, SendReport, Transport } from 'pillarbox';
import { Signal } from './signal.js';

/** What the carrier does with one mail; `nth` counts the tries of this message from 1. */
export type Conduct = (
  message: Outgoing,
  gate: Gate,
  nth: number,
) => Promise<SendReport | undefined> | SendReport | undefined;

export interface CarrierOptions {
  readonly capacity?: number;
  readonly lookup?: (message: Outgoing) => Promise<LookupAnswer>;
}

/**
 * A transport inside the test: it keeps to the port, but does as the test says, and remembers everything. What
 * passed the gate counts as having left, whatever is reported afterwards.
 */
export class Carrier implements Transport {
  readonly kind = 'carrier';
  readonly capacity: number;
  readonly lookup?: (message: Outgoing) => Promise<LookupAnswer>;
  /** Every try, in the order in which they started. */
  readonly offered: Outgoing[] = [];
  /** What passed the gate, in that order. */
  readonly left: Outgoing[] = [];
  readonly asked: Outgoing[] = [];
  inFlight = 0;
  mostInFlight = 0;
  closed = 0;
  readonly #signal = new Signal();

  /** A conduct that answers nothing means: as usual, through the gate and out. */
  constructor(
    public conduct: Conduct = () => undefined,
    { capacity = Infinity, lookup }: CarrierOptions = {},
  ) {
    this.capacity = capacity;
    if (lookup) {
      this.lookup = (message) => {
        this.asked.push(message);
        return lookup(message);
      };
    }
  }

  async send(message: Outgoing, gate: Gate): Promise<SendReport> {
    this.offered.push(message);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    this.#signal.tell();
    const watched: Gate = async () => {
      const passed = await gate();
      if (passed) this.left.push(message);
      this.#signal.tell();
      return passed;
    };
    try {
      const report = await this.conduct(message, watched, this.triesOf(message.id));
      return report ?? ((await watched()) ? sent(message) : failed(NOT_LET));
    } finally {
      this.inFlight -= 1;
      this.#signal.tell();
    }
  }

  close(): Promise<void> {
    this.closed += 1;
    return Promise.resolve();
  }

  triesOf(id: string): number {
    return this.offered.filter((message) => message.id === id).length;
  }

  copiesOf(id: string): number {
    return this.left.filter((message) => message.id === id).length;
  }

  /** Resolves as soon as it is true, which can only change when a mail is offered, passes, or ends. */
  until(what: string, happened: () => boolean): Promise<void> {
    return this.#signal.until(what, happened);
  }
}

export const sent = (message: Outgoing): SendReport => ({
  status: 'sent',
  provider: 'carrier',
  providerMessageId: `<${message.id}@carrier.example>`,
});

/** Definite, and nothing left. */
export const failed = (error: SendError): SendReport => ({
  status: error.class === 'permanent' || error.class === 'recipient' ? 'failed' : 'retryable',
  provider: 'carrier',
  error,
});

export const inDoubt = (error: SendError = CUT): SendReport => ({
  status: 'in_doubt',
  provider: 'carrier',
  error,
});

/** Through the gate, and then this report. */
export const afterTheGate =
  (report: (message: Outgoing) => SendReport): Conduct =>
  async (message, gate) =>
    (await gate()) ? report(message) : failed(NOT_LET);

export const BUSY: SendError = { class: 'retryable', scope: 'message', code: '451 4.3.0', message: 'busy' };
export const TOO_LARGE: SendError = {
  class: 'permanent',
  scope: 'message',
  code: '552 5.3.4',
  message: 'too large',
};
export const NOBODY: SendError = {
  class: 'recipient',
  scope: 'recipient',
  code: '550 5.1.1',
  message: 'no such user',
};
export const FULL: SendError = {
  class: 'retryable',
  scope: 'recipient',
  code: '452 4.2.2',
  message: 'mailbox full',
  softBounce: true,
};
export const WRONG_PASSWORD: SendError = {
  class: 'account',
  scope: 'account',
  code: '535 5.7.8',
  message: 'wrong password',
};
export const TOO_FAST: SendError = {
  class: 'rate_limited',
  scope: 'account',
  code: '421 4.7.0',
  message: 'slow down',
};
export const CUT: SendError = {
  class: 'in_doubt',
  scope: 'message',
  code: 'ECONNRESET',
  message: 'cut after the dot',
};
const NOT_LET: SendError = {
  class: 'retryable',
  scope: 'message',
  code: 'ELEASE',
  message: 'the gate stayed shut',
};
