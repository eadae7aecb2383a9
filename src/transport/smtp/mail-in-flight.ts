import type { Gate } from '../transport.js';
import type { MailTransaction } from './mail-transaction.js';
import type { End, Transmission } from './report.js';
import type { Wire } from './wire.js';
import type { PlannedMail } from './planned-mail.js';

/** One mail that a connection has taken, until its transmission is given. */
export class MailInFlight implements PlannedMail {
  gateIs: 'unasked' | 'pending' | 'passed' | 'refused' = 'unasked';
  /** It was written behind another that had not been answered. */
  rode = false;
  #settleAfterGate: (() => void) | undefined;

  readonly transaction: MailTransaction;
  readonly wire: Wire;
  readonly chunk: Buffer | undefined;

  constructor(
    { transaction, wire, chunk }: PlannedMail,
    readonly gate: Gate,
    /** Its gate is asked when its last byte could leave, and nothing else is in the air beside it. */
    readonly gateLast: boolean,
    private readonly resolve: (transmission: Transmission) => void,
  ) {
    this.transaction = transaction;
    this.wire = wire;
    this.chunk = chunk;
  }

  /** An answer before its gate's could be settled before the gate's own write, and the two would overtake each other. */
  end(end: End): void {
    const settle = (): void => {
      const { recipients } = this.transaction;
      this.resolve({ ...end, recipients, gated: this.gateIs === 'passed' });
    };
    if (this.gateIs === 'pending') this.#settleAfterGate = settle;
    else settle();
  }

  /** True: it was over before. */
  gateAnswered(passed: boolean): boolean {
    this.gateIs = passed ? 'passed' : 'refused';
    this.#settleAfterGate?.();
    return this.#settleAfterGate !== undefined;
  }
}
