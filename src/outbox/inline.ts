import type { Ended, Held } from '../engine/delivery.js';
import type { Dispatch } from '../engine/dispatch.js';
import { GroupWriter } from '../engine/group-writer.js';
import type { Enqueued, NewMessage, Store } from '../store/store.js';

/** A mail that is stored, and what became of the caller's own try so far. */
export interface InlineResult {
  readonly enqueued: Enqueued;
  /** Undefined: there was no try, or it goes on without the caller. */
  readonly ended?: Ended | undefined;
}

interface Stored {
  readonly enqueued: Enqueued;
  readonly held: Held | undefined;
}

/**
 * The caller's own try. The mail is stored in his hands, under a lease, before the first byte goes anywhere: if he
 * dies, the lease runs out and a worker goes on. He waits no longer than his budget; the try goes on without him,
 * and only its own end decides what follows.
 */
export class InlineSender {
  readonly #writer: GroupWriter<NewMessage, Stored>;

  constructor(
    private readonly store: Store,
    private readonly dispatch: Dispatch,
    private readonly budgetMs: number,
  ) {
    this.#writer = new GroupWriter((messages) => this.#store(messages), { largest: 500 });
  }

  async send(message: NewMessage): Promise<InlineResult> {
    const deadline = performance.now() + this.budgetMs;
    const sender = await this.dispatch.senders.of(message.channelId);
    if (sender.paused) return this.#leaveToWorkers(message);
    const { enqueued, held } = await this.#writer.write(message);
    if (!held) return { enqueued };
    const end = new Promise<Ended>((resolve) => {
      this.dispatch.begin(held, {
        over: (_, ended) => {
          resolve(ended);
        },
      });
    });
    return { enqueued, ended: await before(deadline, end) };
  }

  async #leaveToWorkers(message: NewMessage): Promise<InlineResult> {
    const [enqueued] = await this.store.enqueue([message]);
    if (!enqueued) throw new Error('the store gave no answer for a mail');
    return { enqueued };
  }

  /** Callers that come together share a commit and a lease. */
  async #store(messages: readonly NewMessage[]): Promise<readonly Stored[]> {
    const { enqueued, claim } = await this.store.enqueueHeld(messages, this.dispatch.worker);
    // If it can't be taken into our hands after all, the lease runs out and a worker goes on.
    const held = claim ? await this.dispatch.take(claim).catch((): readonly Held[] => []) : [];
    const byId = new Map(held.map((one) => [one.message.id, one]));
    return enqueued.map((one) => ({
      enqueued: one,
      held: one.duplicate ? undefined : byId.get(one.id),
    }));
  }
}

/** Undefined when the deadline came first. */
function before<T>(deadline: number, work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, deadline - performance.now(), undefined);
    void work.then((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}
