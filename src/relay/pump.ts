import { deal } from '../core/deal.js';
import { QUEUES, writeDispatch } from '../core/dispatch-message.js';
import { formatId } from '../core/ids.js';
import { roomInWindow, windowFor } from '../core/relay-window.js';
import type { Publication } from '../broker/amqp.js';
import type { Publisher, Unpublished } from '../broker/publisher.js';
import { OutageLog, type Logger } from '../log/log.js';
import type { Marked, RelayShare, RelayView } from '../store/relay-moves.js';
import { readWorkers } from '../store/scripts/workers.js';
import type { Store } from '../store/store.js';
import { Journal } from './journal.js';
import { Newcomers } from './newcomers.js';
import type { RelayObserver } from './observer.js';
import type { Probe } from './fault-points.js';

export interface PumpOptions {
  readonly store: Store;
  readonly publisher: Publisher;
  /** How long a message may be with the broker before it is passed on again. */
  readonly markMs: number;
  /** The longest gap between two looks. */
  readonly intervalMs: number;
  /** Sends at once of one sender: the window follows it. */
  readonly concurrency: number;
  readonly log: Logger;
  readonly observer?: RelayObserver | undefined;
  readonly probe?: Probe | undefined;
}

/** What a pass has found. */
type Next = 'more' | 'nothing due' | 'window full' | 'not ready';

const LARGEST_BATCH = 1_000;
/** Until a link has confirmed something it is not trusted with more. */
const FIRST_BATCH = 20;
const LOOK_MS = 250;
/** Senders take from a full window all the time; nobody tells when. A large one lasts longer: so many of it a millisecond. */
const LOOK_MS_WHEN_FULL = 20;
const WINDOW_PER_MS = 80;
/** Looking is stretched if it is expensive. */
const LOOK_COST_FACTOR = 20;
const FULL_COST_FACTOR = 8;
const WOKEN_COST_FACTOR = 2;
const FAILURE_MS = 500;
const SENDERS_KEPT_MS = 2_000;
const LAST_CONFIRMS_MS = 5_000;

/**
 * Looks for what is due, marks as much of it as the window has room for, and publishes what it has marked. A message that
 * the broker did not take is unmarked, so that it is due as before; one whose mark was written by a relay that died then
 * is due again when the mark is over. So nothing depends on who publishes, or how often.
 */
