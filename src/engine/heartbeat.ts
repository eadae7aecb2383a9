import { setTimeout as sleep } from 'node:timers/promises';
import { OutageLog, type Logger } from '../log/log.js';
import type { Script } from '../store/script.js';
import type { RelayFigures, WorkFigures } from '../core/workers.js';
import { noteRelayMinute } from '../store/scripts/relay-minutes.js';
import { noteWorker, removeWorker, type WorkerIdentity } from '../store/scripts/workers.js';
import type { Store } from '../store/store.js';

const BEAT_EVERY_MS = 5_000;
const BEATS_A_MINUTE = 12;
/** A database that is away must not keep a process that wants to end. */
const FAREWELL_MS = 1_000;

/** What a process tells with each beat. */
export interface Telling {
  work(): WorkFigures;
  /** Where there is a broker: what went through it here, since this was last asked and written down. */
  relay?(): RelayFigures;
  /** These were written down. */
  relayed?(figures: RelayFigures): void;
}

/**
 * Shows people that this process works, also while there is nothing to do. Nothing depends on it: leases tell who
 * holds what, and a beat that can't be written is left out.
 */
export class Heartbeat {
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  readonly #troubles: OutageLog;
  /** What was done when it last beat, the oldest first. */
  readonly #done: number[] = [];

  constructor(
    private readonly store: Store,
    private readonly worker: WorkerIdentity,
    log: Logger,
    private readonly telling?: Telling,
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
    this.#beating ??= this.#tell().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  async #tell(): Promise<void> {
    const { store, worker, telling } = this;
    const work = telling?.work();
    const note = {
      places: work?.places ?? null,
      lastMinute: work ? this.#lastMinute(work.done) : null,
      leasesLost: work?.leasesLost ?? null,
      confirmMs: work?.confirmMs ?? null,
    };
    await this.#write(() => noteWorker(store, worker, note));
    const relayed = telling?.relay?.();
    if (!relayed || !saysAnything(relayed)) return;
    if (await this.#write(() => noteRelayMinute(store, relayed))) telling?.relayed?.(relayed);
  }

  #lastMinute(done: number): number {
    this.#done.push(done);
    if (this.#done.length > BEATS_A_MINUTE + 1) this.#done.shift();
    return done - (this.#done[0] ?? done);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    const gone = (this.#beating ?? Promise.resolve()).then(() =>
      this.#write(() => removeWorker(this.store, this.worker.name)),
    );
    await Promise.race([gone, sleep(FAREWELL_MS, undefined, { ref: false })]);
  }

  /** False: it could not be written. */
  async #write(script: () => Script<void>): Promise<boolean> {
    try {
      await this.store.transaction(script);
      this.#troubles.worked();
      return true;
    } catch (error) {
      this.#troubles.failed(error);
      return false;
    }
  }
}

const saysAnything = ({ queued, published, again, returned, dropped, away }: RelayFigures): boolean =>
  away || queued + published + again + returned + dropped > 0;
