import { deal } from '../core/deal.js';
import { formatId } from '../core/ids.js';
import { LineBudget } from '../log/line-budget.js';
import { OutageLog, type Logger } from '../log/log.js';
import { readChannels, type WorkedChannel } from '../store/scripts/channels.js';
import type { Claim, Store } from '../store/store.js';
import { isUrgent } from './backlog.js';
import type { Deliveries, Notice, Taker } from './deliveries.js';
import { AllInHand, type InHand } from './in-hand.js';
import { Trays, type Waiting } from './trays.js';

/** What became of a delivery. */
export type Verdict = 'claimed' | 'dropped' | 'copy' | 'given_back' | 'rejected';

export interface IntakePorts {
  readonly store: Store;
  readonly deliveries: Deliveries;
  readonly owner: string;
  readonly log: Logger;
  /** What could not be begun in so long goes back, so that somebody else may have it. */
  readonly holdMs: number;
  /** What is in hand for so long is acknowledged early. */
  readonly longestInHandMs?: number | undefined;
  /** How many more messages of one account the worker wants. */
  roomOf(channel: WorkedChannel): number;
  /** And how many in one claim, when those who may be asked have so much room together. */
  claimSize(urgent: boolean, room: number): number;
  accept(claim: Claim, seconds: number): Promise<void>;
  judged(verdict: Verdict, count: number): void;
}

const FAILURE_MS = 500;
const IDLE_MS = 1_000;
/** Of those whose account nobody named, so many are claimed at once. */
const UNNAMED_AT_ONCE = 50;
/** A broker closes the channel of who keeps a delivery for long; what is leased needs none to be safe. */
const LONGEST_IN_HAND_MS = 5 * 60_000;
const MOST_KNOWN = 10_000;
/**
 * While deliveries flow, a few are not worth a lease, a gate and a settlement of their own yet: the rest of what was
 * published together is on its way. Whoever comes alone, or is the only one of its account, is claimed at once.
 */
const FEW = 200;
const GATHER_MS = 5;
const FLOWING_MS = 100;

/**
 * A worker's other mouth: what is delivered waits unclaimed in trays, by channel; turns are dealt over those that have
 * room, and each group is claimed by its ids. From there on it goes the way of every claim, and is acknowledged when it
 * is settled. A paused or crowded account holds up nobody: its deliveries wait in a tray of their own.
 */
export class Intake implements Taker {
  readonly #trays = new Trays();
  readonly #inHand = new AllInHand();
  readonly #channels = new Map<number, WorkedChannel | undefined>();
  readonly #troubles: OutageLog;
  readonly #budget = new LineBudget();
  #turn = 0;
  #arrivedTick = performance.now();
  #lastClaimTick = -Infinity;
  #isAway = false;
  #running = true;
  #loop: Promise<void> | undefined;
  #upkeep: NodeJS.Timeout | undefined;
  /** Something has happened since the loop last looked. */
  #roused = false;
  /** What waits is not to wait for company. */
  #hurried = false;
  #gathered: () => void = () => undefined;
  #wake: () => void = () => undefined;

