import { OutageLog, type Logger } from '../log/log.js';
import type { Sweeper } from './sweeper.js';

const EVERY_MS = 60_000;

/**
 * The chores of the queue in a process that has no worker: whoever only stores mail, or sends his own callers' at
 * once, lets the same tables grow as everybody else. Beside a worker there is no need for it. Keeps no process alive.
 */
export class Housekeeping {
  readonly #troubles: OutageLog;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;

  constructor(
    private readonly sweeper: Sweeper,
    log: Logger,
  ) {
    this.#troubles = new OutageLog(log, 'a chore failed; it is tried again', 'chores are done again');
  }

  start(): void {
    this.#timer ??= setInterval(() => {
      this.#sweeping ??= this.#sweep().finally(() => {
        this.#sweeping = undefined;
      });
    }, EVERY_MS).unref();
  }

  /** The step that is being done is done. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    try {
      await this.sweeper.sweep();
      this.#troubles.worked();
    } catch (error) {
      this.#troubles.failed(error);
    }
  }
}
