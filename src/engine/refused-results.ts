import type { Logger } from '../log/log.js';
import type { SettleEntry } from '../store/store.js';
import type { Counters } from './counters.js';
import type { PatientWriter } from './patient-writer.js';
import { pauseAfter, type Pauses } from './pauses.js';
import { bareOf } from './result.js';

/** How often to try it as it is, apart from all others, before its texts are let go. */
const TRIES_AS_IT_IS = 3;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Results that the database refused for what is in them. That a mail left is a fact, whatever the server said along with
 * it: it is written without the words of strangers, and if even that is refused it is kept and tried again as long
 * as the process lives, while its lease is renewed.
 */
export class RefusedResults {
  #kept = 0;

  constructor(
    private readonly writer: PatientWriter<SettleEntry, boolean>,
    private readonly pauses: Pauses,
    private readonly counters: Counters,
    private readonly log: Logger,
  ) {}

  /** How many are refused in every form. Each of them keeps its place in the worker. */
  get kept(): number {
    return this.#kept;
  }

  /** Answers as the writer would have; undefined: the process is about to end. */
  async write(entry: SettleEntry, refusal: unknown): Promise<boolean | undefined> {
    for (let failures = 0; failures < TRIES_AS_IT_IS && !this.pauses.over; failures += 1) {
      await this.pauses.take(pauseAfter(failures));
      try {
        return await this.writer.writeAlone(entry);
      } catch {
        // Refused again.
      }
    }
    return this.#writeBare(bareOf(entry), refusal);
  }

  async #writeBare(bare: SettleEntry, refusal: unknown): Promise<boolean | undefined> {
    const { id: message, lease, event } = bare;
    let refused = false;
    for (let failures = 0; ; failures += 1) {
      try {
        const written = await this.writer.writeAlone(bare);
        if (refused) this.#count(-1);
        if (written) this.log.warn({ err: refusal, message, event }, 'a result was stored without its texts');
        return written;
      } catch (error) {
        if (!refused) {
          refused = true;
          this.#count(1);
          this.log.error(
            { err: error, message, lease, event },
            'a result cannot be stored, not even without its texts; it is kept and tried again',
          );
        }
      }
      await this.pauses.take(pauseAfter(failures, LONGEST_PAUSE_MS));
    }
  }

  #count(more: number): void {
    this.#kept += more;
    this.counters.unstored(this.#kept);
  }
}