  constructor(private readonly ports: IntakePorts) {
    this.#troubles = new OutageLog(
      ports.log,
      'could not claim what was delivered; nothing is taken from the broker until that works',
      'what is delivered can be claimed again',
    );
  }

  /** For how long nothing was delivered; 0 while something waits to be looked at. */
  get starvedMs(): number {
    return this.#trays.waiting > 0 ? 0 : performance.now() - this.#arrivedTick;
  }

  start(): void {
    this.#arrivedTick = performance.now();
    this.ports.deliveries.start(this);
    this.#loop = this.#run();
    this.#upkeep = setInterval(() => void this.#giveBack(), this.ports.holdMs / 4).unref();
  }

  /** Claims nothing more. */
  async stop(): Promise<void> {
    this.#running = false;
    clearInterval(this.#upkeep);
    this.#rouse();
    await this.#loop;
  }

  /** What was not done is delivered to somebody else. */
  async close(): Promise<void> {
    await this.stop();
    await this.ports.deliveries.stop();
  }

  arrived(notice: Notice): void {
    this.#arrivedTick = performance.now();
    const known = this.#inHand.get(notice);
    if (known) {
      (known.asked ? known.later : known.notices).push(notice);
      this.ports.judged('copy', 1);
    } else this.#lay([notice]);
  }

  #lay(notices: Notice[]): void {
    const [notice] = notices;
    if (!notice) return;
    const { id, attempt, channelId } = notice;
    if (this.#inHand.of(channelId) === 0) this.#hurry();
    this.#inHand.set(notice, { channelId, notices, later: [], asked: false });
    this.#trays.add(channelId ?? 0, { id, attempt, channelId, arrivedTick: performance.now() });
    this.#rouse();
  }

  /** What is claimed stays so; whatever is delivered again of it is done when that is. */
  forgotten(): void {
    for (const waiting of this.#trays.clear()) this.#inHand.take(waiting);
    for (const inHand of this.#inHand.values()) {
      inHand.notices = [];
      inHand.later = [];
    }
  }

  rejected(): void {
    this.ports.judged('rejected', 1);
  }

  /** A message has come to its end in this process, however it ended. */
  finished(id: number, attempt: number): void {
    this.#finish({ id, attempt });
    this.roomMade();
  }

  roomMade(): void {
    if (this.#trays.waiting > 0) this.#rouse();
  }

  #rouse(): void {
    this.#roused = true;
    this.#wake();
  }

  #finish(which: Pick<Notice, 'id' | 'attempt'>): void {
    const inHand = this.#inHand.take(which);
    if (!inHand) return;
    for (const notice of inHand.notices) notice.done();
    this.#lay(inHand.later);
  }

  async #run(): Promise<void> {
    while (this.#running) {
      try {
        await this.#comeBack();
        this.#roused = false;
        const took = await this.#claimNext();
        this.#troubles.worked();
        if (!took) await this.#rest(IDLE_MS);
      } catch (error) {
        this.#troubles.failed(error);
        await this.#stayAway();
        await this.#sleep(FAILURE_MS);
      }
    }
  }

  /** The database is away: nothing more is taken, and nothing handed back to be delivered again at once. */
  async #stayAway(): Promise<void> {
    if (this.#isAway) return;
    this.#isAway = true;
    await this.ports.deliveries.pause();
  }

  async #comeBack(): Promise<void> {
    if (!this.#isAway) return;
    await this.ports.store.now();
    this.#isAway = false;
    await this.ports.deliveries.resume();
  }

  async #claimNext(): Promise<boolean> {
    if (this.#trays.waiting === 0) return false;
    const flowing = performance.now() - this.#lastClaimTick < FLOWING_MS;
    if (this.#trays.waiting < FEW && flowing && !this.#hurried) await this.#gather();
    this.#hurried = false;
    await this.#learnChannels();
    return (
      (await this.#claimOf(true)) || (await this.#claimOf(false)) || (await this.#claim(this.#unnamed()))
    );
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.#gathered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Somebody came of whose channel nothing else is in hand. */
  #hurry(): void {
    this.#hurried = true;
    this.#gathered();
  }

  async #learnChannels(): Promise<void> {
    const unknown = this.#trays.channels.filter((id) => id !== 0 && !this.#channels.has(id));
    if (unknown.length === 0) return;
    if (this.#channels.size > MOST_KNOWN) this.#channels.clear();
    const { store } = this.ports;
    const known = await store.read(readChannels(store, unknown));
    for (const id of unknown) this.#channels.set(id, known.get(id));
  }

  /** What is urgent is claimed first, and whatever waits in bulk. */
  async #claimOf(urgent: boolean): Promise<boolean> {
    const { ports } = this;
    const rooms = new Map<number, number>();
    const candidates = this.#trays.channels.flatMap((id) => {
      const channel = this.#channels.get(id);
      if (!channel || isUrgent(channel) !== urgent) return [];
      const room = ports.roomOf(channel);
      if (room > 0) rooms.set(id, room);
      return room > 0 ? [channel] : [];
    });
    const room = [...rooms.values()].reduce((sum, each) => sum + each, 0);
    const size = room > 0 ? ports.claimSize(urgent, room) : 0;
    if (size <= 0) return false;
    const batch = deal(candidates, size, this.#turn).flatMap(({ channelId, limit }) =>
      this.#trays.take(channelId, Math.min(limit, rooms.get(channelId) ?? 0)),
    );
    this.#turn += 1;
    return this.#claim(batch);
  }

  /** Of whom nobody said whose they are, or of channels that are not there. */
  #unnamed(): readonly Waiting[] {
    const size = Math.min(UNNAMED_AT_ONCE, this.ports.claimSize(true, UNNAMED_AT_ONCE));
    const unnamed = this.#trays.channels.find((id) => !this.#channels.get(id));
    return size > 0 && unnamed !== undefined ? this.#trays.take(unnamed, size) : [];
  }

  async #claim(batch: readonly Waiting[]): Promise<boolean> {
    if (batch.length === 0) return false;
    const { ports } = this;
    const started = performance.now();
    for (const waiting of batch) this.#setAsked(waiting, true);
    let claim: Claim | undefined;
    try {
      claim = await ports.store.relay.claimById(ports.owner, batch);
    } catch (error) {
      this.#putBack(batch);
      throw error;
    }
    const claimedTick = performance.now();
    this.#lastClaimTick = claimedTick;
    const taken = new Map(claim?.messages.map(({ id, attempts }) => [id, attempts + 1]));
    const stale = batch.filter(({ id, attempt }) => taken.get(id) !== attempt);
    for (const waiting of batch) {
      if (taken.get(waiting.id) === waiting.attempt)
        this.#note(waiting, this.#inHand.get(waiting), claimedTick);
    }
    this.#drop(stale);
    ports.judged('claimed', taken.size);
    ports.judged('dropped', batch.length - taken.size);
    if (!claim) return true;
    try {
      await ports.accept(claim, (claimedTick - started) / 1_000);
    } catch (error) {
      // Nobody has them in hand: their lease runs out, and they are recovered.
      for (const [id, attempt] of taken) this.#finish({ id, attempt });
      throw error;
    }
    return true;
  }

  #note(waiting: Waiting, inHand: InHand | undefined, claimedTick: number): void {
    // Its connection went away while it was claimed: it is ours all the same.
    const entry = inHand ?? { channelId: waiting.channelId, notices: [], later: [], asked: true };
    entry.claimedTick = claimedTick;
    if (!inHand) this.#inHand.set(waiting, entry);
  }

  /** Each with a line of its own, unless there are very many of them. */
  #drop(stale: readonly Waiting[]): void {
    if (stale.length === 0) return;
    const { log } = this.ports;
    const few = this.#budget.hasRoomFor(stale.length);
    const tell = few ? log.info.bind(log) : log.debug.bind(log);
    for (const waiting of stale) {
      const facts = { emailId: formatId('message', waiting.id), attempt: waiting.attempt };
      tell({ ...facts, action: 'dropped', reason: 'it does not wait for this try (now)' }, 'dropped');
      this.#finish(waiting);
    }
    if (!few) log.info({ dropped: stale.length }, 'dropped deliveries; each stands at debug');
  }

  #setAsked(waiting: Waiting, asked: boolean): void {
    const inHand = this.#inHand.get(waiting);
    if (!inHand) return;
    inHand.asked = asked;
    if (!asked) inHand.notices.push(...inHand.later.splice(0));
  }

  /** Unless their connection went away meanwhile: then they are delivered again. */
  #putBack(batch: readonly Waiting[]): void {
    for (const waiting of batch) this.#setAsked(waiting, false);
    this.#trays.putBack(batch.filter((waiting) => this.#inHand.get(waiting) !== undefined));
  }

  /** What could not be begun in time goes back into its line, and what takes very long needs no broker any more. */
  async #giveBack(): Promise<void> {
    const now = performance.now();
    const { longestInHandMs: longest = LONGEST_IN_HAND_MS } = this.ports;
    for (const inHand of this.#inHand.values()) {
      if (inHand.claimedTick === undefined || now - inHand.claimedTick < longest) continue;
      for (const notice of [...inHand.notices.splice(0), ...inHand.later.splice(0)]) notice.done();
    }
    if (this.#isAway) return;
    const old = this.#trays.takeOlder(now - this.ports.holdMs);
    if (old.length === 0) return;
    for (const waiting of old) this.#setAsked(waiting, true);
    try {
      await this.ports.store.relay.giveBack(old.map(({ id }) => id));
      for (const waiting of old) this.#finish(waiting);
      this.ports.judged('given_back', old.length);
    } catch (error) {
      this.#troubles.failed(error);
      this.#putBack(old);
    }
  }

  /** Not at all if something has happened meanwhile. */
  #rest(ms: number): Promise<void> {
    return this.#roused ? Promise.resolve() : this.#sleep(ms);
  }

  #sleep(ms: number): Promise<void> {
    if (!this.#running) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        this.#wake = () => undefined;
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(done, ms);
      this.#wake = done;
    });
  }
}
