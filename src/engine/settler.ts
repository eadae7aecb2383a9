import { OutageLog, type Logger } from '../log/log.js';
import type { SettleEntry, Store } from '../store/store.js';
import { Consequences } from './consequences.js';
import type { Counters } from './counters.js';
import { endThoseBehind } from './followers.js';
import { LateReplies } from './late-replies.js';
import { PatientWriter } from './patient-writer.js';
import { Pauses } from './pauses.js';
import { RefusedResults } from './refused-results.js';
import { bareOf, settlementOf, type Result } from './result.js';

/** A success that means nothing for anybody else: nearly all of them, so it takes no detour. */
const isPlain = ({ outcome, report, sender }: Result): boolean =>
  outcome.event === 'accepted' &&
  report?.status === 'sent' &&
  report.refused === undefined &&
  sender.cooldowns === 0;

type Settle = Store['settle'];

/** Guarded mail is settled by statements of its own, in groups of its own; and so are notifications. */
interface ResultWriter {
  readonly results: PatientWriter<SettleEntry, boolean>;
  readonly refused: RefusedResults;
}

/**
 * Writes outcomes: consequences first, so that a crash in between can only repeat them, then the settlement. A result
 * is a fact, and is kept while the process lives, whatever the database says to it.
 */
export class Settler {
  readonly #pauses = new Pauses();
  readonly #plain: ResultWriter;
  readonly #guarded: ResultWriter;
  readonly #notified: readonly ResultWriter[];
  readonly #consequences: Consequences;
  readonly #late: LateReplies;

  constructor(
    private readonly store: Store,
    private readonly counters: Counters,
    private readonly worker: string,
    leaseMs: number,
    private readonly log: Logger,
  ) {
    const outage = new OutageLog(
      log,
      'could not store results; trying again',
      'results can be stored again; none was lost',
    );
    const writer = (settle: Settle): ResultWriter => {
      const results = new PatientWriter(settle, this.#pauses, outage);
      return { results, refused: new RefusedResults(results, this.#pauses, counters, log) };
    };
    this.#plain = writer((entries) => store.settle(entries));
    this.#guarded = writer((entries) => store.settleGuarded(entries));
    this.#notified = [false, true].map((guarded) =>
      writer((entries) => store.settleNotified(entries, guarded)),
    );
    this.#consequences = new Consequences(store, this.#pauses, log);
    this.#late = new LateReplies(store, this.#pauses, leaseMs, log);
  }

  /** How many results the database refuses in every form. */
  get unstored(): number {
    return [this.#plain, this.#guarded, ...this.#notified].reduce(
      (sum, { refused }) => sum + refused.kept,
      0,
    );
  }

  /** Resolves when it is written, or the lease turned out to be lost. Never gives up a fact before it is abandoned. */
  async settle(result: Result): Promise<void> {
    if (!isPlain(result)) await this.#consequences.of(result);
    const entry = settlementOf(result, this.worker);
    const { results, refused } = this.#writerOf(result);
    let ours: boolean | undefined;
    try {
      ours = await results.write(entry);
    } catch (error) {
      ours = await refused.write(entry, error);
    }
    this.#conclude(result, ours);
  }

  /** For what can be judged anew: throws if the database refuses it, also without its texts. */
  async settleLost(result: Result): Promise<void> {
    await this.#consequences.of(result);
    const entry = settlementOf(result, this.worker);
    const { results } = this.#writerOf(result);
    const ours = await results.write(entry).catch(() => results.writeAlone(bareOf(entry)));
    this.#conclude(result, ours);
  }

  #writerOf({ message }: Result): ResultWriter {
    if (message.subscriptionId === null) return message.guarded ? this.#guarded : this.#plain;
    return this.#notified[message.guarded ? 1 : 0] as ResultWriter;
  }

  /** What came too late has one more try. */
  lastWords(): Promise<void> {
    return this.#late.lastTries();
  }

  /** The process is about to end: stop insisting on a store that does not answer. Leases run out by themselves. */
  abandon(): void {
    this.#pauses.end();
  }

  #conclude(result: Result, ours: boolean | undefined): void {
    if (ours) this.counters.settled(result);
    if (ours && result.message.sequenceId !== null) void endThoseBehind(this.store, result, this.log);
    if (ours !== false) return;
    this.counters.leaseLost(1);
    const { message, lease, report } = result;
    // A definite reply still resolves the doubt that our lease left behind.
    if (report && report.status !== 'in_doubt') {
      this.#late.take({ id: message.id, lease, left: report.status === 'sent' });
    }
  }
}
