import type { Outcome } from '../core/outcome.js';
import type { Dispatch } from '../engine/dispatch.js';
import { GroupWriter } from '../engine/group-writer.js';
import { ByteBudget } from '../engine/byte-budget.js';
import type { Leased } from '../engine/leased.js';
import type { Sender } from '../engine/senders.js';
import { Shares } from '../engine/shares.js';
import type { Enqueued, NewMessage, Store } from '../store/store.js';

/** A mail that is stored in its caller's hands, and what became of his try so far. */
export interface InlineResult {
  readonly enqueued: Enqueued;
  /** Undefined: there was no try because the mail is known, it goes on without the caller, or its lease was lost. */
  readonly outcome?: Outcome | undefined;
}

interface Stored {
  readonly enqueued: Enqueued;
  readonly leased: Leased | undefined;
}

export interface InlineOptions {
  /** How long a caller waits. */
  readonly budgetMs: number;
  /** Sends at once of a worker in this process. */
  readonly concurrency: number;
}

/** So many times a worker's slots may callers send at once, and three times that while some of it is lent. */
const PER_SLOT = 5;
const LENT = 3;
const MOST_BYTES = 32 * 1024 * 1024;
/** While tries of an account outlast their callers, no more of them are begun than so many times what it can do. */
const WHEN_LATE = 2;

/**
 * The caller's own try. The mail is stored in his hands, under a lease, before the first byte goes anywhere: if he
 * dies, the lease runs out and a worker goes on. He waits no longer than his budget; the try goes on without him,
 * and only its own end decides what follows. Until then it is counted, however long its server is silent: it holds a
 * lease, a place in the line for a connection, and memory. So there are only so many, and each account has its share.
 */
export class InlineSender {
  readonly #writer: GroupWriter<NewMessage, Stored>;
  readonly #tries: Shares;
  readonly #bytes = new ByteBudget(MOST_BYTES);
  /** Tries whose callers have gone, by account. */
  readonly #late = new Map<number, number>();

  constructor(
    private readonly store: Store,
    private readonly dispatch: Dispatch,
    private readonly options: InlineOptions,
  ) {
    const limit = PER_SLOT * options.concurrency;
    this.#tries = new Shares({ limit, most: LENT * limit });
    this.#writer = new GroupWriter((messages) => this.#store(messages), { largest: 500 });
  }

  /** Undefined: nothing was stored, the mail is for the workers. Its account is paused, or has enough tries. */
  async send(message: NewMessage): Promise<InlineResult | undefined> {
    const deadline = performance.now() + this.options.budgetMs;
    const sender = await this.dispatch.senders.of(message.channelId);
    const isOpen = !sender.paused && this.dispatch.mayTake;
    const leave = isOpen ? this.#enter(sender, message.mail?.length ?? 0) : undefined;
    if (!leave) return undefined;
    let stored: Stored;
    try {
      stored = await this.#writer.write(message);
    } catch (error) {
      leave();
      throw error;
    }
    const { enqueued, leased } = stored;
    if (!leased) {
      leave();
      return { enqueued };
    }
    const end = this.dispatch.deliver(leased).finally(leave);
    return { enqueued, outcome: await before(deadline, end, () => this.#outlasted(sender, end)) };
  }

  /** Answers how to leave again. */
  #enter(sender: Sender, bytes: number): (() => void) | undefined {
    const isLate = this.#late.has(sender.accountId);
    if (isLate && this.#tries.takenBy(sender) >= WHEN_LATE * sender.transport.capacity) return undefined;
    if (this.#tries.room(sender) === 0) return undefined;
    const giveBack = this.#bytes.tryBorrow(bytes, sender);
    if (!giveBack) return undefined;
    this.#tries.take(sender);
    return () => {
      giveBack();
      this.#tries.give(sender);
    };
  }

  #outlasted({ accountId }: Sender, end: Promise<unknown>): void {
    this.#late.set(accountId, (this.#late.get(accountId) ?? 0) + 1);
    void end.then(() => {
      const left = (this.#late.get(accountId) ?? 1) - 1;
      if (left > 0) this.#late.set(accountId, left);
      else this.#late.delete(accountId);
    });
  }

  /** Callers that come together share a commit and a lease. */
  async #store(messages: readonly NewMessage[]): Promise<readonly Stored[]> {
    const { enqueued, claim } = await this.store.enqueueLeased(messages, this.dispatch.worker);
    // If it can't be taken into our hands after all, the lease runs out and a worker goes on.
    const taken = claim ? await this.dispatch.take(claim).catch((): readonly Leased[] => []) : [];
    const byId = new Map(taken.map((leased) => [leased.message.id, leased]));
    return enqueued.map((one) => ({
      enqueued: one,
      leased: one.duplicate ? undefined : byId.get(one.id),
    }));
  }
}

/** Undefined, and told, when the deadline came first. */
function before<T>(deadline: number, work: Promise<T>, tell: () => void): Promise<T | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      tell();
      resolve(undefined);
    }, deadline - performance.now());
    void work.then((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}
