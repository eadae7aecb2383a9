import type { Owner } from '../core/fair-share.js';
import { Shares } from './shares.js';

/** One account's part of what waits. */
interface AccountQueue<T> {
  readonly waiting: T[];
  readonly throughput: Throughput;
  capacity: number;
}

/** The accounts of one workspace that have something waiting, in the order of their turns. */
interface Line<T> {
  readonly workspaceId: number;
  readonly queues: AccountQueue<T>[];
}

/** What can be put into one: a message that was claimed, and how it will travel. */
export interface Sendable {
  readonly sender: Owner & { readonly transport: { readonly capacity: number } };
}

/** Who decides what starts. */
export interface Starter<T> {
  /** A quick answer for a whole workspace: false if nothing of it may start. */
  mayServe(workspaceId: number): boolean;
  mayStart(item: T): boolean;
}

/** No claim is larger: a larger lease costs more to rewrite than it saves. */
export const LARGEST_CLAIM = 500;
/** So many times the room may be in use when some of it is lent. */
const LENT = 3;

/**
 * What was claimed and has not started, by account. Workspaces take turns, and in each its accounts; and they share the
 * room as they share the slots: what waits for a server that hangs does not keep anybody else's mail in the database.
 */
export class Queues<T extends Sendable> {
  readonly #queues = new Map<number, AccountQueue<T>>();
  /** In the order of their turns. */
  #lines: Line<T>[] = [];
  #shares: Shares;
  readonly #target: number;

  constructor(private readonly concurrency: number) {
    this.#target = Math.min(LARGEST_CLAIM, Math.max(2 * concurrency, LARGEST_CLAIM / 2));
    this.#shares = this.#emptyShares();
  }

  get waiting(): number {
    return this.#shares.taken;
  }

  get accounts(): number {
    return this.#queues.size;
  }

  /** Below 0 while some of it is lent. */
  get roomForAll(): number {
    return this.#shares.free;
  }

  /** How many to claim at once of accounts that have so much room together. */
  claimSize(room: number): number {
    return Math.min(LARGEST_CLAIM, this.#shares.together(room));
  }

  /**
   * How many more to claim for an account: what it sends in two seconds, at least twice what it can do at once.
   * So a fast one is never starved, and a slow one does not sit on mail that another worker could send. One that
   * has something waiting gets nothing until half of that is used up: a claim for every mail that leaves would
   * cost more than the mail. One that has nothing never waits for that.
   */
  room(owner: Owner): number {
    const queue = this.#queues.get(owner.accountId);
    const most = this.#shares.room(owner);
    if (!queue) return Math.min(LARGEST_CLAIM, 2 * this.concurrency, most);
    const atOnce = Math.min(queue.capacity, this.concurrency);
    const target = Math.min(LARGEST_CLAIM, Math.max(2 * atOnce, 2 * queue.throughput.perSecond()));
    const waiting = queue.waiting.length;
    if (waiting > 0 && (waiting > target / 2 || this.waiting > this.#target / 2)) return 0;
    return Math.min(target - waiting, most);
  }

  add(item: T): void {
    const { sender } = item;
    const queue = this.#queueOf(sender.accountId);
    queue.capacity = sender.transport.capacity;
    if (queue.waiting.length === 0) this.#lineUp(sender.workspaceId, queue);
    queue.waiting.push(item);
    this.#shares.take(sender);
  }

  /** The next that may start, if any. */
  take(starter: Starter<T>): T | undefined {
    for (const line of this.#lines) {
      if (!starter.mayServe(line.workspaceId)) continue;
      const item = takeFrom(line.queues, starter);
      if (!item) continue;
      toTheEnd(this.#lines, line, line.queues.length > 0);
      this.#shares.give(item.sender);
      return item;
    }
    return undefined;
  }

  /** The transport is done with one of this account. */
  sent({ accountId }: Owner): void {
    this.#queues.get(accountId)?.throughput.count();
  }

  /** Everything that has not started, to be handed back. */
  drain(): T[] {
    const items = this.#lines.flatMap(({ queues }) => queues).flatMap((queue) => queue.waiting.splice(0));
    this.#lines = [];
    this.#shares = this.#emptyShares();
    return items;
  }

  /** Forgets accounts that have nothing to send and have sent nothing of late. */
  forgetIdle(): void {
    for (const [accountId, { waiting, throughput }] of this.#queues) {
      if (waiting.length === 0 && throughput.perSecond() === 0) this.#queues.delete(accountId);
    }
  }

  #lineUp(workspaceId: number, queue: AccountQueue<T>): void {
    const line = this.#lines.find((each) => each.workspaceId === workspaceId);
    if (line) line.queues.push(queue);
    else this.#lines.push({ workspaceId, queues: [queue] });
  }

  #queueOf(accountId: number): AccountQueue<T> {
    let queue = this.#queues.get(accountId);
    if (!queue) {
      queue = { waiting: [], throughput: new Throughput(), capacity: 1 };
      this.#queues.set(accountId, queue);
    }
    return queue;
  }

  #emptyShares(): Shares {
    return new Shares({ limit: this.#target, most: LENT * this.#target });
  }
}

/** Of the first account in line that has one that may start. */
function takeFrom<T>(queues: AccountQueue<T>[], starter: Starter<T>): T | undefined {
  for (const queue of queues) {
    if (!starter.mayStart(queue.waiting[0] as T)) continue;
    const item = queue.waiting.shift();
    toTheEnd(queues, queue, queue.waiting.length > 0);
    return item;
  }
  return undefined;
}

/** Moves who was served to the end of his line, or out of it if he wants nothing more. */
function toTheEnd<T>(line: T[], served: T, wantsMore: boolean): void {
  if (wantsMore && line.length === 1) return;
  line.splice(line.indexOf(served), 1);
  if (wantsMore) line.push(served);
}

/** How many in the last full second. */
class Throughput {
  #second = 0;
  #now = 0;
  #last = 0;

  count(): void {
    this.#turnOver();
    this.#now += 1;
  }

  perSecond(): number {
    this.#turnOver();
    return Math.max(this.#now, this.#last);
  }

  #turnOver(): void {
    const second = Math.floor(performance.now() / 1_000);
    if (second === this.#second) return;
    this.#last = second === this.#second + 1 ? this.#now : 0;
    this.#now = 0;
    this.#second = second;
  }
}
