import { PATIENCE_MS } from '../patience.js';
import { EventEmitter } from 'node:events';

/** Lets a test wait for what others notice, without asking again and again. */
export class Changes {
  readonly #changes = new EventEmitter().setMaxListeners(0);

  tell(): void {
    this.#changes.emit('change');
  }

  /** Resolves as soon as a change makes it true. */
  async until(what: string, condition: () => boolean, timeoutMs = PATIENCE_MS): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!condition()) {
      const left = deadline - performance.now();
      if (left <= 0) throw new Error(`${what}: not within ${timeoutMs / 1_000} s`);
      await this.#next(left);
    }
  }

  #next(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#changes.off('change', done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.#changes.on('change', done);
    });
  }
}
