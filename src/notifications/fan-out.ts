import { setTimeout as rest } from 'node:timers/promises';
import { OutageLog, type Logger } from '../log/log.js';
import { hasFanOuts, stepNextFanOut } from '../store/scripts/fan-outs.js';
import type { Store } from '../store/store.js';

/**
 * PostgreSQL waits for its disk while others work. On SQLite a step holds the only write lock and the event loop: it is
 * smaller, and after it others have their turn.
 */
const STEPS = {
  postgres: { size: 500, restShare: 0 },
  sqlite: { size: 250, restShare: 0.3 },
} as const;

/**
 * Tells events that are not told yet, step by step, beside all else that a worker does. Any number of workers may do it at
 * once; what one of them has not done when it dies, another does.
 */
export class FanOut {
  readonly #troubles: OutageLog;
  #running: Promise<void> | undefined;
  #stopping = false;

  constructor(
    private readonly store: Store,
    log: Logger,
  ) {
    this.#troubles = new OutageLog(
      log,
      'could not tell an event; trying again',
      'events can be told again; nobody was left out',
    );
  }

  /** Looks whether there is something to tell, and begins; whoever calls does not wait for the end of it. */
  readonly chore = async (): Promise<void> => {
    if (this.#running || this.#stopping || !(await this.store.read(hasFanOuts(this.store)))) return;
    this.#running ??= this.#tell().finally(() => {
      this.#running = undefined;
    });
  };

  /** The step that is being done is done. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#running;
  }

  async #tell(): Promise<void> {
    const { size, restShare } = STEPS[this.store.dialect];
    try {
      while (!this.#stopping) {
        const began = performance.now();
        const now = await this.store.now();
        const step = await this.store.transaction(() => stepNextFanOut(this.store, size, now));
        this.#troubles.worked();
        if (!step) return;
        if (step.made > 0) this.store.wake(step.channelId);
        await rest(((performance.now() - began) * restShare) / (1 - restShare));
      }
    } catch (error) {
      this.#troubles.failed(error);
    }
  }
}
