import type { Link } from '../broker/link.js';
import { Publisher } from '../broker/publisher.js';
import type { Heartbeat, Telling } from '../engine/heartbeat.js';
import type { Logger } from '../log/log.js';
import { announceDeaths } from '../store/scripts/announcements.js';
import type { Store } from '../store/store.js';
import { Announcer } from './announcer.js';
import type { Probe } from './fault-points.js';
import type { RelayObserver } from './observer.js';
import { Pump } from './pump.js';
import { Tally } from './tally.js';

export interface RelayOptions {
  readonly store: Store;
  readonly link: Link;
  /** How long a message may be with the broker before it is passed on again. */
  readonly markMs: number;
  /** The longest gap between two looks. */
  readonly intervalMs: number;
  readonly concurrency: number;
  /** Its sign of life, which tells this with each beat. */
  readonly heartbeat: (telling: Telling) => Heartbeat;
  readonly log: Logger;
  readonly observer?: RelayObserver | undefined;
  readonly probe?: Probe | undefined;
  /** How long to wait for a confirm, and for who died with announcements in hand; for tests. */
  readonly confirmMs?: number | undefined;
  readonly holdMs?: number | undefined;
}

/** Shorter is no outage: a connection takes a moment. */
const AWAY_MS = 5_000;

/**
 * Passes due messages on to a broker, and tells it of those that died. Any number of these may run: what one has marked
 * no other marks, and whatever one leaves behind when it dies another one finds.
 */
export class Relay {
  readonly #pump: Pump;
  readonly #announcer: Announcer;
  readonly #heartbeat: Heartbeat;

  constructor(private readonly options: RelayOptions) {
    const { store, link, log, probe, confirmMs, holdMs } = options;
    const publisher = new Publisher(link, confirmMs);
    const observer = new Tally(options.observer, () => link.silentMs > AWAY_MS);
    this.#heartbeat = options.heartbeat(observer);
    this.#pump = new Pump({ ...options, publisher, observer });
    this.#announcer = new Announcer(store, publisher, log, probe, holdMs);
    link.use({ up: (_, awayTick) => this.#pump.renewed(awayTick) });
  }

  async start(): Promise<void> {
    const { store, link } = this.options;
    await store.transaction(() => announceDeaths(store));
    store.onWake((channelId) => this.#pump.woken(channelId));
    await store.listen();
    // Senders claim by themselves while no relay is alive: it must be seen before it marks anything.
    await this.#heartbeat.beat();
    this.#heartbeat.start();
    link.open();
    this.#pump.start();
    this.#announcer.start();
  }

  async stop(): Promise<void> {
    const { link } = this.options;
    await Promise.all([this.#pump.stop(), this.#announcer.stop()]);
    await link.close();
    await this.#pump.settled();
    await this.#heartbeat.stop();
  }
}
