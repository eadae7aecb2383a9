/** The first wait after a host refused; doubled with each further refusal. */
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 5_000;

/**
 * Paces new connections to a host that refuses them, and does nothing else: it fails no mail and moves none.
 * Until a host has taken one connection it is asked by one at a time, so that a wrong password is tried once and
 * not once per connection. Instants are of the monotonic clock.
 */
export class ConnectBackoff {
  #proven = false;
  #refusals = 0;
  #refusedAt = -Infinity;

  /** How many may be opening at the same time. */
  get together(): number {
    return this.#proven ? Infinity : 1;
  }

  waitMs(now: number): number {
    if (this.#refusals === 0) return 0;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (this.#refusals - 1), LONGEST_WAIT_MS);
    return Math.max(0, this.#refusedAt + wait - now);
  }

  taken(): void {
    this.#proven = true;
    this.#refusals = 0;
  }

  /** Those that were opening together count as one refusal. */
  refused(startedAt: number, now: number): void {
    this.#proven = false;
    if (startedAt < this.#refusedAt) return;
    this.#refusals++;
    this.#refusedAt = now;
  }
}
