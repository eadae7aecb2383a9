import { deal } from '../core/deal.js';
import type { Logger } from '../log.js';
import type { Claim, OpenChannel, Store } from '../store/store.js';

export interface ClaimerPorts {
  readonly store: Store;
  readonly owner: string;
  readonly log: Logger;
  /** How many more messages the worker wants in all, and of one account. */
  room(): number;
  roomOf(accountId: number): number;
  /** Whether a message that must be alone may be taken now. */
  mayTakeAlone(): boolean;
  accept(claim: Claim, seconds: number): Promise<void>;
}

/** How often to look without being woken; stretched if looking is expensive. */
const LOOK_MS = 250;
const LOOK_COST_FACTOR = 20;
const FAILURE_MS = 500;
const AWAKE = () => undefined;

/**
 * Draws work out of the queue: knows which channels have something to do, deals turns over them, and sleeps
 * until it is woken or it is time to look again. A blocked account is never visited.
 */
export class Claimer {
  readonly #open = new Map<number, OpenChannel>();
  /** Every channel ever seen, so that a wake-up that names one can be claimed from at once. */
  readonly #known = new Map<number, OpenChannel>();
  readonly #woken = new Set<number>();
  #mustLook = true;
  #lookAt = 0;
  #turn = 0;
  #running = true;
  #wake: () => void = AWAKE;

  constructor(private readonly ports: ClaimerPorts) {}

  /** A channel may have something; undefined: look everywhere. */
  woken(channelId: number | undefined): void {
    if (channelId === undefined || !this.#known.has(channelId)) this.#mustLook = true;
    else this.#woken.add(channelId);
    this.#wake();
  }

  /** There is room again. */
  roomMade(): void {
    this.#wake();
  }

  stop(): void {
    this.#running = false;
    this.#wake();
  }

  async run(): Promise<void> {
    while (this.#running) {
      try {
        if (!(await this.turn())) await this.#sleep();
      } catch (error) {
        this.ports.log.warn({ err: error }, 'could not claim; trying again');
        this.#mustLook = true;
        await this.#rest(FAILURE_MS);
      }
    }
  }

  /** One claim. False: there is nothing to take now, or no room for it. */
  async turn(): Promise<boolean> {
    await this.#look();
    return (await this.#claimAlone()) || (await this.#claimTogether());
  }

  async #look(): Promise<void> {
    for (const id of this.#woken) {
      const channel = this.#known.get(id);
      if (channel) this.#open.set(id, { ...channel, together: true });
    }
    this.#woken.clear();
    if (!this.#mustLook && performance.now() < this.#lookAt) return;
    this.#mustLook = false;
    const started = performance.now();
    const channels = await this.ports.store.openChannels();
    this.#open.clear();
    for (const channel of channels) {
      this.#open.set(channel.id, channel);
      this.#known.set(channel.id, channel);
    }
    const cost = performance.now() - started;
    this.#lookAt = performance.now() + Math.max(LOOK_MS, cost * LOOK_COST_FACTOR);
  }

  async #claimTogether(): Promise<boolean> {
    const { ports } = this;
    const room = ports.room();
    if (room <= 0) return false;
    const candidates = [...this.#open.values()].filter(
      (channel) => channel.together && ports.roomOf(channel.accountId) > 0,
    );
    if (candidates.length === 0) return false;
    const shares = deal(candidates, room, this.#turn).map(({ channelId, limit }) => ({
      channelId,
      limit: Math.min(limit, ports.roomOf(this.#open.get(channelId)?.accountId ?? 0)),
    }));
    this.#turn += 1;
    const taken = await this.#claim(shares, false);
    // Who gave less than it was asked for has no more; it is found again by a wake-up or the next look.
    for (const { channelId, limit } of shares) {
      if ((taken.get(channelId) ?? 0) < limit) this.#open.delete(channelId);
    }
    return true;
  }

  /** One at a time: if the worker dies now, it is this message's doing. */
  async #claimAlone(): Promise<boolean> {
    if (!this.ports.mayTakeAlone()) return false;
    const channel = [...this.#open.values()].find(({ alone }) => alone);
    if (!channel) return false;
    const taken = await this.#claim([{ channelId: channel.id, limit: 1 }], true);
    if (taken.size === 0) this.#open.set(channel.id, { ...channel, alone: false });
    return true;
  }

  async #claim(
    shares: readonly { channelId: number; limit: number }[],
    alone: boolean,
  ): Promise<ReadonlyMap<number, number>> {
    const started = performance.now();
    const claim = await this.ports.store.claim({ owner: this.ports.owner, shares, alone });
    const taken = new Map<number, number>();
    if (!claim) return taken;
    for (const { channelId } of claim.messages) taken.set(channelId, (taken.get(channelId) ?? 0) + 1);
    await this.ports.accept(claim, (performance.now() - started) / 1_000);
    return taken;
  }

  #sleep(ms = Math.max(1, this.#lookAt - performance.now())): Promise<void> {
    return this.#mustLook || this.#woken.size > 0 ? Promise.resolve() : this.#rest(ms);
  }

  #rest(ms: number): Promise<void> {
    if (!this.#running) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#wake = AWAKE;
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }
}
