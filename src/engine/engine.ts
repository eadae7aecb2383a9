import type { Logger } from '../log.js';
import type { Claim, Store } from '../store/store.js';
import { Backlog } from './backlog.js';
import { Claimer } from './claimer.js';
import type { Tally } from './counters.js';
import type { Held, Listener } from './delivery.js';
import type { Dispatch } from './dispatch.js';
import type { Heartbeat } from './heartbeat.js';
import { recover } from './recovery.js';
import { Sweeper } from './sweeper.js';

export interface EngineOptions {
  readonly store: Store;
  readonly dispatch: Dispatch;
  /** Sends at once. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly retentionMs: number;
  /** Without one it works unseen. */
  readonly heartbeat?: Heartbeat | undefined;
  readonly log: Logger;
}

const CHORES_EVERY_MS = 1_000;

/**
 * One worker: claims, delivers, settles; recovers what others lost; and stops without losing anything. Each part
 * is a file of its own, this one only connects them.
 */
export class Engine {
  readonly #dispatch: Dispatch;
  readonly #backlog: Backlog<Held>;
  readonly #claimer: Claimer;
  readonly #sweeper: Sweeper;
  #loneInFlight = 0;
  #claiming: Promise<void> | undefined;
  #chores: Promise<void> | undefined;
  #choresTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: EngineOptions) {
    const { store, dispatch, log } = options;
    this.#dispatch = dispatch;
    this.#backlog = new Backlog(options.concurrency);
    this.#sweeper = new Sweeper(store, options.retentionMs, log);
    this.#claimer = new Claimer({
      store,
      owner: dispatch.worker,
      log,
      room: () => (dispatch.stopping ? 0 : this.#backlog.roomForAll),
      roomOf: (accountId) => this.#backlog.room(accountId),
      mayTakeAlone: () => this.#loneInFlight === 0 && this.#backlog.roomForAll > 0,
      accept: (claim, seconds) => this.#accept(claim, seconds),
    });
  }

  get tally(): Readonly<Tally> {
    return this.#dispatch.counters.tally;
  }

  async start(): Promise<void> {
    const { store } = this.options;
    store.onWake((channelId) => {
      this.#claimer.woken(channelId);
    });
    await store.listen();
    this.options.heartbeat?.start();
    this.#claiming = this.#claimer.run();
    this.#planChores(0);
  }

  /** Stops claiming; what has not begun goes back with all else that `Dispatch.stop` hands back. */
  async stop(): Promise<void> {
    if (this.#dispatch.stopping) return;
    this.#claimer.stop();
    clearTimeout(this.#choresTimer);
    const unbegun = async () => {
      await this.#claiming;
      return this.#backlog.drain();
    };
    await Promise.all([this.options.heartbeat?.stop(), this.#dispatch.stop(unbegun, this.#chores)]);
  }

  async #accept(claim: Claim, seconds: number): Promise<void> {
    const held = await this.#dispatch.take(claim);
    this.#dispatch.counters.claimed(held.length, seconds);
    if (claim.alone) this.#loneInFlight += held.length;
    for (const one of held) this.#backlog.add(one.sender.accountId, one.sender.transport.capacity, one);
    this.#startWhatMay();
  }

  #startWhatMay(): void {
    if (this.#dispatch.stopping) return;
    for (let held = this.#backlog.take(); held; held = this.#backlog.take()) {
      this.#dispatch.begin(held, this.#listener);
    }
  }

  readonly #listener: Listener = {
    sent: ({ held }) => {
      this.#backlog.sent(held.sender.accountId);
      this.#startWhatMay();
    },
    over: ({ held: { message, alone } }, { failure }) => {
      if (failure !== undefined) {
        const { log } = this.options;
        log.error({ err: failure, message: message.id }, 'a delivery failed; its lease will run out');
      }
      this.#backlog.finished();
      if (alone) this.#loneInFlight -= 1;
      this.#startWhatMay();
      if (this.#backlog.roomForAll > 0) this.#claimer.roomMade();
    },
  };

  #planChores(ms: number): void {
    this.#choresTimer = setTimeout(() => {
      this.#chores = this.#doChores().finally(() => {
        if (!this.#dispatch.stopping) this.#planChores(Math.min(CHORES_EVERY_MS, this.options.leaseMs / 4));
      });
    }, ms).unref();
  }

  async #doChores(): Promise<void> {
    const { store, log } = this.options;
    const { senders, settler, renewer, ports } = this.#dispatch;
    try {
      const recovery = { ...ports, store, log, senders, settler, renewer };
      while (!this.#dispatch.stopping && (await recover(recovery)) > 0);
      await this.#sweeper.sweep();
    } catch (error) {
      log.warn({ err: error }, 'a chore failed; it is tried again');
    }
  }
}
