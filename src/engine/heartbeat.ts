import { setTimeout as sleep } from 'node:timers/promises';
import { OutageLog, type Logger } from '../log/log.js';
import type { Script } from '../store/script.js';
import { noteWorker, removeWorker, type WorkerIdentity } from '../store/scripts/workers.js';
import type { Store } from '../store/store.js';

const BEAT_EVERY_MS = 5_000;
/** A database that is away must not keep a process that wants to end. */
const FAREWELL_MS = 1_000;

/**
 * Shows people that this process works, also while there is nothing to do. Nothing depends on it: leases tell who
 * holds what, and a beat that can't be written is left out.
 */
export class Heartbeat {
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  readonly #troubles: OutageLog;

  constructor(
    private readonly store: Store,
    private readonly worker: WorkerIdentity,
    log: Logger,
  ) {
    this.#troubles = new OutageLog(
      log,
      'a heartbeat could not be written; trying again',
      'heartbeats are written again',
    );
  }

  start(): void {
    this.#timer = setInterval(() => void this.beat(), BEAT_EVERY_MS).unref();
    void this.beat();
  }

  /** Never fails, and never overtakes itself. */
  beat(): Promise<void> {
    this.#beating ??= this.#write(() => noteWorker(this.store, this.worker)).finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const gone = (this.#beating ?? Promise.resolve()).then(() =>
      this.#write(() => removeWorker(this.store, this.worker.name)),
    );
    await Promise.race([gone, sleep(FAREWELL_MS, undefined, { ref: false })]);
  }

  async #write(script: () => Script<void>): Promise<void> {
    try {
      await this.store.transaction(script);
      this.#troubles.worked();
    } catch (error) {
      this.#troubles.failed(error);
    }
  }
}
