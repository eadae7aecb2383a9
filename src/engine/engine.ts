import { OutageLog, type Logger } from '../log/log.js';
import type { Claim, Store } from '../store/store.js';
import { Backlog, isUrgent } from './backlog.js';
import { Claimer, type Source } from './claimer.js';
import type { Totals } from './counters.js';
import type { Deliveries } from './deliveries.js';
import type { DeliveryListener } from './delivery.js';
import { Direct } from './direct.js';
import type { Dispatch } from './dispatch.js';
import { letFollow } from './followers.js';
import type { Heartbeat } from './heartbeat.js';
import { Intake } from './intake.js';
import type { Leased } from './leased.js';
import { recover } from './recovery.js';
import { guarded, unguarded } from './sources.js';
import { Sweeper } from './sweeper.js';

/** A broker that tells a worker what to look at. */
export interface Dispatcher {
  readonly deliveries: Deliveries;
  /** How late something must be to be claimed without it. 0: never. */
  readonly directAfterMs: number;
}

export interface EngineOptions {
  readonly store: Store;
  readonly dispatch: Dispatch;
  /** Sends at once. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly retentionMs: number;
  /** Told what to look at by a broker; without one it looks by itself. */
  readonly dispatcher?: Dispatcher | undefined;
  /** Without one it works unseen. */
  readonly heartbeat?: Heartbeat | undefined;
  /** What front doors want done every second, beside the chores of the queue. */
  readonly chores?: readonly (() => Promise<void>)[] | undefined;
  readonly log: Logger;
}

const CHORES_EVERY_MS = 1_000;
/** How often to look who has fallen silent. */
const LISTEN_EVERY_MS = 500;

/**
 * One worker: claims, delivers, settles; recovers what others lost; and stops without losing anything. Each part
 * is a file of its own, this one only connects them.
 */
export class Engine {
  readonly #dispatch: Dispatch;
  readonly #backlog: Backlog<Leased>;
  readonly #claimer: Claimer;
  /** It, and those of guarded mail. */
  readonly #claimers: readonly Claimer[];
  readonly #direct: Direct | undefined;
  readonly #intake: Intake | undefined;
  readonly #sweeper: Sweeper;
  readonly #troubles: OutageLog;
  #loneInFlight = 0;
  #claiming: Promise<unknown> | undefined;
  #chores: Promise<void> | undefined;
  #choresTimer: NodeJS.Timeout | undefined;
  #listening: NodeJS.Timeout | undefined;

