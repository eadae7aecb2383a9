/** A process that stands still for so long, look after look, does not keep up with what it has been given. */
const LAG_MS = 2_000;
const LOOK_EVERY_MS = 500;
/** A machine that is busy with something else stops a process now and then; only one that is late each time is behind. */
const LOOKS = 3;

/** How late this process is. */
export class Lag {
  #lags: readonly number[] = [];

  /** How much later than planned somebody came to look at the clock. */
  looked(lagMs: number): void {
    this.#lags = [...this.#lags, lagMs].slice(-LOOKS);
  }

  get isBehind(): boolean {
    return this.#lags.length === LOOKS && this.#lags.every((lagMs) => lagMs > LAG_MS);
  }

  /** Looks at the clock from now on. Answers how to stop that. */
  watch(): () => void {
    let expected = performance.now() + LOOK_EVERY_MS;
    const timer = setInterval(() => {
      const now = performance.now();
      this.looked(Math.max(0, now - expected));
      expected = now + LOOK_EVERY_MS;
    }, LOOK_EVERY_MS).unref();
    return () => clearInterval(timer);
  }
}
