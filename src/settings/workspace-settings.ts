import {
  DELIVERY_DEFAULTS,
  type DeliverySettings,
  type LaneDelivery,
  type WorkspaceProfile,
} from '../core/delivery-settings.js';
import type { SendingSettings } from '../core/sending.js';
import {
  mergeDelivery,
  mergeProfile,
  mergeSending,
  type DeliveryInput,
  type ProfileInput,
  type SendingInput,
} from './input.js';
import type { Script } from '../store/script.js';
import { noteSendingSince } from '../store/scripts/guard-activity.js';
import { readSending, reopen } from '../store/scripts/openings.js';
import { readSettings, writeSettings } from '../store/scripts/settings.js';
import { findWorkspace, lockWorkspace } from '../store/scripts/workspaces.js';
import type { Store } from '../store/store.js';

const LOOK_AGAIN_MS = 2_000;

/** What a workspace has decided, and what holds where it has not. */
export class WorkspaceSettings {
  #outbox: { readonly lane: LaneDelivery; readAt: number } | undefined;

  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    private readonly retentionDays: number,
  ) {}

  profile(): Promise<WorkspaceProfile> {
    return this.store.read(this.#profile());
  }

  delivery(): Promise<DeliverySettings> {
    return this.store.read(this.#delivery());
  }

  sending(): Promise<SendingSettings> {
    return this.store.read(this.#sending());
  }

  /** What is left out stays as it is. Throws `invalid_input` with the field; then nothing has changed. */
  changeProfile(given: ProfileInput): Promise<WorkspaceProfile> {
    return this.store.transaction(() =>
      this.#change(
        'workspace',
        () => this.#profile(),
        (old) => mergeProfile(old, given),
      ),
    );
  }

  /** New outbox mail obeys at once in this process, and within seconds in others. */
  async changeDelivery(given: DeliveryInput): Promise<DeliverySettings> {
    const delivery = await this.store.transaction(() =>
      this.#change(
        'delivery',
        () => this.#delivery(),
        (old) => mergeDelivery(old, given),
      ),
    );
    this.#outbox = { lane: delivery.lanes.outbox, readAt: performance.now() };
    return delivery;
  }

  /** Holds for guarded mail from the commit on: gates are shut until a worker has looked what it means. */
  async changeSending(given: SendingInput): Promise<SendingSettings> {
    const { store, workspaceId } = this;
    const now = await store.now();
    const change = () =>
      this.#change(
        'sending',
        () => this.#sending(),
        (old) => mergeSending(old, given),
      );
    return store.transaction(function* () {
      const sending = yield* change();
      yield* noteSendingSince(store, workspaceId, now);
      yield* reopen(store, { workspaceId });
      return sending;
    });
  }

  /** What is known is answered at once; that it may have changed is looked up beside, so that no mail waits for it. */
  outboxLane(): LaneDelivery | Promise<LaneDelivery> {
    const known = this.#outbox;
    if (!known) return this.#readOutboxLane();
    if (performance.now() - known.readAt >= LOOK_AGAIN_MS) {
      known.readAt = performance.now();
      // A database that does not answer has not changed it either.
      this.#readOutboxLane().catch(() => undefined);
    }
    return known.lane;
  }

  async #readOutboxLane(): Promise<LaneDelivery> {
    const readAt = performance.now();
    const lane = (await this.delivery()).lanes.outbox;
    // Someone here may have changed it while it was read.
    if (this.#outbox === undefined || this.#outbox.readAt <= readAt) this.#outbox = { lane, readAt };
    return lane;
  }

  *#profile(): Script<WorkspaceProfile> {
    const saved = yield* readSettings(this.store, this.workspaceId, 'workspace');
    const workspace = yield* findWorkspace(this.store, this.workspaceId);
    const usual = { name: workspace?.name ?? '', postalAddress: null, defaultLocale: 'en' };
    return { ...usual, ...(saved as Partial<WorkspaceProfile> | undefined) };
  }

  *#delivery(): Script<DeliverySettings> {
    const saved = yield* readSettings(this.store, this.workspaceId, 'delivery');
    const usual = { ...DELIVERY_DEFAULTS, retentionDays: this.retentionDays };
    return mergeDelivery(usual, saved ?? {});
  }

  #sending(): Script<SendingSettings> {
    return readSending(this.store, this.workspaceId);
  }

  /** Two who change different things at once both get what they asked for. */
  *#change<T extends object>(name: string, read: () => Script<T>, merge: (old: T) => T): Script<T> {
    yield* lockWorkspace(this.store, this.workspaceId);
    const settings = merge(yield* read());
    yield* writeSettings(this.store, this.workspaceId, name, settings);
    return settings;
  }
}
