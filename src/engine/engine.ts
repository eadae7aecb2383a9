import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Mail } from '../core/mail.js';
import type { Logger } from '../log.js';
import { readContent } from '../store/scripts/messages.js';
import type { Claim, ClaimedMessage, GateAnswer, GateEntry, Store } from '../store/store.js';
import { Backlog } from './backlog.js';
import { ByteBudget } from './byte-budget.js';
import { Claimer } from './claimer.js';
import { Counters, type Observer, type Tally } from './counters.js';
import { Delivery, type BorrowedContent, type DeliveryPorts, type Held } from './delivery.js';
import type { Probe } from './fault-points.js';
import { GroupWriter } from './group-writer.js';
import { recover } from './recovery.js';
import { Renewer } from './renewer.js';
import { Senders, type Sender, type TransportFactory } from './senders.js';
import { Settler } from './settler.js';
import { Sweeper } from './sweeper.js';

export interface EngineOptions {
  readonly store: Store;
  readonly transports: TransportFactory;
  /** Sends at once. */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** How long to wait, on stop, for what has been handed over. */
  readonly graceMs: number;
  readonly retentionMs: number;
  readonly log: Logger;
  readonly observer?: Observer;
  readonly probe?: Probe | undefined;
}

const CONTENT_BUDGET_BYTES = 64 * 1024 * 1024;
const CHORES_EVERY_MS = 1_000;
const NOTHING_BORROWED = () => undefined;

/**
 * One worker: claims, delivers, settles; recovers what others lost; and stops without losing anything. Each part
 * is a file of its own, this one only connects them.
 */
