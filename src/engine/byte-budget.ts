import type { Owner } from '../core/fair-share.js';
import { Shares } from './shares.js';

interface Waiting {
  readonly bytes: number;
  readonly owner: Owner;
  readonly start: () => void;
}

/** So many times the limit may be in use when some of it is lent. */
const LENT = 2;

/**
 * Keeps the large contents in memory at one time under a limit; who does not fit waits his turn. What others hold, on
 * the way to a server that hangs, keeps nobody from his share.
 */
export class ByteBudget {
  readonly #shares: Shares;
  readonly #queue: Waiting[] = [];

  constructor(private readonly limit: number) {
    this.#shares = new Shares({ limit, most: LENT * limit });
  }

  /** One that is larger than the whole budget goes alone. */
  async borrow(bytes: number, owner: Owner): Promise<() => void> {
    const share = Math.min(bytes, this.limit);
    const isBehind = this.#queue.some((each) => each.owner.accountId === owner.accountId);
    if (!isBehind && this.#fits(share, owner, this.#queue.length === 0)) return this.#lend(share, owner);
    await new Promise<void>((start) => this.#queue.push({ bytes: share, owner, start }));
    return this.#giver(share, owner);
  }

  /** Undefined: there is no room for it now. */
  tryBorrow(bytes: number, owner: Owner): (() => void) | undefined {
    const share = Math.min(bytes, this.limit);
    return this.#fits(share, owner, true) ? this.#lend(share, owner) : undefined;
  }

  /** What is free is for the first of those who wait, or the small would for ever pass the large. */
  #fits(bytes: number, owner: Owner, isFirst: boolean): boolean {
    const shares = this.#shares;
    if (isFirst && bytes <= shares.free) return true;
    const missing = shares.missing(owner);
    // Who holds nothing gets what he needs, also if it is more than his share.
    return bytes <= missing || (missing > 0 && shares.takenBy(owner) === 0 && bytes <= shares.lendable);
  }

  #lend(bytes: number, owner: Owner): () => void {
    this.#shares.take(owner, bytes);
    return this.#giver(bytes, owner);
  }

  #giver(bytes: number, owner: Owner): () => void {
    return () => {
      this.#shares.give(owner, bytes);
      this.#serve();
    };
  }

  /** In order; one that does not fit yet holds back those of its own account. */
  #serve(): void {
    const heldBack = new Set<number>();
    for (const waiting of [...this.#queue]) {
      const { bytes, owner, start } = waiting;
      const isFirst = this.#queue[0] === waiting;
      if (heldBack.has(owner.accountId) || !this.#fits(bytes, owner, isFirst)) {
        heldBack.add(owner.accountId);
        continue;
      }
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      this.#shares.take(owner, bytes);
      start();
    }
  }
}
