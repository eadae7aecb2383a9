import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Mail } from '../core/mail.js';
import type { Logger } from '../log.js';
import { readContent } from '../store/scripts/messages.js';
import type { Claim, ClaimedMessage, GateAnswer, GateEntry, Store } from '../store/store.js';
import { ByteBudget } from './byte-budget.js';
import { Counters, type Observer } from './counters.js';
import { Delivery, type BorrowedContent, type DeliveryPorts, type Held, type Listener } from './delivery.js';
import type { Probe } from './fault-points.js';
import { GroupWriter } from './group-writer.js';
import { Renewer } from './renewer.js';
import { Senders, type Sender, type TransportFactory } from './senders.js';
import { Settler } from './settler.js';

export interface DispatchOptions {
  readonly store: Store;
  readonly transports: TransportFactory;
  readonly leaseMs: number;
  /** How long to wait, on stop, for what has been handed over. */
  readonly graceMs: number;
  readonly log: Logger;
  readonly observer?: Observer | undefined;
  readonly probe?: Probe | undefined;
}

const CONTENT_BUDGET_BYTES = 64 * 1024 * 1024;
/** How long to insist, when the grace is over, on writing down what is in doubt, and on closing connections. */
const LAST_WORDS_MS = 1_000;
const NOTHING_BORROWED = () => undefined;

/**
 * What all sends of one process share, whoever took the mail into his hands: the gate, the transports, the
 * settling of results, and the leases that must be kept alive meanwhile.
 */
export class Dispatch {
  readonly worker = `${hostname()}:${String(process.pid)}:${randomBytes(3).toString('hex')}`;
  readonly counters: Counters;
  readonly senders: Senders;
  readonly settler: Settler;
  readonly renewer: Renewer;
  readonly ports: DeliveryPorts;
  readonly #gate: GroupWriter<GateEntry, GateAnswer>;
  readonly #contents = new ByteBudget(CONTENT_BUDGET_BYTES);
  readonly #deliveries = new Set<Delivery>();
  /** How many messages of each lease are still in our hands. */
  readonly #leases = new Map<number, number>();
  #stopping = false;

  constructor(private readonly options: DispatchOptions) {
    const { store, log } = options;
    this.counters = new Counters(options.observer);
    this.senders = new Senders(store, options.transports, log);
    this.settler = new Settler(store, this.counters, log);
    this.renewer = new Renewer(store.renewal, options.leaseMs, log);
    this.#gate = new GroupWriter((entries) => store.gate(entries));
    this.ports = {
      worker: this.worker,
      installation: store.installation,
      leaseMs: options.leaseMs,
      speed: store.speed,
      probe: options.probe,
      stopping: () => this.#stopping,
      contentOf: (message) => this.#contentOf(message),
      askGate: (entry) => this.#gate.write(entry),
      settle: (settled) => this.settler.settle(settled),
    };
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Takes the messages of a claim into our hands: from here on their lease is renewed. Each must be begun. */
  async take(claim: Claim): Promise<readonly Held[]> {
    const { messages, lease, claimedAt, alone, inline } = claim;
    const claimedTick = performance.now();
    for (const { id } of messages) this.options.probe?.('claimed', id);
    const senders = new Map<number, Sender>();
    for (const { channelId } of messages) {
      if (!senders.has(channelId)) senders.set(channelId, await this.senders.of(channelId));
    }
    // Only now: had that failed, nobody would have the messages in hand, and the lease must run out.
    this.#leases.set(lease, messages.length);
    this.renewer.hold(lease);
    return messages.map((message) => {
      const sender = senders.get(message.channelId) as Sender;
      this.senders.use(sender);
      return { message, lease, claimedAt, claimedTick, sender, alone, inline };
    });
  }

  begin(held: Held, listener: Listener): void {
    const delivery = new Delivery(held, this.ports);
    this.#deliveries.add(delivery);
    void delivery.run({
      sent: (done) => listener.sent?.(done),
      over: (done, ended) => {
        this.#letGo(done);
        listener.over(done, ended);
      },
    });
  }

  /**
   * Lets nothing more through the gate, hands back what has not asked it, and waits for what has. What is not
   * answered within the grace is in doubt, and is written down as such. `unbegun` tells what was taken and will
   * never be begun.
   */
  async stop(
    unbegun: () => Promise<readonly Held[]> = () => Promise.resolve([]),
    chores: Promise<void> = Promise.resolve(),
  ): Promise<void> {
    this.#stopping = true;
    // The grace is for all of it: a database that does not answer must not keep the process alive.
    await within(this.options.graceMs, Promise.all([this.#handBack(unbegun), chores]));
    await within(LAST_WORDS_MS, Promise.all([...this.#deliveries].map((delivery) => delivery.giveUp())));
    this.settler.abandon();
    // A connection that hangs before its gate was settled long ago; nobody waits for it.
    await within(LAST_WORDS_MS, this.senders.close());
    await this.renewer.close();
  }

  async #handBack(unbegun: () => Promise<readonly Held[]>): Promise<void> {
    const unstarted = (await unbegun()).map((held) => new Delivery(held, this.ports).giveBack());
    await Promise.all([...unstarted, ...[...this.#deliveries].map((delivery) => delivery.giveBack())]);
    await Promise.all([...this.#deliveries].map((delivery) => delivery.finished()));
  }

  #letGo(delivery: Delivery): void {
    const { lease, sender } = delivery.held;
    this.#deliveries.delete(delivery);
    this.senders.release(sender);
    const left = (this.#leases.get(lease) ?? 1) - 1;
    if (left > 0) {
      this.#leases.set(lease, left);
      return;
    }
    this.#leases.delete(lease);
    this.renewer.drop(lease);
  }

  #contentOf(message: ClaimedMessage): BorrowedContent | Promise<BorrowedContent> {
    const { mail } = message;
    if (mail === null) return this.#borrowContent(message);
    // The text is let go as soon as it is read: with a thousand in flight it is what fills the memory.
    message.mail = null;
    return { mail: parseMail(mail), done: NOTHING_BORROWED };
  }

  async #borrowContent(message: ClaimedMessage): Promise<BorrowedContent> {
    const done = await this.#contents.borrow(message.bytes);
    try {
      const mail = await this.options.store.read(readContent(this.options.store, message.id));
      return { mail: mail === undefined ? undefined : parseMail(mail), done };
    } catch (error) {
      done();
      throw error;
    }
  }
}

/** Undefined: damaged. No further try would read it better. */
function parseMail(text: string): Mail | undefined {
  try {
    return JSON.parse(text) as Mail;
  } catch {
    return undefined;
  }
}

/** Waits for the work, but not longer. */
function within(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    void work.then(done, done);
  });
}
