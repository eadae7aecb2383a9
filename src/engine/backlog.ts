/** One account's part of what a worker has in hand. */
interface Tray<T> {
  readonly waiting: T[];
  /** In the transport's hands. */
  sending: number;
  capacity: number;
  readonly pace: Pace;
}

/** No claim is larger: a larger lease costs more to rewrite than it saves. */
export const LARGEST_CLAIM = 500;

/**
 * What was claimed and has not started. Kept by account, so that a slow or crowded one holds up nobody else:
 * each sends as many at once as its transport can, and they take turns for the worker's slots.
 */
export class Backlog<T> {
  readonly #trays = new Map<number, Tray<T>>();
  /** Accounts with something waiting, in the order of their turns. */
  #turns: number[] = [];
  #waiting = 0;
  #inFlight = 0;

  constructor(private readonly concurrency: number) {}

  get waiting(): number {
    return this.#waiting;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /**
   * How many more to claim for an account: what it sends in two seconds, at least twice what it can do at once.
   * So a fast one is never starved, and a slow one does not sit on mail that another worker could send. One that
   * has something waiting gets nothing until half of that is used up: a claim for every mail that leaves would
   * cost more than the mail. One that has nothing never waits for that.
   */
  room(accountId: number): number {
    const tray = this.#trays.get(accountId);
    if (!tray) return Math.min(LARGEST_CLAIM, 2 * this.concurrency);
    const atOnce = Math.min(tray.capacity, this.concurrency);
    const target = Math.min(LARGEST_CLAIM, Math.max(2 * atOnce, 2 * tray.pace.perSecond()));
    const waiting = tray.waiting.length;
    if (waiting > 0 && (waiting > target / 2 || this.#waiting > this.#target / 2)) return 0;
    return target - waiting;
  }

  /** How many more to claim in all. */
  get roomForAll(): number {
    return this.#target - this.#waiting;
  }

  /** The same rule for the worker as a whole. */
  get #target(): number {
    return Math.min(LARGEST_CLAIM, Math.max(2 * this.concurrency, LARGEST_CLAIM / 2));
  }

  add(accountId: number, capacity: number, item: T): void {
    const tray = this.#tray(accountId);
    tray.capacity = capacity;
    if (tray.waiting.length === 0) this.#turns.push(accountId);
    tray.waiting.push(item);
    this.#waiting += 1;
  }

  /** The next item that may start, if any; it then counts as in flight until `finished`. */
  take(): T | undefined {
    if (this.#inFlight >= this.concurrency) return undefined;
    for (let tries = this.#turns.length; tries > 0; tries -= 1) {
      const accountId = this.#turns.shift() as number;
      const tray = this.#tray(accountId);
      const item = tray.sending < tray.capacity ? tray.waiting.shift() : undefined;
      if (tray.waiting.length > 0) this.#turns.push(accountId);
      if (item === undefined) continue;
      tray.sending += 1;
      this.#inFlight += 1;
      this.#waiting -= 1;
      return item;
    }
    return undefined;
  }

  /** The transport is done with one, so it can take another; the worker's slot is kept until it is settled. */
  sent(accountId: number): void {
    const tray = this.#tray(accountId);
    tray.sending -= 1;
    tray.pace.count();
  }

  finished(): void {
    this.#inFlight -= 1;
  }

  /** Everything that has not started, to be handed back. */
  drain(): T[] {
    const items = [...this.#trays.values()].flatMap((tray) => tray.waiting.splice(0));
    this.#turns = [];
    this.#waiting = 0;
    return items;
  }

  #tray(accountId: number): Tray<T> {
    let tray = this.#trays.get(accountId);
    if (!tray) {
      tray = { waiting: [], sending: 0, capacity: 1, pace: new Pace() };
      this.#trays.set(accountId, tray);
    }
    return tray;
  }
}

/** How many in the last full second. */
class Pace {
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
