import type { Logger } from '../log.js';
import { readRetentionDays } from '../store/scripts/settings.js';
import { expireWaiting, foldTallies, forgetFinished } from '../store/scripts/sweep.js';
import { forgetWorkers } from '../store/scripts/workers.js';
import type { Store } from '../store/store.js';

const EXPIRE_AT_ONCE = 500;
const FORGET_AT_ONCE = 1_000;
const DAY_MS = 24 * 3_600_000;
const FOLD_EVERY_MS = 20_000;

/** The slow chores of the queue. Any number of workers may do them at the same time. */
export class Sweeper {
  #foldAt = 0;
  #forgetAfter = 0;
  #forgetAt = 0;

  constructor(
    private readonly store: Store,
    private readonly retentionMs: number,
    private readonly log: Logger,
  ) {}

  async sweep(): Promise<void> {
    const { store } = this;
    const now = await store.now();
    while ((await store.transaction(expireWaiting(store, now, EXPIRE_AT_ONCE))) === EXPIRE_AT_ONCE);
    if (performance.now() >= this.#foldAt) {
      this.#foldAt = performance.now() + FOLD_EVERY_MS;
      await store.transaction(foldTallies(store, now));
    }
    if (performance.now() >= this.#forgetAt) await this.#forget(now);
  }

  /** A step a second while there is something to forget; after a full round, once an hour. */
  async #forget(now: number): Promise<void> {
    const { store, retentionMs } = this;
    const days = await store.read(readRetentionDays(store));
    const own = new Map([...days].map(([workspaceId, kept]) => [workspaceId, now - kept * DAY_MS]));
    const step = await store.transaction(
      forgetFinished(store, now - retentionMs, this.#forgetAfter, FORGET_AT_ONCE, own),
    );
    if (step.removed > 0) this.log.info({ messages: step.removed }, 'forgot the contents of old messages');
    this.#forgetAfter = step.next ?? 0;
    if (step.next !== undefined) return;
    this.#forgetAt = performance.now() + 3_600_000;
    await store.transaction(forgetWorkers(store));
  }
}
