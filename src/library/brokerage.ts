import { hostname } from 'node:os';
import type { BrokerDeliveries } from '../broker/deliveries.js';
import type { BrokerContact, BrokerStanding, BrokerView, Link } from '../broker/link.js';
import { checkBrokerUrl } from '../core/broker-url.js';
import type { QueueType } from '../core/dispatch-message.js';
import { prefetchFor } from '../core/relay-window.js';
import type { Dispatcher } from '../engine/engine.js';
import { Heartbeat } from '../engine/heartbeat.js';
import { processName } from '../engine/process-name.js';
import type { Logger } from '../log/log.js';
import type { RelayObserver } from '../relay/observer.js';
import type { Relay } from '../relay/relay.js';
import type { Store } from '../store/store.js';
import { ownVersion } from './version.js';

export interface BrokerageOptions {
  readonly amqpUrl?: string | undefined;
  readonly queueType?: QueueType | undefined;
  readonly directAfterSeconds?: number | undefined;
  readonly retryIntervalSeconds?: number | undefined;
  readonly leaseSeconds?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly log: Logger;
  readonly observer?: RelayObserver | undefined;
}

const DIRECT_AFTER_SECONDS = 60;
const RETRY_INTERVAL_SECONDS = 60;
const LEASE_SECONDS = 120;
const CONCURRENCY = 20;

/** Undefined where there is no broker: whoever has none does not even load what speaks to one. */
export async function openBrokerage(store: Store, options: BrokerageOptions): Promise<Brokerage | undefined> {
  const { amqpUrl: url, queueType, log } = options;
  if (url === undefined) return undefined;
  checkBrokerUrl(url);
  const [{ BrokerDeliveries: Deliveries }, links, relays] = await Promise.all([
    import('../broker/deliveries.js'),
    import('../broker/link.js'),
    import('../relay/relay.js'),
  ]);
  const name = `pillarbox ${hostname()}:${String(process.pid)}`;
  const link = new links.Link({ url, queueType, log, name });
  return new Brokerage(store, link, options, { Deliveries, Relay: relays.Relay });
}

/** What this process has to do with a broker: one connection, and who uses it. */
export class Brokerage {
  #relay: Relay | undefined;

  constructor(
    private readonly store: Store,
    private readonly link: Link,
    private readonly options: BrokerageOptions,
    private readonly parts: {
      readonly Deliveries: typeof BrokerDeliveries;
      readonly Relay: typeof Relay;
    },
  ) {}

  get standing(): BrokerStanding {
    return this.link.standing;
  }

  /** For how long nothing answers; 0: something does. */
  get silentMs(): number {
    return this.link.silentMs;
  }

  /** What answered last, and how its queues stood then; undefined: nothing ever did. */
  look(): Promise<BrokerView | undefined> {
    return this.link.look();
  }

  /** Where it is looked for, and what became of that. */
  get contact(): BrokerContact {
    return this.link.contact;
  }

  /** How much each sender may have in hand, and how late something must be to be claimed past the broker. */
  get terms(): { readonly prefetch: number; readonly directAfterSeconds: number } {
    const { concurrency = CONCURRENCY, directAfterSeconds = DIRECT_AFTER_SECONDS } = this.options;
    return { prefetch: prefetchFor(concurrency), directAfterSeconds };
  }

  /** Connects although nobody here sends or passes on: to know whether it could. */
  watch(): void {
    this.link.open();
  }

  /** For the worker of this process. Before anything else connects. */
  dispatcher(): Dispatcher {
    const { concurrency = CONCURRENCY, directAfterSeconds = DIRECT_AFTER_SECONDS, log } = this.options;
    return {
      deliveries: new this.parts.Deliveries(this.link, prefetchFor(concurrency), log),
      directAfterMs: directAfterSeconds * 1_000,
    };
  }

  async startRelay(): Promise<void> {
    const { store, link } = this;
    const { concurrency = CONCURRENCY, leaseSeconds = LEASE_SECONDS, log, observer } = this.options;
    const { retryIntervalSeconds = RETRY_INTERVAL_SECONDS } = this.options;
    const worker = { name: processName(), kind: 'relay', host: hostname(), version: ownVersion() } as const;
    this.#relay ??= new this.parts.Relay({
      ...{ store, link, concurrency, log, observer },
      markMs: leaseSeconds * 1_000,
      intervalMs: retryIntervalSeconds * 1_000,
      heartbeat: (telling) => new Heartbeat(store, worker, log, telling),
    });
    await this.#relay.start();
  }

  async stop(): Promise<void> {
    await this.#relay?.stop();
    await this.link.close();
  }
}
