/** The part of pino that is used. A library caller may pass his own; without one nothing is logged. */
export interface Logger {
  debug(facts: object, text: string): void;
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
  /** Asked before many lines are made that perhaps nobody keeps; without it they are made. */
  isLevelEnabled?(level: 'debug'): boolean;
}

const nothing = () => undefined;
export const silent: Logger = {
  ...{ debug: nothing, info: nothing, warn: nothing, error: nothing },
  isLevelEnabled: () => false,
};

const SAY_AGAIN_MS = 60_000;

/**
 * What fails and is tried again, told without filling the log: the first failure with all that is known of it, then
 * a line a minute with how many there were, and one line when it is over. One that comes and goes is not told more
 * often either.
 */
export class OutageLog {
  /** Failures since it last worked, and since the last line. */
  #failures = 0;
  #unsaid = 0;
  #told = false;
  #since = 0;
  #saidAt = -Infinity;

  constructor(
    private readonly log: Logger,
    private readonly text: string,
    private readonly textWhenOver: string,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  failed(error: unknown, facts: object = {}): void {
    const now = this.clock();
    if (this.#failures === 0) this.#since = now;
    this.#failures += 1;
    this.#unsaid += 1;
    if (now - this.#saidAt < SAY_AGAIN_MS) return;
    // The stack is the same as before; what it says may not be.
    const err = this.#told
      ? { last: error instanceof Error ? error.message : String(error) }
      : { err: error };
    this.log.warn({ ...facts, ...err, failures: this.#unsaid }, this.text);
    this.#told = true;
    this.#saidAt = now;
    this.#unsaid = 0;
  }

  /** Cheap if nothing had failed: called after every success. */
  worked(): void {
    if (this.#failures === 0) return;
    const { failures, seconds } = { failures: this.#failures, seconds: (this.clock() - this.#since) / 1_000 };
    this.#failures = 0;
    if (!this.#told) return;
    this.#told = false;
    this.log.info({ failures, seconds: Math.round(seconds) }, this.textWhenOver);
  }
}
