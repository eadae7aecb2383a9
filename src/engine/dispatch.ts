import type { Outcome } from '../core/outcome.js';
import type { Logger } from '../log/log.js';
import { suppressionsOf } from '../store/scripts/suppression-list.js';
import type { Claim, GateAnswer, GateEntry, Store } from '../store/store.js';
import type { Transport } from '../transport/transport.js';
import { Contents, type ContentSources } from './contents.js';
import { Counters, type Observer } from './counters.js';
import { Delivery, type DeliveryListener, type DeliveryPorts } from './delivery.js';
import type { Probe } from './fault-points.js';
import { GroupWriter } from './group-writer.js';
import type { Leased } from './leased.js';
import { processName } from './process-name.js';
import { Renewer, type Renewal } from './renewer.js';
import { Senders, type Sender, type TransportFactory } from './senders.js';
import { Settler } from './settler.js';

export interface DispatchOptions {
  readonly store: Store;
  readonly transports: TransportFactory;
  /** One that the factory answers for many accounts: it stays open to the end. */
  readonly lasting?: Transport | undefined;
  /** For lanes whose messages may be stored without a content. */
  readonly contents?: ContentSources | undefined;
  readonly leaseMs: number;
  /** How long to wait, on stop, for what has been handed over. */
  readonly graceMs: number;
  readonly log: Logger;
  readonly observer?: Observer | undefined;
  readonly probe?: Probe | undefined;
  /** Who keeps leases alive; unless told, a thread of its own. */
  readonly renewal?: Renewal | undefined;
}

/** How long to insist, when the grace is over, on writing down what is in doubt, and on closing connections. */
const LAST_WORDS_MS = 1_000;

/**
 * What all sends of one process share, whoever took the mail into his hands: the gate, the transports, the
 * settling of results, and the leases that must be kept alive meanwhile.
 */
export class Dispatch {
  readonly worker = processName();
  readonly counters: Counters;
  readonly senders: Senders;
  readonly settler: Settler;
  readonly renewer: Renewal;
  readonly ports: DeliveryPorts;
  readonly #gate: GroupWriter<GateEntry, GateAnswer>;
  readonly #guardedGate: GroupWriter<GateEntry, GateAnswer>;
  readonly #notifiedGates: readonly GroupWriter<GateEntry, GateAnswer>[];
  readonly #contents: Contents;
  readonly #underWay = new Set<Delivery>();
  /** How many messages of each lease are still in our hands. */
  readonly #leases = new Map<number, number>();
  #stopping = false;

  constructor(private readonly options: DispatchOptions) {
    const { store, log } = options;
    this.counters = new Counters(options.observer);
    this.senders = new Senders(store, options.transports, log, options.lasting);
    this.settler = new Settler(store, this.counters, this.worker, options.leaseMs, log);
    this.renewer = options.renewal ?? new Renewer(store, options.leaseMs, log);
    this.#gate = new GroupWriter((entries) => store.gate(entries));
    this.#guardedGate = new GroupWriter((entries) => store.gateGuarded(entries));
    this.#notifiedGates = [false, true].map(
      (guarded) => new GroupWriter((entries) => store.gateNotified(entries, guarded)),
    );
    this.#contents = new Contents(store, options.contents);
    this.ports = {
      installation: store.installation,
      leaseMs: options.leaseMs,
      speed: store.speed,
      probe: options.probe,
      stopping: () => this.#stopping,
      prepareContents: (messages) => this.#contents.prepare(messages),
      contentOf: (message, sender, prepared) => this.#contents.of(message, sender, prepared),
      suppressionsOf: ({ workspaceId, ...errand }, addresses) =>
        store.read(suppressionsOf(store, workspaceId, addresses, errand)),
      askGate: (entry) => this.#gateOf(entry.message).write(entry),
      settle: (result) => this.settler.settle(result),
      unsettled: ({ message }, error) => {
        log.error({ err: error, message: message.id }, 'a delivery failed; its lease will run out');
      },
      letGo: (delivery) => {
        this.#letGo(delivery);
      },
    };
  }

  /** Guarded mail has a gate of its own, and so have notifications. */
  #gateOf({ subscriptionId, guarded }: GateEntry['message']): GroupWriter<GateEntry, GateAnswer> {
    if (subscriptionId === null) return guarded ? this.#guardedGate : this.#gate;
    return this.#notifiedGates[guarded ? 1 : 0] as GroupWriter<GateEntry, GateAnswer>;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Whether more may be taken in hand: not when it stops, and not while its leases would not be renewed. */
  get mayTake(): boolean {
    return !this.#stopping && this.renewer.alive;
  }

  /** Takes the messages of a claim into our hands: from here on their lease is renewed. Each must be delivered. */
  async take(claim: Claim): Promise<readonly Leased[]> {
    const { messages, lease, claimedAt, alone, inline } = claim;
    const claimedTick = performance.now();
    for (const { id } of messages) this.options.probe?.('claimed', id);
    const senders = new Map<number, Sender>();
    for (const { channelId } of messages) {
      if (!senders.has(channelId)) senders.set(channelId, await this.senders.of(channelId));
    }
    const prepared = this.ports.prepareContents(messages);
    // Only now: had that failed, nobody would have the messages in hand, and the lease must run out.
    this.#leases.set(lease, messages.length);
    this.renewer.hold(lease);
    return messages.map((message) => {
      const sender = senders.get(message.channelId) as Sender;
      this.senders.use(sender);
      return { message, lease, claimedAt, claimedTick, sender, alone, inline, prepared, slot: undefined };
    });
  }

  /** From the last check to its settlement, whatever happens; as `Delivery.run`. */
  deliver(leased: Leased, listener?: DeliveryListener): Promise<Outcome | undefined> {
    const delivery = new Delivery(leased, this.ports);
    this.#underWay.add(delivery);
    return delivery.run(listener);
  }

  /**
   * Lets nothing more through the gate, hands back what has not asked it, and waits for what has. What is not
   * answered within the grace is in doubt, and is written down as such. `unbegun` tells what was taken and will
   * never be begun.
   */
  async stop(
    unbegun: () => Promise<readonly Leased[]> = () => Promise.resolve([]),
    chores: Promise<void> = Promise.resolve(),
  ): Promise<void> {
    this.#stopping = true;
    // The grace is for all of it: a database that does not answer must not keep the process alive.
    await within(this.options.graceMs, Promise.all([this.#handBack(unbegun), chores]));
    await within(LAST_WORDS_MS, Promise.all([...this.#underWay].map((each) => each.end('doubt'))));
    await within(LAST_WORDS_MS, this.settler.lastWords());
    this.settler.abandon();
    // A connection that hangs before its gate was settled long ago; nobody waits for it.
    await within(LAST_WORDS_MS, this.senders.close());
    await this.renewer.close();
  }

  async #handBack(unbegun: () => Promise<readonly Leased[]>): Promise<void> {
    const unstarted = (await unbegun()).map((leased) => new Delivery(leased, this.ports).end('wait'));
    const begun = [...this.#underWay].map(async (each) => (await each.end('wait')) || each.over());
    await Promise.allSettled([...unstarted, ...begun]);
  }

  #letGo(delivery: Delivery): void {
    const { lease, sender } = delivery.leased;
    this.#underWay.delete(delivery);
    this.senders.release(sender);
    const left = (this.#leases.get(lease) ?? 1) - 1;
    if (left > 0) {
      this.#leases.set(lease, left);
      return;
    }
    this.#leases.delete(lease);
    this.renewer.drop(lease);
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
