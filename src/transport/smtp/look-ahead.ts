import type { Gate } from '../transport.js';

/** From here on a server is remote, and the gate's few milliseconds do not matter to it. */
const FAST_TURN_MS = 10;
const TURNS_TO_KNOW = 10;
const WEIGHT_OF_NEWEST = 0.1;
/** An older ticket is not used: the mail goes back as one that did not leave. */
const TICKET_MS = 1_000;

/** A gate that has been asked already. */
export interface Ticket {
  readonly gate: Gate;
  /** What the gate said; false also if it failed. */
  readonly passed: Promise<boolean>;
}

/**
 * When to ask the gate before a connection is free. Each connection waits for its gate at the last moment; to a
 * server that answers in a few milliseconds that wait would be most of a mail's time, so a few mails are let
 * through the gate while they wait for their turn. To a slow one nothing is asked ahead: what has passed the gate
 * is in doubt if this process dies.
 */
export class LookAhead {
  #turns = 0;
  #meanMs = 0;

  /** How long a mail took on its connection, without the wait for its gate. */
  measured(turnMs: number): void {
    this.#turns += 1;
    // The mean of the first ones, then of the latest.
    const weight = Math.max(1 / this.#turns, WEIGHT_OF_NEWEST);
    this.#meanMs += (turnMs - this.#meanMs) * weight;
  }

  get isWorthIt(): boolean {
    return this.#turns >= TURNS_TO_KNOW && this.#meanMs < FAST_TURN_MS;
  }
}

/** Asks the gate now. Its answer holds for a second. */
export function takeTicket(gate: Gate): Ticket {
  let answeredAt = 0;
  const answer = gate().then((passed) => {
    answeredAt = performance.now();
    return passed;
  });
  return {
    gate: async () => (await answer) && performance.now() - answeredAt <= TICKET_MS,
    passed: answer.catch(() => false),
  };
}
