import type { Gate } from '../transport.js';

/** An older answer is not used: the mail goes back as one that did not leave. */
const HOLDS_MS = 1_000;

/** The gate of one mail: asked once, early or late, by whoever comes first. Its answer holds for a second. */
export class Ticket {
  #answer: Promise<boolean> | undefined;
  #answeredAt = 0;

  constructor(
    private readonly ask: Gate,
    private readonly took: (ms: number) => void,
  ) {}

  get asked(): boolean {
    return this.#answer !== undefined;
  }

  /** Asks now. */
  take(): void {
    if (this.#answer) return;
    const askedAt = performance.now();
    this.#answer = this.#ask().then((passed) => {
      this.#answeredAt = performance.now();
      this.took(this.#answeredAt - askedAt);
      return passed;
    });
    // Whoever needs the answer hears of it; that nobody does is no fault.
    this.#answer.catch(() => undefined);
  }

  /** One that throws has failed like one that rejects. */
  async #ask(): Promise<boolean> {
    return this.ask();
  }

  /** It was answered too long ago to be used. */
  get isOld(): boolean {
    return this.#answeredAt > 0 && performance.now() - this.#answeredAt > HOLDS_MS;
  }

  /** For the connection, when the mail may leave. */
  readonly gate: Gate = async () => {
    this.take();
    return (await this.#answer) === true && !this.isOld;
  };

  /** What the gate said, if it was asked; false also if it failed. */
  async passed(): Promise<boolean> {
    return (await this.#answer?.catch(() => false)) ?? false;
  }
}
