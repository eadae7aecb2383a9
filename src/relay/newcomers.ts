import type { Marked, RelayShare, RelayView } from '../store/relay-moves.js';

/** Of one channel so many go this way between two looks, */
const FEW = 10;
/** and so many altogether. */
const MOST = 100;
/** Of the window: who has less of it than one of so many parts has little with the broker. */
const LITTLE_PART = 4;

/**
 * Who comes alone does not wait for his turn behind the backlog of others: a wake-up names its channel, and what is new
 * there is marked and published beside whatever the pump is doing, without a look at everybody. Only of channels of
 * which little is with the broker, and only a few between two looks: all else goes by the window.
 */
export class Newcomers {
  readonly #passed = new Map<number, number>();
  readonly #waiting = new Set<number>();
  #crowded: ReadonlySet<number> = new Set();
  #all = 0;
  #running: Promise<void> | undefined;

  constructor(
    private readonly passOn: (shares: readonly RelayShare[]) => Promise<readonly Marked[]>,
    /** There may be more than goes this way. */
    private readonly lookAround: () => void,
  ) {}

  /** Counts anew from here. */
  looked({ channels }: RelayView, window: number): void {
    this.#crowded = new Set(
      channels.filter(({ outstanding }) => outstanding * LITTLE_PART >= window).map(({ id }) => id),
    );
    this.#passed.clear();
    this.#all = 0;
  }

  /** Whether something new in this channel goes this way; then it is seen to. */
  takes(channelId: number): boolean {
    if (this.#crowded.has(channelId) || this.#of(channelId) >= FEW || this.#all >= MOST) return false;
    this.#waiting.add(channelId);
    this.#running ??= this.#run();
    return true;
  }

  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#waiting.size > 0) await this.#next();
    } catch {
      // The pump meets the same trouble, and tells of it.
      this.#waiting.clear();
      this.lookAround();
    } finally {
      this.#running = undefined;
    }
  }

  async #next(): Promise<void> {
    const shares = this.#shares();
    if (shares.length === 0) {
      this.#waiting.clear();
      this.lookAround();
      return;
    }
    for (const { channelId } of shares) this.#waiting.delete(channelId);
    const marked = await this.passOn(shares);
    for (const { channelId } of marked) this.#passed.set(channelId, this.#of(channelId) + 1);
    this.#all += marked.length;
    if (shares.some(({ channelId }) => this.#of(channelId) >= FEW)) this.lookAround();
  }

  /** Together never more than is left of the most. */
  #shares(): readonly RelayShare[] {
    const left = MOST - this.#all;
    return [...this.#waiting]
      .map((channelId) => ({ channelId, limit: Math.min(left, FEW - this.#of(channelId)) }))
      .filter(({ limit }) => limit > 0)
      .slice(0, Math.max(1, Math.floor(left / FEW)));
  }

  #of(channelId: number): number {
    return this.#passed.get(channelId) ?? 0;
  }
}
