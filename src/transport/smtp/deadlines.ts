/** The longest each phase may take. RFC 5321 4.5.3.2 asks for this much patience after the connection is up. */
export interface TimeLimits {
  readonly connectMs: number;
  readonly tlsMs: number;
  readonly greetingMs: number;
  readonly ehloMs: number;
  readonly authMs: number;
  /** One limit for RSET, MAIL, RCPT and DATA sent together; for each of them when they go one by one. */
  readonly envelopeMs: number;
  /** Per slice of a large body. */
  readonly bodyMs: number;
  /** A backstop: the gate has its own limit, from the lease. The connection goes, the dispatch still waits. */
  readonly gateMs: number;
  /** Short limits here make doubts: a server may work this long on a mail that it then takes. */
  readonly replyMs: number;
  /** A connection that nobody has used for so long says QUIT, unless its pool keeps it. */
  readonly idleMs: number;
  readonly quitMs: number;
  /** A server that has said nothing for so long is asked before it is given a whole mail. */
  readonly quietMs: number;
}

export const TIME_LIMITS: TimeLimits = {
  connectMs: 30_000,
  tlsMs: 30_000,
  greetingMs: 300_000,
  ehloMs: 60_000,
  authMs: 60_000,
  envelopeMs: 300_000,
  bodyMs: 180_000,
  gateMs: 120_000,
  replyMs: 600_000,
  idleMs: 20_000,
  quitMs: 2_000,
  quietMs: 1_000,
};

export interface Watched {
  /** Its time is up. */
  expire(): void;
}

interface Deadline {
  at: number;
  overdue: boolean;
}

/**
 * All deadlines of many connections under one ticker, instead of a timer per command. A deadline that has passed
 * is given one more tick: a process that was stopped, or busy, must first read what arrived meanwhile, or it would
 * call a reply that already lies in the kernel a silence.
 */
export class Deadlines {
  readonly #watched = new Map<Watched, Deadline>();
  #ticker: NodeJS.Timeout | undefined;

  constructor(private readonly tickMs = 250) {}

  /** Replaces the deadline it had. */
  arm(watched: Watched, limitMs: number): void {
    const at = performance.now() + limitMs;
    const deadline = this.#watched.get(watched);
    if (deadline) {
      deadline.at = at;
      deadline.overdue = false;
      return;
    }
    this.#watched.set(watched, { at, overdue: false });
    // The sockets keep the process alive, not the watch over them.
    this.#ticker ??= setInterval(() => this.#tick(), this.tickMs).unref();
  }

  forget(watched: Watched): void {
    this.#watched.delete(watched);
    if (this.#watched.size > 0) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #tick(): void {
    const now = performance.now();
    for (const [watched, deadline] of this.#watched) {
      if (now < deadline.at) continue;
      if (deadline.overdue) watched.expire();
      else deadline.overdue = true;
    }
  }
}
