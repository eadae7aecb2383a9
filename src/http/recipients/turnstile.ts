const MOST_KEPT = 20_000;

/** Lets each of many through so often a minute. Of those that come after too many others, nobody knows; they pass. */
export class Turnstile {
  #passed = new Map<string, number>();
  #since: number;

  constructor(
    private readonly aMinute: number,
    private readonly clock: () => number = () => performance.now(),
  ) {
    this.#since = clock();
  }

  lets(who: string): boolean {
    const now = this.clock();
    if (now - this.#since >= 60_000) {
      this.#passed = new Map();
      this.#since = now;
    }
    const times = (this.#passed.get(who) ?? 0) + 1;
    if (times > 1 || this.#passed.size < MOST_KEPT) this.#passed.set(who, times);
    return times <= this.aMinute;
  }
}
