import { PillarboxError } from '../core/errors.js';

const RETRY_SECONDS = 2;

/** Lets a few work at once and some wait for their turn, in the order they came; everybody else is told to come back. */
export class Line {
  #working = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly limits: { readonly atOnce: number; readonly waiting: number }) {}

  /** Throws `busy` if the line is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // Whoever is next takes this very place: nobody who has just come can slip in between.
      if (next) next();
      else this.#working -= 1;
    }
  }

  async #turn(): Promise<void> {
    const { atOnce, waiting } = this.limits;
    if (this.#working < atOnce) this.#working += 1;
    else if (this.#waiting.length < waiting) await new Promise<void>((next) => this.#waiting.push(next));
    else {
      throw new PillarboxError('busy', 'many passwords are being looked at; try again in a moment', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
  }
}
