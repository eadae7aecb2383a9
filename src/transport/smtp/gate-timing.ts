const TURNS_TO_KNOW = 10;
const WEIGHT_OF_NEWEST = 0.1;
/** A server that answers within this is next door: a gate takes longer than a mail. */
const NEXT_DOOR_MS = 10;
/** A server that takes longer over a mail is not waited for by others that could be elsewhere. */
const SLOW_MS = 1_000;
/** Of mails that wait behind each connection. One is written behind the mail before, one is ready to follow it. */
const BEHIND_EACH = 2;
/** A gate is asked so many times its usual length ahead, and this much more: to be late costs more than to be early. */
const LEAD = 2;
const LEAD_MS = 2;

/** The mean of the first ones, then of the latest. */
class Mean {
  #count = 0;
  #value = 0;

  add(value: number): void {
    this.#count += 1;
    this.#value += (value - this.#value) * Math.max(1 / this.#count, WEIGHT_OF_NEWEST);
  }

  get value(): number | undefined {
    return this.#count < TURNS_TO_KNOW ? undefined : this.#value;
  }
}

/**
 * How long a mail takes on its connection, how long its gate takes, and what follows: how many mails to hold behind
 * each connection, and when to ask the gate of one that will be next. A gate should have answered when its mail may
 * leave, and not much earlier: what has passed the gate is in doubt if this process dies.
 */
export class GateTiming {
  readonly #turn = new Mean();
  readonly #gate = new Mean();

  /** From its first command to the last answer, without the wait for its gate. */
  turnTook(ms: number): void {
    this.#turn.add(ms);
  }

  gateTook(ms: number): void {
    this.#gate.add(ms);
  }

  /** How many mails should wait behind each connection. None until the server is known, and none behind a slow one. */
  get behindEach(): number {
    const turn = this.#turn.value;
    return turn !== undefined && turn < SLOW_MS ? BEHIND_EACH : 0;
  }

  /** To a server next door the gate is asked while a mail still waits for a connection. */
  get isNextDoor(): boolean {
    return (this.#turn.value ?? Infinity) < NEXT_DOOR_MS;
  }

  /**
   * A mail has got its place on a connection, and may leave after this share of a turn: how long to wait before its
   * gate is asked. Undefined: not before it may leave.
   */
  askAfterMs(shareOfTurn: number): number | undefined {
    const turn = this.#turn.value;
    const gate = this.#gate.value;
    if (turn === undefined || gate === undefined || turn >= SLOW_MS) return undefined;
    return Math.max(0, turn * shareOfTurn - gate * LEAD - LEAD_MS);
  }
}
