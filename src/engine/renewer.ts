import { Worker } from 'node:worker_threads';
import type { Logger } from '../log.js';
import type { RenewalAccess } from '../store/store.js';

export interface RenewerData {
  readonly access: RenewalAccess;
  readonly everyMs: number;
  readonly giveUpMs: number;
  readonly heartbeat: SharedArrayBuffer;
}

/** A main thread that was silent for so many leases is not coming back to its sends. */
const SILENT_LEASES = 3;

/** Longer than SQLite waits for a lock. */
const FAREWELL_MS = 6_000;

/** The main thread's side of the renewal thread: says what it holds, and that it lives. */
export class Renewer {
  readonly #thread: Worker;
  readonly #beat: NodeJS.Timeout;
  readonly #ended: Promise<unknown>;

  constructor(access: RenewalAccess, leaseMs: number, log: Logger) {
    const heartbeat = new SharedArrayBuffer(8);
    const beats = new BigInt64Array(heartbeat);
    const beat = () => Atomics.store(beats, 0, process.hrtime.bigint());
    beat();
    this.#beat = setInterval(beat, Math.min(1_000, leaseMs / 3)).unref();
    const workerData: RenewerData = {
      access,
      everyMs: leaseMs / 3,
      giveUpMs: SILENT_LEASES * leaseMs,
      heartbeat,
    };
    this.#thread = new Worker(new URL('./renewer-thread.js', import.meta.url), { workerData });
    this.#thread.unref();
    this.#ended = new Promise((resolve) => this.#thread.once('exit', resolve));
    this.#thread.on('error', (error) => {
      log.error({ err: error }, 'the renewal thread died; leases run out and are taken over');
    });
  }

  hold(lease: number): void {
    this.#thread.postMessage({ hold: lease });
  }

  drop(lease: number): void {
    this.#thread.postMessage({ drop: lease });
  }

  /** Asked to end, not torn down: terminated while SQLite loads or works, a thread takes the whole process with it. */
  async close(): Promise<void> {
    clearInterval(this.#beat);
    this.#thread.ref();
    this.#thread.postMessage({ end: true });
    const late = setTimeout(() => void this.#thread.terminate(), FAREWELL_MS);
    await this.#ended;
    clearTimeout(late);
  }
}
