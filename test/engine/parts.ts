import type { ContentSources } from '#pillarbox/engine/contents';
import { Dispatch } from '#pillarbox/engine/dispatch';
import { Engine } from '#pillarbox/engine/engine';
import { silent } from '#pillarbox/log/log';
import type { Store } from '#pillarbox/store/store';
import { openFixture, type Fixture } from '../contract/fixture.js';
import type { Carrier } from './carrier.js';
import { Signal } from './signal.js';

const DAY_MS = 24 * 3_600_000;

export interface PartsOptions {
  readonly carrier: Carrier;
  readonly clock?: string;
  readonly contents?: ContentSources;
  /** Stands between the engine and the store. */
  readonly between?: (store: Store) => Partial<Store>;
}

/** The engine without the library around it: for what no library offers yet, and for a store that misbehaves. */
export class Parts {
  readonly #settled = new Map<number, number>();
  readonly #signal = new Signal();
  readonly #engine: Engine;

  private constructor(
    readonly fixture: Fixture,
    options: PartsOptions,
  ) {
    const { carrier, contents } = options;
    const store = altered(fixture.store, options.between?.(fixture.store) ?? {});
    const leaseMs = 60_000;
    const dispatch = new Dispatch({
      ...{ store, contents, leaseMs, log: silent, graceMs: 1_000, transports: () => carrier },
      probe: (point, id) => {
        if (point !== 'settled') return;
        this.#settled.set(id, (this.#settled.get(id) ?? 0) + 1);
        this.#signal.tell();
      },
    });
    this.#engine = new Engine({
      ...{ store, dispatch, leaseMs, log: silent, concurrency: 10, retentionMs: 30 * DAY_MS },
    });
  }

  static async open(url: string, options: PartsOptions): Promise<Parts> {
    return new Parts(
      await openFixture(url, options.clock === undefined ? {} : { clock: options.clock }),
      options,
    );
  }

  start(): Promise<void> {
    return this.#engine.start();
  }

  /** Until this message was settled so many times. */
  settled(id: number, times = 1): Promise<void> {
    return this.#signal.until(`settlement ${times} of ${id}`, () => (this.#settled.get(id) ?? 0) >= times);
  }

  async close(): Promise<void> {
    await this.#engine.stop();
    await this.fixture.store.close();
  }
}

function altered(store: Store, by: Partial<Store>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in by ? by : target, name, target);
      // Private fields know only the store itself.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
