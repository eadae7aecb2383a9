import { PillarboxError } from '../errors.js';

/** What may be going on at once; more is told to come back, before its body is read. */
export interface LoadLimits {
  readonly writes: number;
  readonly bytes: number;
  /** A process that stands still for so long, look after look, does not keep up with what it has been given. */
  readonly lagMs: number;
}

export const LOAD_LIMITS: LoadLimits = { writes: 1_000, bytes: 256 * 1024 * 1024, lagMs: 2_000 };

const RETRY_SECONDS = 2;
/** A machine that is busy with something else stops a process now and then; only one that is late each time is behind. */
const LOOKS = 3;

/** The writes that are under way. A database that is behind shows here: its callers wait, and more come. */
export class Load {
  #writes = 0;
  #bytes = 0;
  #lags: readonly number[] = [];

  constructor(private readonly limits: LoadLimits = LOAD_LIMITS) {}

  /** Answers what to call when it is over. Throws `busy` if there is no room. */
  take(bytes: number): () => void {
    if (this.#isFull(bytes)) {
      throw new PillarboxError('busy', 'more comes in than can be written down; try again in a moment', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    this.#writes += 1;
    this.#bytes += bytes;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      this.#writes -= 1;
      this.#bytes -= bytes;
    };
  }

  /** How much later than planned somebody came to look at the clock. */
  looked(lagMs: number): void {
    this.#lags = [...this.#lags, lagMs].slice(-LOOKS);
  }

  #isFull(bytes: number): boolean {
    const { limits } = this;
    return (
      this.#writes >= limits.writes ||
      // One that is alone may be as large as it is.
      (this.#bytes > 0 && this.#bytes + bytes > limits.bytes) ||
      (this.#lags.length === LOOKS && this.#lags.every((lagMs) => lagMs > limits.lagMs))
    );
  }
}