export class Pump {
  readonly #journal: Journal;
  readonly #troubles: OutageLog;
  readonly #returning = new Set<Promise<void>>();
  readonly #newcomers = new Newcomers(
    (shares) => this.#passOn(shares),
    () => this.#lookSoon(),
  );
  #senders = 1;
  #sendersTick = -Infinity;
  #turn = 0;
  #lookedTick = -Infinity;
  #cost = 0;
  #window = 0;
  #confirmed = false;
  /** When the broker was away: what it had been given before is lost. */
  #lostTick: number | undefined;
  #woken = true;
  #running = true;
  #wake: () => void = () => undefined;
  #loop: Promise<void> | undefined;

  constructor(private readonly options: PumpOptions) {
    this.#journal = new Journal(options.log);
    this.#troubles = new OutageLog(
      options.log,
      'could not pass messages on; trying again',
      'messages are passed on again',
    );
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** There may be something to do, in this channel; undefined: anywhere. */
  woken(channelId?: number): void {
    const trusted = this.#running && this.#confirmed && this.options.publisher.ready;
    if (channelId === undefined || !trusted || !this.#newcomers.takes(channelId)) this.#lookSoon();
  }

  #lookSoon(): void {
    this.#woken = true;
    this.#wake();
  }

  /** The link is another one; before it the broker was not to be reached until then. */
  renewed(awayTick: number | undefined): void {
    this.#confirmed = false;
    this.#lostTick = awayTick ?? this.#lostTick;
    this.woken();
  }

  /** Marks nothing more, and waits a while for what is under way. What the broker has not taken then goes back. */
  async stop(): Promise<void> {
    this.#running = false;
    this.#wake();
    await Promise.all([this.#loop, this.#newcomers.settled()]);
    const until = performance.now() + LAST_CONFIRMS_MS;
    while (this.options.publisher.unconfirmed > 0 && performance.now() < until) await pause(20);
  }

  /** When the link is closed: what was under way has come back. */
  async settled(): Promise<void> {
    while (this.#returning.size > 0) await Promise.all(this.#returning);
  }

  async #run(): Promise<void> {
    while (this.#running) {
      try {
        const next = this.#mayPublish ? await this.#pass() : 'not ready';
        this.#troubles.worked();
        if (next !== 'more') await this.#rest(next);
      } catch (error) {
        this.#troubles.failed(error);
        await this.#sleep(FAILURE_MS);
      }
    }
  }

  /** A link that has confirmed nothing yet is given a little, and waited for. */
  get #mayPublish(): boolean {
    const { ready, unconfirmed } = this.options.publisher;
    return ready && (this.#confirmed || unconfirmed === 0);
  }

  /**
   * A broker that was not to be reached has most likely been started anew, and keeps none of our messages then. What is
   * with it all the same, or with a sender, is published twice, and claimed once.
   */
  async #passOnAnew(): Promise<void> {
    const { store, markMs, log } = this.options;
    const tick = this.#lostTick;
    if (tick === undefined) return;
    const count = await store.relay.endMarks(markMs, performance.now() - tick);
    if (this.#lostTick === tick) this.#lostTick = undefined;
    if (count > 0) log.info({ count }, 'the broker was away; what it had is passed on anew');
  }

  /** One look and what follows from it. */
  async #pass(): Promise<Next> {
    const { store, concurrency, observer } = this.options;
    this.#woken = false;
    await this.#passOnAnew();
    const started = performance.now();
    const view = await store.relay.look();
    this.#cost = performance.now() - started;
    this.#lookedTick = performance.now();
    observer?.outstanding?.(view.outstanding);
    const nothing = view.channels.length === 0;
    this.#window = nothing ? 0 : windowFor(concurrency, await this.#countSenders());
    this.#newcomers.looked(view, this.#window);
    if (nothing) return 'nothing due';
    const shares = this.#sharesOf(view, this.#window);
    if (shares.length === 0) return 'window full';
    return (await this.#passOn(shares)).length > 0 ? 'more' : 'nothing due';
  }

  async #passOn(shares: readonly RelayShare[]): Promise<readonly Marked[]> {
    const { store, markMs, probe } = this.options;
    const marked = await store.relay.mark(shares, markMs);
    for (const { id } of marked) probe?.('marked', id);
    this.#publish(marked);
    return marked;
  }

  #sharesOf({ channels, outstanding }: RelayView, window: number) {
    const rooms = new Map(
      channels.map((each) => [each.id, roomInWindow(window, outstanding, each.outstanding)]),
    );
    this.#journal.skipped(
      new Map([...rooms].filter(([, room]) => room === 0).map(([id]) => [id, 'the window is full'])),
    );
    const batch = this.#confirmed ? LARGEST_BATCH : FIRST_BATCH;
    const size = Math.min(batch, Math.max(0, window - outstanding));
    const shares = deal(
      channels.filter(({ id }) => (rooms.get(id) ?? 0) > 0),
      size,
      this.#turn,
    );
    this.#turn += 1;
    return shares
      .map(({ channelId, limit }) => ({ channelId, limit: Math.min(limit, rooms.get(channelId) ?? 0) }))
      .filter(({ limit }) => limit > 0);
  }

  #publish(marked: readonly Marked[]): void {
    const { publisher, observer, probe } = this.options;
    const failed = new Map<Unpublished, Marked[]>();
    const passed: Marked[] = [];
    const headers = new Map(marked.map(({ channelId }) => [channelId, { channel: channelId }]));
    let left = marked.length;
    const heard = (each: Marked, failure: Unpublished | undefined) => {
      left -= 1;
      if (failure) failed.set(failure, [...(failed.get(failure) ?? []), each]);
      else passed.push(each);
      if (left > 0) return;
      this.#note(passed);
      for (const [reason, some] of failed) this.#bringBack(some, reason);
    };
    for (const each of marked) {
      publisher.publish(publicationOf(each, headers.get(each.channelId)), (failure, seconds) => {
        if (!failure) {
          if (!this.#confirmed) this.woken();
          this.#confirmed = true;
          observer?.confirmed?.(seconds);
          probe?.('confirmed', each.id);
        }
        heard(each, failure);
      });
      probe?.('published', each.id);
    }
  }

  #note(passed: readonly Marked[]): void {
    const { observer } = this.options;
    const [again, once] = [passed.filter((each) => each.again), passed.filter((each) => !each.again)];
    const retries = once.filter(({ attempts }) => attempts > 0).length;
    if (once.length > retries) observer?.passedOn?.('first', once.length - retries);
    if (retries > 0) observer?.passedOn?.('retry', retries);
    if (again.length > 0) observer?.passedOn?.('again', again.length);
    this.#journal.passedOn(passed);
  }

  /** If the database is away their marks run out by themselves. */
  #bringBack(marked: readonly Marked[], reason: Unpublished): void {
    const { store, observer } = this.options;
    observer?.cameBack?.(reason, marked.length);
    this.#journal.cameBack(marked, reason);
    const returning: Promise<void> = store.relay
      .unmark(marked)
      .then(
        () => undefined,
        (error: unknown) => this.#troubles.failed(error),
      )
      .finally(() => this.#returning.delete(returning));
    this.#returning.add(returning);
  }

  async #countSenders(): Promise<number> {
    const { store } = this.options;
    if (performance.now() - this.#sendersTick > SENDERS_KEPT_MS) {
      this.#senders = (await store.read(readWorkers(store))).senders;
      this.#sendersTick = performance.now();
    }
    return this.#senders;
  }

  /** Until it is woken or it is time to look again; a look that costs much comes more rarely, woken or not. */
  async #rest(why: Exclude<Next, 'more'>): Promise<void> {
    if (why === 'not ready') return this.#sleep(LOOK_MS);
    const { intervalMs } = this.options;
    const after = (least: number, factor: number) =>
      this.#lookedTick + Math.min(intervalMs, Math.max(least, this.#cost * factor)) - performance.now();
    const planned =
      why === 'window full'
        ? after(Math.max(LOOK_MS_WHEN_FULL, this.#window / WINDOW_PER_MS), FULL_COST_FACTOR)
        : after(LOOK_MS, LOOK_COST_FACTOR);
    if (!this.#woken) await this.#sleep(Math.max(1, planned));
    const soonest = after(0, WOKEN_COST_FACTOR);
    if (this.#running && soonest > 0) await pause(soonest);
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

const publicationOf = (marked: Marked, headers: Publication['headers']) => ({
  queue: QUEUES.send,
  body: Buffer.from(writeDispatch(marked)),
  messageId: `${formatId('message', marked.id)}:${marked.attempts + 1}`,
  // What is lost with the broker is still here, and passed on anew.
  persistent: false,
  ...(headers && { headers }),
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