export class Engine {
  readonly worker = `${hostname()}:${String(process.pid)}:${randomBytes(3).toString('hex')}`;
  readonly #counters: Counters;
  readonly #backlog: Backlog<Held>;
  readonly #senders: Senders;
  readonly #settler: Settler;
  readonly #gate: GroupWriter<GateEntry, GateAnswer>;
  readonly #claimer: Claimer;
  readonly #renewer: Renewer;
  readonly #sweeper: Sweeper;
  readonly #contents = new ByteBudget(CONTENT_BUDGET_BYTES);
  readonly #deliveries = new Set<Delivery>();
  /** How many messages of each lease are still in our hands. */
  readonly #leases = new Map<number, number>();
  readonly #ports: DeliveryPorts;
  #loneInFlight = 0;
  #stopping = false;
  #claiming: Promise<void> | undefined;
  #chores: Promise<void> | undefined;
  #choresTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: EngineOptions) {
    const { store, log } = options;
    this.#counters = new Counters(options.observer);
    this.#backlog = new Backlog(options.concurrency);
    this.#senders = new Senders(store, options.transports, log);
    this.#settler = new Settler(store, this.#counters, log);
    this.#gate = new GroupWriter((entries) => store.gate(entries));
    this.#renewer = new Renewer(store.renewal, options.leaseMs, log);
    this.#sweeper = new Sweeper(store, options.retentionMs, log);
    this.#ports = {
      worker: this.worker,
      installation: store.installation,
      leaseMs: options.leaseMs,
      speed: store.speed,
      probe: options.probe,
      stopping: () => this.#stopping,
      contentOf: (message) => this.#contentOf(message),
      askGate: (entry) => this.#gate.write(entry),
      settle: (settled) => this.#settler.settle(settled),
    };
    this.#claimer = new Claimer({
      store,
      owner: this.worker,
      log,
      room: () => (this.#stopping ? 0 : this.#backlog.roomForAll),
      roomOf: (accountId) => this.#backlog.room(accountId),
      mayTakeAlone: () => this.#loneInFlight === 0 && this.#backlog.roomForAll > 0,
      accept: (claim, seconds) => this.#accept(claim, seconds),
    });
  }

  get tally(): Readonly<Tally> {
    return this.#counters.tally;
  }

  async start(): Promise<void> {
    const { store } = this.options;
    store.onWake((channelId) => {
      this.#claimer.woken(channelId);
    });
    await store.listen();
    this.#claiming = this.#claimer.run();
    this.#planChores(0);
  }

  /**
   * Stops claiming, hands back what has not asked the gate, and waits for what has. What is not answered within
   * the grace is in doubt, and is written down as such.
   */
  async stop(): Promise<void> {
    if (this.#stopping) return;
    this.#stopping = true;
    this.#claimer.stop();
    clearTimeout(this.#choresTimer);
    // The grace is for all of it: a database that does not answer must not keep the process alive.
    await within(this.options.graceMs, Promise.all([this.#handBack(), this.#chores]));
    await within(CHORES_EVERY_MS, Promise.all([...this.#deliveries].map((delivery) => delivery.giveUp())));
    this.#settler.abandon();
    // A connection that hangs before its gate was settled long ago; nobody waits for it.
    await within(CHORES_EVERY_MS, this.#senders.close());
    await this.#renewer.close();
  }

  async #handBack(): Promise<void> {
    await this.#claiming;
    const unstarted = this.#backlog.drain().map((item) => new Delivery(item, this.#ports).giveBack());
    await Promise.all([...unstarted, ...[...this.#deliveries].map((delivery) => delivery.giveBack())]);
    await Promise.all([...this.#deliveries].map((delivery) => delivery.finished()));
  }

  async #accept(claim: Claim, seconds: number): Promise<void> {
    const { messages, lease, claimedAt, alone } = claim;
    const claimedTick = performance.now();
    for (const { id } of messages) this.options.probe?.('claimed', id);
    const senders = new Map<number, Sender>();
    for (const { channelId } of messages) {
      if (!senders.has(channelId)) senders.set(channelId, await this.#senders.of(channelId));
    }
    // Only now: had that failed, nobody would have the messages in hand, and the lease must run out.
    this.#hold(claim);
    this.#counters.claimed(messages.length, seconds);
    for (const message of messages) {
      const sender = senders.get(message.channelId) as Sender;
      if (alone) this.#loneInFlight += 1;
      this.#senders.use(sender);
      const item = { message, lease, claimedAt, claimedTick, sender, alone };
      this.#backlog.add(sender.accountId, sender.transport.capacity, item);
    }
    this.#startWhatMay();
  }

  #hold({ lease, messages }: Claim): void {
    this.#leases.set(lease, messages.length);
    this.#renewer.hold(lease);
  }

  #letGo(lease: number): void {
    const left = (this.#leases.get(lease) ?? 1) - 1;
    if (left > 0) {
      this.#leases.set(lease, left);
      return;
    }
    this.#leases.delete(lease);
    this.#renewer.drop(lease);
  }

  #startWhatMay(): void {
    if (this.#stopping) return;
    for (let held = this.#backlog.take(); held; held = this.#backlog.take()) {
      const delivery = new Delivery(held, this.#ports);
      this.#deliveries.add(delivery);
      void delivery.run(this.#over);
    }
  }

  readonly #over = (delivery: Delivery, error?: unknown): void => {
    const { message, sender, lease, alone } = delivery.held;
    if (error !== undefined) {
      this.options.log.error(
        { err: error, message: message.id },
        'a delivery failed; its lease will run out',
      );
    }
    this.#deliveries.delete(delivery);
    this.#senders.release(sender);
    this.#backlog.finished(sender.accountId);
    if (alone) this.#loneInFlight -= 1;
    this.#letGo(lease);
    this.#startWhatMay();
    if (this.#backlog.roomForAll > 0) this.#claimer.roomMade();
  };

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

  #planChores(ms: number): void {
    this.#choresTimer = setTimeout(() => {
      this.#chores = this.#doChores().finally(() => {
        if (!this.#stopping) this.#planChores(Math.min(CHORES_EVERY_MS, this.options.leaseMs / 4));
      });
    }, ms).unref();
  }

  async #doChores(): Promise<void> {
    const { store, log } = this.options;
    try {
      const ports = {
        ...this.#ports,
        store,
        log,
        senders: this.#senders,
        settler: this.#settler,
        renewer: this.#renewer,
      };
      while (!this.#stopping && (await recover(ports)) > 0);
      await this.#sweeper.sweep();
    } catch (error) {
      log.warn({ err: error }, 'a chore failed; it is tried again');
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
