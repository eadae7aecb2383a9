import type { Logger } from '../log/log.js';
import type { Claim, Store } from '../store/store.js';
import { Claimer, type Source } from './claimer.js';
import { guarded, unguarded } from './sources.js';
import { countEnd, noEnds, type Ends } from './counters.js';
import type { Dispatch } from './dispatch.js';
import { letFollow } from './followers.js';
import type { Leased } from './leased.js';
import { recover } from './recovery.js';
import { SILENT_MS, Slots } from './slots.js';
import type { Sweeper } from './sweeper.js';

export interface PassOptions {
  readonly store: Store;
  readonly dispatch: Dispatch;
  readonly log: Logger;
  /** Sends at once. */
  readonly concurrency: number;
  /** How many messages to take at most. */
  readonly limit: number;
  /** How long to take new ones, and how long to wait for the last of them. */
  readonly claimMs: number;
  readonly waitMs: number;
}

/** What one pass did. What had not ended when its time was over is among `claimed` only, and goes on. */
export interface PassReport extends Ends {
  claimed: number;
}

const RECOVERY_ROUNDS = 20;

/**
 * One bounded round of a worker's work, for places where nothing but a timer can be had: what others lost is taken
 * over, what is due is claimed, sent and settled. Safe beside workers and beside itself: a claim is for one alone.
 */
export async function makePass(options: PassOptions & { readonly sweeper: Sweeper }): Promise<PassReport> {
  const { store, dispatch, sweeper, log } = options;
  const { ports, worker, senders, settler, renewer } = dispatch;
  const recovery = { ...ports, worker, store, log, senders, settler, renewer };
  for (let round = 0; round < RECOVERY_ROUNDS && (await recover(recovery)) > 0; round += 1);
  await letFollow(store);
  await sweeper.sweep();
  return sendDue(options, [unguarded(store), guarded(store), guarded(store, 'recipient')]);
}

/** Its heart alone: what is due in these parts of the queue is claimed, sent and settled. */
export const sendDue = (options: PassOptions, sources: readonly Source[]): Promise<PassReport> =>
  new Pass(options, sources).run();

class Pass {
  readonly #report: PassReport = { claimed: 0, ...noEnds() };
  readonly #claimers: readonly Claimer[];
  readonly #slots: Slots<Leased>;
  #loneInFlight = 0;
  #ended: () => void = () => undefined;

  constructor(
    private readonly options: PassOptions,
    sources: readonly Source[],
  ) {
    this.#slots = new Slots(options.concurrency);
    this.#claimers = sources.map((source) => this.#claimerOf(source));
  }

  #claimerOf(source: Source): Claimer {
    const { dispatch, log } = this.options;
    return new Claimer({
      source,
      owner: dispatch.worker,
      log,
      roomOf: (channel) => (dispatch.mayTake ? this.#slots.room(channel) : 0),
      claimSize: (_, room) => Math.min(this.#slots.startable(room), this.#left),
      mayTakeAlone: () => dispatch.mayTake && this.#loneInFlight === 0,
      hasSilent: (channel) => this.#slots.hasSilent(channel),
      accept: (claim, seconds) => this.#accept(claim, seconds),
    });
  }

  async run(): Promise<PassReport> {
    const { dispatch, claimMs, waitMs } = this.options;
    const began = performance.now();
    const untilClaimed = began + claimMs;
    const untilOver = untilClaimed + waitMs;
    while (!dispatch.stopping && this.#left > 0 && performance.now() < untilClaimed) {
      if (await this.#claimSome()) continue;
      // Nothing more is due, unless one that must be alone waits for the one before it, or one for a slot.
      if (this.#slots.free > 0 && this.#loneInFlight === 0) break;
      await this.#oneEnded(Math.min(untilClaimed, performance.now() + SILENT_MS));
      this.#slots.freeSilent();
    }
    while (this.#slots.size > 0 && performance.now() < untilOver) await this.#oneEnded(untilOver);
    return { ...this.#report };
  }

  async #claimSome(): Promise<boolean> {
    for (const claimer of this.#claimers) if (await claimer.turn()) return true;
    return false;
  }

  get #left(): number {
    return this.options.limit - this.#report.claimed;
  }

  async #accept(claim: Claim, seconds: number): Promise<void> {
    const { dispatch } = this.options;
    const taken = await dispatch.take(claim);
    dispatch.counters.claimed(taken.length, seconds);
    this.#report.claimed += taken.length;
    if (claim.alone) this.#loneInFlight += taken.length;
    for (const leased of taken) {
      // What is urgent was claimed before; nothing comes later that a slot would have to be left to.
      this.#slots.start(leased, leased.sender, false);
      void this.#deliver(leased);
    }
  }

  async #deliver(leased: Leased): Promise<void> {
    const outcome = await this.options.dispatch.deliver(leased, () => this.#slots.answered(leased));
    if (outcome) countEnd(this.#report, outcome.event);
    this.#slots.end(leased);
    if (leased.alone) this.#loneInFlight -= 1;
    this.#ended();
  }

  #oneEnded(deadline: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, deadline - performance.now());
      this.#ended = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
