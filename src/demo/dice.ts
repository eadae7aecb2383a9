/** Throws that look like chance and are the same for the same seed: everybody is shown the same demo. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** At least 0, below 1. */
  throw(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number; both ends are possible. */
  between(least: number, most: number): number {
    return least + Math.floor(this.throw() * (most - least + 1));
  }

  pick<T>(these: readonly T[]): T {
    const [picked] = these.slice(Math.floor(this.throw() * these.length));
    if (picked === undefined) throw new Error('there is nothing to pick from');
    return picked;
  }

  /** By weight. */
  draw<T>(these: readonly (readonly [weight: number, what: T])[], otherwise: T): T {
    let left = this.throw() * these.reduce((sum, [weight]) => sum + weight, 0);
    return these.find(([weight]) => (left -= weight) < 0)?.[1] ?? otherwise;
  }
}
