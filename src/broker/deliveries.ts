import { setTimeout as sleep } from 'node:timers/promises';
import { AckOrder } from '../core/ack-order.js';
import { LONGEST_DISPATCH, QUEUES, readDispatch, type Unreadable } from '../core/dispatch-message.js';
import type { Deliveries, Taker } from '../engine/deliveries.js';
import { OutageLog, type Logger } from '../log/log.js';
import type { Delivered, Wire } from './amqp.js';
import type { Link } from './link.js';
import { Publisher } from './publisher.js';

/** Of what is in hand, so much may be done behind one that is not, before each is acknowledged by itself. */
const SHARE_BEHIND_HEAD = 8;
/** Of what can't be read so much is set aside; the rest is nobody's mail. */
const MOST_REJECTED_BYTES = 1024 * 1024;

/** While nothing is delivered, it is looked at so often whether anything should be. */
const WATCH_MS = 2_000;

/**
 * What the broker delivers to this process. A consumer that the broker has forgotten is noticed: a quorum queue that is
 * deleted and made anew may lose those that it had without telling them, and they would wait for ever.
 */
export class BrokerDeliveries implements Deliveries {
  #taker: Taker | undefined;
  #channel: AckedChannel | undefined;
  #paused = false;
  #watch: NodeJS.Timeout | undefined;

  readonly #publisher: Publisher;
  readonly #unreadable: OutageLog;

  constructor(
    private readonly link: Link,
    private readonly prefetch: number,
    log: Logger,
    private readonly watchMs = WATCH_MS,
  ) {
    this.#publisher = new Publisher(link);
    this.#unreadable = new OutageLog(log, 'payloads could not be read; they are set aside', '');
    link.use({
      up: (wire) => this.#up(wire),
      down: () => this.#down(),
    });
  }

  start(taker: Taker): void {
    this.#taker = taker;
    this.link.open();
    this.#watch = setInterval(() => void this.#lookAfter(), this.watchMs).unref();
  }

  /**
   * Where messages lie in the queue, this consumer has room and nothing came since the last look but one, it is no
   * consumer any more. Nor is it where the queue has none.
   */
  async #lookAfter(): Promise<void> {
    const channel = this.#channel;
    if (!channel || !this.#couldTake(channel)) return;
    // A queue that is not there, or does not answer in time, has no consumers either.
    const impatience = sleep(this.watchMs, undefined, { ref: false });
    const standing = await Promise.race([channel.wire.standing(QUEUES.send), impatience]).catch(
      () => undefined,
    );
    if (!this.#couldTake(channel)) return;
    const forgotten = standing === undefined || standing.consumers === 0 || standing.messages > 0;
    if (channel.suspect(forgotten)) this.link.distrust(channel.wire, 'the broker has forgotten its consumer');
  }

  #couldTake(channel: AckedChannel): boolean {
    return channel === this.#channel && !this.#paused && channel.isIdle;
  }

  /** Nothing more is wanted for now; what was delivered stays in hand. */
  async pause(): Promise<void> {
    this.#paused = true;
    await this.#channel?.cancel();
  }

  async resume(): Promise<void> {
    this.#paused = false;
    // A connection that breaks here is opened again, and asked then.
    await this.#consume().catch(() => undefined);
  }

  /** What was not done goes to somebody else. */
  async stop(): Promise<void> {
    clearInterval(this.#watch);
    this.#channel?.flush();
    await this.link.close();
  }

  async #up(wire: Wire): Promise<void> {
    this.#channel = new AckedChannel(wire, this.prefetch);
    await this.#consume();
  }

  #down(): void {
    this.#channel = undefined;
    this.#taker?.forgotten();
  }

  async #consume(): Promise<void> {
    const channel = this.#channel;
    if (this.#paused || !channel) return;
    await channel.consume((delivered) => {
      this.link.trust();
      this.#arrived(channel, delivered);
    });
  }

  #arrived(channel: AckedChannel, { tag, body, headers }: Delivered): void {
    const read = body.length > LONGEST_DISPATCH ? 'too_long' : readDispatch(body.toString('utf8'));
    if (typeof read === 'string') return this.#reject(channel, { tag, body, headers }, read);
    const { channel: given } = headers;
    const channelId =
      typeof given === 'number' && Number.isSafeInteger(given) && given > 0 ? given : undefined;
    this.#taker?.arrived({ ...read, channelId, done: () => channel.done(tag) });
  }

  /** Acknowledged when it is safe elsewhere: until then the broker keeps it. */
  #reject(channel: AckedChannel, { tag, body }: Delivered, reason: Unreadable): void {
    this.#unreadable.failed(reason, { bytes: body.length });
    const publication = {
      queue: QUEUES.rejected,
      // A copy: what is cut off would stay in memory with the rest.
      body: body.length > MOST_REJECTED_BYTES ? Buffer.from(body.subarray(0, MOST_REJECTED_BYTES)) : body,
      messageId: `rejected:${process.pid}:${tag}:${performance.now()}`,
      persistent: true,
      headers: { reason, bytes: body.length },
    };
    this.#publisher.publish(publication, (failure) => {
      if (failure) return;
      this.#taker?.rejected?.();
      channel.done(tag);
    });
  }
}

/** One channel's deliveries, and their acknowledgements in few frames. */
class AckedChannel {
  readonly #order: AckOrder;
  #cancel: Promise<() => Promise<void>> | undefined;
  #planned = false;
  /** Deliveries since it was last looked after, and how often in a row something should have come. */
  #arrived = 0;
  #suspicions = 0;

  constructor(
    readonly wire: Wire,
    private readonly prefetch: number,
  ) {
    this.#order = new AckOrder(Math.max(8, prefetch / SHARE_BEHIND_HEAD));
  }

  async consume(arrived: (delivered: Delivered) => void): Promise<void> {
    this.#cancel ??= this.wire.consume(QUEUES.send, this.prefetch, (delivered) => {
      this.#order.arrived(delivered.tag);
      this.#arrived += 1;
      this.#suspicions = 0;
      arrived(delivered);
    });
    await this.#cancel;
  }

  /** It consumes, could take more, and nothing has come since it was last asked. */
  get isIdle(): boolean {
    const idle = this.#cancel !== undefined && this.#arrived === 0 && this.#order.open < this.prefetch;
    this.#arrived = 0;
    return idle;
  }

  /** True: for the second time in a row, with nothing delivered in between. */
  suspect(forgotten: boolean): boolean {
    this.#suspicions = forgotten ? this.#suspicions + 1 : 0;
    return this.#suspicions > 1;
  }

  async cancel(): Promise<void> {
    const cancel = this.#cancel;
    this.#cancel = undefined;
    await (await cancel)?.().catch(() => undefined);
  }

  done(tag: number): void {
    if (this.#order.done(tag)) this.#plan();
  }

  /** Once in a turn of the event loop: what is done in it is told together. */
  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      this.flush();
    });
  }

  flush(): void {
    const { upTo, singly } = this.#order.take();
    if (upTo !== undefined) this.wire.ack(upTo, true);
    for (const tag of singly) this.wire.ack(tag, false);
  }
}
