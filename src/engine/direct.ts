import { readWorkers } from '../store/scripts/workers.js';
import type { Claim, ClaimRequest, OpenChannel, Store } from '../store/store.js';
import type { Source } from './claimer.js';

export interface DirectOptions {
  readonly store: Store;
  /** What has been due for so long, and is not delivered, is claimed directly. 0: never. */
  readonly afterMs: number;
  /** For how long nothing was delivered; 0 while something waits to be looked at. */
  starvedMs(): number;
}

const LOOK_MS = 1_000;
const LOOK_MS_WITHOUT_RELAY = 250;
const WORKERS_KEPT_MS = 2_000;

/**
 * What a worker claims by itself although a broker tells it what to do: what must be alone, which is never passed on; and
 * what is late while nothing is delivered, so that a broker that is away, or swallows mail, does not stop it. Where no
 * relay is alive nothing would ever be delivered: then it is everything, at once. Neither overload (deliveries come)
 * nor idleness (nothing is late) leads here.
 */
export class Direct implements Source {
  readonly what = 'mail directly';
  #relays = 0;
  #readTick = -Infinity;

  constructor(private readonly options: DirectOptions) {}

  get lookMs(): number {
    return this.takesAll ? LOOK_MS_WITHOUT_RELAY : LOOK_MS;
  }

  /** As last read: there is no relay that could pass anything on. */
  get takesAll(): boolean {
    return this.#relays === 0 && this.options.afterMs > 0;
  }

  async open(): Promise<readonly OpenChannel[]> {
    const { store } = this.options;
    await this.#countRelays();
    const channels = await store.openChannels();
    if (this.takesAll) return channels;
    const alone = new Map(
      channels.filter((each) => each.alone).map((each) => [each.id, { ...each, together: false }]),
    );
    for (const late of this.#isStarved ? await store.relay.openLate(this.options.afterMs) : [])
      if (late.together) alone.set(late.id, { ...late, alone: alone.has(late.id) });
    return [...alone.values()];
  }

  claim(request: ClaimRequest): Promise<Claim | undefined> {
    const { store, afterMs } = this.options;
    if (request.alone || this.takesAll) return store.claim(request);
    return this.#isStarved ? store.relay.claimLate(request, afterMs) : Promise.resolve(undefined);
  }

  get #isStarved(): boolean {
    const { options } = this;
    return options.afterMs > 0 && options.starvedMs() >= options.afterMs;
  }

  async #countRelays(): Promise<void> {
    const { store } = this.options;
    if (performance.now() - this.#readTick < WORKERS_KEPT_MS) return;
    this.#relays = (await store.read(readWorkers(store))).relays;
    this.#readTick = performance.now();
  }
}
