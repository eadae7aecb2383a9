import type { Logger } from '../log.js';
import type { Claim, Store } from '../store/store.js';
import { Claimer } from './claimer.js';
import { countEnd, noEnds, type Ends } from './counters.js';
import type { Listener } from './delivery.js';
import type { Dispatch } from './dispatch.js';
import { recover } from './recovery.js';
import type { Sweeper } from './sweeper.js';

export interface PassOptions {
  readonly store: Store;
  readonly dispatch: Dispatch;
  readonly sweeper: Sweeper;
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
export async function makePass(options: PassOptions): Promise<PassReport> {
  const { store, dispatch, sweeper, log } = options;
  const { ports, senders, settler, renewer } = dispatch;
  const recovery = { ...ports, store, log, senders, settler, renewer };
  for (let round = 0; round < RECOVERY_ROUNDS && (await recover(recovery)) > 0; round += 1);
  await sweeper.sweep();
  return new Pass(options).run();
}

class Pass {
  readonly #report: PassReport = { claimed: 0, ...noEnds() };
  readonly #claimer: Claimer;
  #inFlight = 0;
  #loneInFlight = 0;
  #ended: () => void = () => undefined;

  constructor(private readonly options: PassOptions) {
    const { store, dispatch, log } = options;
    this.#claimer = new Claimer({
      store,
      owner: dispatch.worker,
      log,
      room: () => this.#room(),
      roomOf: () => this.#room(),
      mayTakeAlone: () => this.#loneInFlight === 0 && this.#room() > 0,
      accept: (claim, seconds) => this.#accept(claim, seconds),
    });
  }

  async run(): Promise<PassReport> {
    const { dispatch, claimMs, waitMs, limit } = this.options;
    const began = performance.now();
    const untilClaimed = began + claimMs;
    const untilOver = untilClaimed + waitMs;
    while (!dispatch.stopping && this.#report.claimed < limit && performance.now() < untilClaimed) {
      if (this.#room() > 0 && (await this.#claimer.turn())) continue;
      // Nothing more is due, unless one that must be alone waits for the one before it.
      if (this.#room() > 0 && this.#loneInFlight === 0) break;
      await this.#oneEnded(untilClaimed);
    }
    while (this.#inFlight > 0 && performance.now() < untilOver) await this.#oneEnded(untilOver);
    return { ...this.#report };
  }

  #room(): number {
    const { concurrency, limit } = this.options;
    return Math.min(concurrency - this.#inFlight, limit - this.#report.claimed);
  }

  async #accept(claim: Claim, seconds: number): Promise<void> {
    const { dispatch } = this.options;
    const held = await dispatch.take(claim);
    dispatch.counters.claimed(held.length, seconds);
    this.#report.claimed += held.length;
    this.#inFlight += held.length;
    if (claim.alone) this.#loneInFlight += held.length;
    for (const one of held) dispatch.begin(one, this.#listener);
  }

  readonly #listener: Listener = {
    over: ({ held: { message, alone } }, { outcome, failure }) => {
      if (failure !== undefined) {
        const { log } = this.options;
        log.error({ err: failure, message: message.id }, 'a delivery failed; its lease will run out');
      }
      if (outcome) countEnd(this.#report, outcome.event);
      this.#inFlight -= 1;
      if (alone) this.#loneInFlight -= 1;
      this.#ended();
    },
  };

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
