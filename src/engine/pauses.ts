const FIRST_MS = 250;
const LONGEST_MS = 2_000;

/** How long to wait after so many failures in a row: short enough to go on soon after a restart of the database. */
export const pauseAfter = (failures: number, longestMs = LONGEST_MS): number =>
  Math.min(FIRST_MS * 2 ** Math.min(failures, 20), longestMs);

/** The waits between tries of somebody, which all end at once when he must not wait any longer. */
export class Pauses {
  readonly #wakers = new Set<() => void>();
  #over = false;

  get over(): boolean {
    return this.#over;
  }

  take(ms: number): Promise<void> {
    if (this.#over) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#wakers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#wakers.add(wake);
    });
  }

  end(): void {
    this.#over = true;
    for (const wake of [...this.#wakers]) wake();
  }
}
