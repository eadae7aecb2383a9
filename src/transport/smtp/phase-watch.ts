import type { Deadlines, TimeLimits, Watched } from './deadlines.js';
import type { MailInFlight } from './mail-in-flight.js';
import type { Phase } from './report.js';

/** How far a connection has come, and how long it may stay there. */
export class PhaseWatch {
  #phase: Phase = 'connect';
  /** The mail that the time limit is about. */
  #mail: MailInFlight | undefined;
  #over = false;

  constructor(
    private readonly watched: Watched,
    private readonly deadlines: Deadlines,
    private readonly limits: TimeLimits,
  ) {}

  get phase(): Phase {
    return this.#phase;
  }

  /** The phase that it was in when it ended is the last. */
  enter(phase: Phase, limitMs: number): void {
    if (this.#over) return;
    this.#phase = phase;
    this.deadlines.arm(this.watched, limitMs);
  }

  /** The time limit is about the first mail on the connection: a server answers one after the other. */
  follow(first: MailInFlight | undefined): void {
    if (first && (first !== this.#mail || this.#phase !== first.transaction.phase)) {
      const { phase } = first.transaction;
      this.enter(phase, phase === 'reply' ? this.limits.replyMs : this.limits.envelopeMs);
    }
    this.#mail = first;
  }

  /** It has ended, and is given so long to be gone. */
  takeLeave(): void {
    this.#over = true;
    this.deadlines.arm(this.watched, this.limits.quitMs);
  }

  /** It is gone. */
  end(): void {
    this.#over = true;
    this.deadlines.forget(this.watched);
  }
}
