/** How long something holds that was counted at some cost. */
const HOLDS_MS = 10 * 60_000;
/** Campaigns that somebody looked at lately. */
const MOST = 200;

interface Counted<T> {
  /** What it was counted of: something else is counted again. */
  readonly of: string;
  readonly until: number;
  readonly answer: Promise<T>;
}

/** What is dear to count is counted once for everybody who asks within some minutes, as long as it is about the same. */
export class CountedNowAndThen<T> {
  readonly #known = new Map<number, Counted<T>>();

  get(id: number, of: string, count: () => Promise<T>): Promise<T> {
    const now = performance.now();
    const known = this.#known.get(id);
    if (known?.of === of && known.until > now) return known.answer;
    const answer = count();
    this.#known.delete(id);
    this.#known.set(id, { of, until: now + HOLDS_MS, answer });
    const [oldest] = this.#known.keys();
    if (this.#known.size > MOST && oldest !== undefined) this.#known.delete(oldest);
    // What went wrong is tried again by whoever asks next.
    answer.catch(() => {
      if (this.#known.get(id)?.answer === answer) this.#known.delete(id);
    });
    return answer;
  }
}
