import { deal } from '../core/deal.js';
import { OutageLog, type Logger } from '../log/log.js';
import type { Claim, ClaimRequest, OpenChannel } from '../store/store.js';
import { isUrgent } from './backlog.js';

/** What a claimer draws from: the unguarded part of the queue, or the guarded one. */
export interface Source<Channel extends OpenChannel = OpenChannel> {
  /** In the log. */
  readonly what: string;
  /** How often to look without being woken, at least. */
  readonly lookMs: number;
  /** Which channels have something to do now. */
  open(): Promise<readonly Channel[]>;
  /** What must be done before some of them can be claimed from. It is work, and makes looking no dearer. */
  prepare?(found: readonly Channel[]): Promise<readonly Channel[]>;
  claim(request: ClaimRequest): Promise<Claim | undefined>;
}

export interface ClaimerPorts {
  readonly source: Source;
  readonly owner: string;
  readonly log: Logger;
  /** How many more messages of one account the worker wants. */
  roomOf(channel: OpenChannel): number;
  /** And how many in one claim, when those who may be asked have so much room together. */
  claimSize(urgent: boolean, room: number): number;
  /** Whether a message that must be alone may be taken now. */
  mayTakeAlone(): boolean;
  /** Whether the server of its account keeps this worker waiting. */
  hasSilent(channel: OpenChannel): boolean;
  accept(claim: Claim, seconds: number): Promise<void>;
}

/** Looking is stretched if it is expensive. */
const LOOK_COST_FACTOR = 20;
const FAILURE_MS = 500;
/** More channels than this are not remembered; one that was forgotten is found by looking. */
const MOST_KNOWN = 10_000;
const AWAKE = () => undefined;

/**
 * Draws work out of the queue: knows which channels have something to do, deals turns over them, and sleeps
 * until it is woken or it is time to look again. A blocked account is never visited.
 */
export class Claimer {
  readonly #open = new Map<number, OpenChannel>();
  /** Channels seen before, so that a wake-up that names one can be claimed from at once. */
  readonly #known = new Map<number, OpenChannel>();
  readonly #woken = new Set<number>();
  #mustLook = true;
  #lookAt = 0;
  #turn = 0;
  #running = true;
  #wake: () => void = AWAKE;
  /** Ends a rest after a failure, which only stopping may. */
  #release: () => void = AWAKE;

  readonly #troubles: OutageLog;

  constructor(private readonly ports: ClaimerPorts) {
    this.#troubles = new OutageLog(
      ports.log,
      `could not claim ${ports.source.what}; trying again`,
      `claims of ${ports.source.what} work again`,
    );
  }

  /** A channel may have something; undefined: look everywhere. */
  woken(channelId: number | undefined): void {
    if (channelId === undefined || !this.#known.has(channelId)) this.#mustLook = true;
    else this.#woken.add(channelId);
    this.#wake();
  }

  /** Whether it sleeps although it knows of something to take. Asked for every mail. */
  get waitsForRoom(): boolean {
    return this.#wake !== AWAKE && this.#open.size > 0;
  }

  /** There is room again; whoever knows of nothing to put there sleeps on. */
  roomMade(): void {
    if (this.#open.size > 0) this.#wake();
  }

  stop(): void {
    this.#running = false;
    this.#wake();
    this.#release();
  }

  async run(): Promise<void> {
    while (this.#running) {
      try {
        const took = await this.turn();
        this.#troubles.worked();
        if (!took) await this.#sleep();
      } catch (error) {
        this.#troubles.failed(error);
        this.#mustLook = true;
        await this.#recover();
      }
    }
  }

  /** One claim. False: there is nothing to take now, or no room for it. */
  async turn(): Promise<boolean> {
    await this.#look();
    return (
      (await this.#claimAlone()) || (await this.#claimTogether(true)) || (await this.#claimTogether(false))
    );
  }

  async #look(): Promise<void> {
    for (const id of this.#woken) {
      const channel = this.#known.get(id);
      if (channel) this.#open.set(id, { ...channel, together: true });
    }
    this.#woken.clear();
    if (!this.#mustLook && performance.now() < this.#lookAt) return;
    this.#mustLook = false;
    const { source } = this.ports;
    const started = performance.now();
    const found = await source.open();
    const cost = performance.now() - started;
    const channels = (await source.prepare?.(found)) ?? found;
    this.#open.clear();
    if (this.#known.size > MOST_KNOWN) this.#known.clear();
    for (const channel of channels) {
      this.#open.set(channel.id, channel);
      this.#known.set(channel.id, channel);
    }
    this.#lookAt = performance.now() + Math.max(source.lookMs, cost * LOOK_COST_FACTOR);
  }

  /** What is urgent is claimed first, and whatever waits in bulk. */
  async #claimTogether(urgent: boolean): Promise<boolean> {
    const { ports } = this;
    const rooms = new Map<number, number>();
    const candidates = [...this.#open.values()].filter((channel) => {
      if (!channel.together || isUrgent(channel) !== urgent) return false;
      const room = ports.roomOf(channel);
      if (room > 0) rooms.set(channel.id, room);
      return room > 0;
    });
    if (candidates.length === 0) return false;
    const size = ports.claimSize(urgent, sumOf(rooms.values()));
    if (size <= 0) return false;
    const shares = deal(candidates, size, this.#turn).map(({ channelId, limit }) => ({
      channelId,
      limit: Math.min(limit, rooms.get(channelId) ?? 0),
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
    const { ports } = this;
    if (!ports.mayTakeAlone()) return false;
    const candidates = [...this.#open.values()].filter(
      (channel) => channel.alone && ports.roomOf(channel) > 0,
    );
    // The next one waits for its end: what goes to a server that hangs comes last.
    const channel = candidates.find((each) => !ports.hasSilent(each)) ?? candidates[0];
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
    const claim = await this.ports.source.claim({ owner: this.ports.owner, shares, alone });
    const taken = new Map<number, number>();
    if (!claim) return taken;
    for (const { channelId } of claim.messages) taken.set(channelId, (taken.get(channelId) ?? 0) + 1);
    await this.ports.accept(claim, (performance.now() - started) / 1_000);
    return taken;
  }

  #sleep(ms = Math.max(1, this.#lookAt - performance.now())): Promise<void> {
    return this.#mustLook || this.#woken.size > 0 ? Promise.resolve() : this.#rest(ms);
  }

  /** A wake-up does not end it: whoever wakes it in an outage would have it knock at once, each time anew. */
  #recover(): Promise<void> {
    if (!this.#running) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, FAILURE_MS);
      this.#release = () => {
        clearTimeout(timer);
        resolve();
      };
    });
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

function sumOf(numbers: Iterable<number>): number {
  let sum = 0;
  for (const each of numbers) sum += each;
  return sum;
}