  constructor(private readonly options: EngineOptions) {
    const { store, dispatch, log } = options;
    this.#dispatch = dispatch;
    this.#backlog = new Backlog(options.concurrency);
    this.#troubles = new OutageLog(log, 'a chore failed; it is tried again', 'chores are done again');
    this.#sweeper = new Sweeper(store, options.retentionMs, log);
    this.#intake = options.dispatcher && this.#intakeOf(options.dispatcher.deliveries);
    this.#direct =
      options.dispatcher &&
      new Direct({
        store,
        afterMs: options.dispatcher.directAfterMs,
        starvedMs: () => this.#intake?.starvedMs ?? Infinity,
      });
    this.#claimer = this.#claimerOf(this.#direct ?? unguarded(store));
    this.#claimers = [
      this.#claimer,
      this.#claimerOf(guarded(store, 'account')),
      this.#claimerOf(guarded(store, 'recipient')),
    ];
  }

  #intakeOf(deliveries: Deliveries): Intake {
    const { store, dispatch, leaseMs, log } = this.options;
    return new Intake({
      ...{ store, deliveries, log, owner: dispatch.worker },
      // A mark lasts as long as a lease: what has waited for half of it is not begun any more.
      holdMs: leaseMs / 2,
      roomOf: (channel) => (dispatch.mayTake ? this.#backlog.room(channel, isUrgent(channel)) : 0),
      claimSize: (urgent, room) => (dispatch.mayTake ? this.#backlog.claimSize(urgent, room) : 0),
      accept: (claim, seconds) => this.#accept(claim, seconds),
      judged: (verdict, count) => dispatch.counters.delivered(verdict, count),
    });
  }

  #claimerOf(source: Source): Claimer {
    const { dispatch, log } = this.options;
    return new Claimer({
      source,
      owner: dispatch.worker,
      log,
      roomOf: (channel) => (dispatch.mayTake ? this.#backlog.room(channel, isUrgent(channel)) : 0),
      claimSize: (urgent, room) => this.#backlog.claimSize(urgent, room),
      mayTakeAlone: () => dispatch.mayTake && this.#loneInFlight === 0,
      hasSilent: (channel) => this.#backlog.hasSilent(channel),
      accept: (claim, seconds) => {
        if (source === this.#direct && !claim.alone) dispatch.counters.claimedDirectly(claim.messages.length);
        return this.#accept(claim, seconds);
      },
    });
  }

  get totals(): Readonly<Totals> {
    return this.#dispatch.counters.totals;
  }

  async start(): Promise<void> {
    const { store } = this.options;
    store.onWake((channelId) => {
      // Where a relay is alive, it is the one to be woken.
      if (this.#direct?.takesAll !== false) this.#claimer.woken(channelId);
    });
    await store.listen();
    this.options.heartbeat?.start();
    this.#intake?.start();
    this.#claiming = Promise.all(this.#claimers.map((each) => each.run()));
    this.#listening = setInterval(() => this.#freeSilent(), LISTEN_EVERY_MS).unref();
    this.#planChores(0);
  }

  /** Stops claiming; what has not begun goes back with all else that `Dispatch.stop` hands back. */
  async stop(): Promise<void> {
    if (this.#dispatch.stopping) return;
    for (const each of this.#claimers) each.stop();
    clearTimeout(this.#choresTimer);
    clearInterval(this.#listening);
    const unbegun = async () => {
      await this.#intake?.stop();
      await this.#claiming;
      return this.#backlog.drain();
    };
    await Promise.all([
      this.options.heartbeat?.stop(),
      this.#intake?.close(),
      this.#dispatch.stop(unbegun, this.#chores),
    ]);
  }

  async #accept(claim: Claim, seconds: number): Promise<void> {
    const taken = await this.#dispatch.take(claim);
    this.#dispatch.counters.claimed(taken.length, seconds);
    if (claim.alone) this.#loneInFlight += taken.length;
    for (const leased of taken) this.#backlog.add(leased);
    this.#startWhatMay();
  }

  #startWhatMay(): void {
    if (this.#dispatch.stopping) return;
    for (let next = this.#backlog.take(); next; next = this.#backlog.take()) {
      void this.#dispatch.deliver(next, this.#listener);
    }
  }

  readonly #listener: DeliveryListener = {
    answered: (leased) => {
      this.#backlog.answered(leased);
      if (this.#backlog.mayGoOn(leased)) this.#startWhatMay();
    },
    over: (leased) => {
      this.#backlog.finished(leased);
      if (leased.alone) this.#loneInFlight -= 1;
      this.#intake?.finished(leased.message.id, leased.message.attempts + 1);
      this.#startWhatMay();
      if (this.#somebodyWaits() && this.#backlog.wantsMore(leased)) this.#roomMade();
    },
  };

  /** For room to claim into: looking who waits costs every mail less than looking whether there is room. */
  #somebodyWaits(): boolean {
    return this.#intake !== undefined || this.#claimers.some(waitsForRoom);
  }

  #roomMade(): void {
    for (const each of this.#claimers) each.roomMade();
    this.#intake?.roomMade();
  }

  #freeSilent(): void {
    if (!this.#backlog.freeSilent()) return;
    this.#startWhatMay();
    this.#roomMade();
  }

  #planChores(ms: number): void {
    this.#choresTimer = setTimeout(() => {
      this.#chores = this.#doChores().finally(() => {
        if (!this.#dispatch.stopping) this.#planChores(Math.min(CHORES_EVERY_MS, this.options.leaseMs / 4));
      });
    }, ms).unref();
  }

  async #doChores(): Promise<void> {
    const { store, log } = this.options;
    const { worker, senders, settler, renewer, ports } = this.#dispatch;
    try {
      const recovery = { ...ports, worker, store, log, senders, settler, renewer };
      while (!this.#dispatch.stopping && (await recover(recovery)) > 0);
      await letFollow(store);
      await this.#sweeper.sweep();
      for (const chore of this.options.chores ?? []) await chore();
      this.#troubles.worked();
    } catch (error) {
      this.#troubles.failed(error);
    }
  }
}

const waitsForRoom = (claimer: Claimer): boolean => claimer.waitsForRoom;
