import { Worker } from 'node:worker_threads';
import { OutageLog, type Logger } from '../log/log.js';
import type { RenewalAccess, Store } from '../store/store.js';
import { SharedLeases } from './shared-leases.js';

export interface RenewerData {
  readonly access: RenewalAccess;
  readonly everyMs: number;
  readonly giveUpMs: number;
  readonly heartbeat: SharedArrayBuffer;
  /** What is to be renewed: `SharedLeases`. */
  readonly leases: SharedArrayBuffer;
}

/** What the thread tells. */
export type RenewerSaid = { readonly ready: true } | { readonly renewed: true } | { readonly failed: string };

/** A main thread that was silent for so many leases is not coming back to its sends. */
const SILENT_LEASES = 3;

/** Longer than SQLite waits for a lock. */
const FAREWELL_MS = 6_000;

/** Before a thread that died is started again; one that lived for long died of something else. */
const RESTART_MS = [100, 250, 500, 1_000, 2_000, 5_000];
const LIVED_LONG_MS = 60_000;

/** Keeps the leases of what is in hand alive. */
export interface Renewal {
  /** False: what is claimed now might not be renewed. */
  readonly alive: boolean;
  hold(lease: number): void;
  drop(lease: number): void;
  close(): Promise<void>;
}

/**
 * The main thread's side of the renewal thread: says what it holds, and that it lives. A thread that dies is started
 * again; until it runs, nothing more may be taken in hand.
 */
export class Renewer implements Renewal {
  readonly #leases = new SharedLeases();
  readonly #heartbeat = new SharedArrayBuffer(8);
  readonly #beat: NodeJS.Timeout;
  readonly #deaths: OutageLog;
  readonly #failures: OutageLog;
  #thread: Worker | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #restart: NodeJS.Timeout | undefined;
  #startedTick = 0;
  /** Deaths in a row. */
  #died = 0;
  #alive = true;
  #closing = false;

  constructor(
    private readonly store: Pick<Store, 'renewal'>,
    private readonly leaseMs: number,
    log: Logger,
  ) {
    this.#deaths = new OutageLog(
      log,
      'the renewal thread died; it is started again, and nothing is claimed meanwhile',
      'the renewal thread runs again',
    );
    this.#failures = new OutageLog(log, 'could not renew leases; trying again', 'leases are renewed again');
    const beats = new BigInt64Array(this.#heartbeat);
    const beat = () => Atomics.store(beats, 0, process.hrtime.bigint());
    beat();
    this.#beat = setInterval(beat, Math.min(1_000, leaseMs / 3)).unref();
    this.#start();
  }

  /** False: what is claimed now might not be renewed. A thread that is starting for the first time hears of it. */
  get alive(): boolean {
    return this.#alive;
  }

  hold(lease: number): void {
    this.#leases.add(lease);
  }

  drop(lease: number): void {
    this.#leases.delete(lease);
  }

  /** Asked to end, not torn down: terminated while SQLite loads or works, a thread takes the whole process with it. */
  async close(): Promise<void> {
    this.#closing = true;
    clearInterval(this.#beat);
    clearTimeout(this.#restart);
    const thread = this.#thread;
    if (!thread) return;
    thread.ref();
    thread.postMessage('end');
    const late = setTimeout(() => void thread.terminate(), FAREWELL_MS);
    await this.#ended;
    clearTimeout(late);
  }

  #start(): void {
    const workerData: RenewerData = {
      access: this.store.renewal,
      everyMs: this.leaseMs / 3,
      giveUpMs: SILENT_LEASES * this.leaseMs,
      heartbeat: this.#heartbeat,
      leases: this.#leases.memory,
    };
    this.#startedTick = performance.now();
    const thread = new Worker(new URL('./renewer-thread.js', import.meta.url), { workerData });
    this.#thread = thread;
    thread.unref();
    let cause: unknown = new Error('the thread ended');
    thread.on('error', (error) => {
      cause = error;
    });
    thread.on('message', (said: RenewerSaid) => {
      this.#hear(said);
    });
    this.#ended = new Promise((resolve) => {
      thread.once('exit', () => {
        this.#thread = undefined;
        if (!this.#closing) this.#startAgain(cause);
        resolve(undefined);
      });
    });
  }

  #startAgain(cause: unknown): void {
    this.#alive = false;
    this.#deaths.failed(cause, { leases: this.#leases.size });
    if (performance.now() - this.#startedTick > LIVED_LONG_MS) this.#died = 0;
    const wait = RESTART_MS[Math.min(this.#died, RESTART_MS.length - 1)];
    this.#died += 1;
    this.#restart = setTimeout(() => {
      this.#start();
    }, wait).unref();
  }

  #hear(said: RenewerSaid): void {
    if ('failed' in said) this.#failures.failed(said.failed, { leases: this.#leases.size });
    else if ('renewed' in said) this.#failures.worked();
    else {
      this.#alive = true;
      this.#deaths.worked();
    }
  }
}
