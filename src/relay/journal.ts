import { formatId } from '../core/ids.js';
import type { Logger } from '../log/log.js';
import type { Marked } from '../store/relay-moves.js';

/** Faster than this, lines of their own for all of them would be nothing but lines. */
const LINES_A_SECOND = 100;

export type Action = 'published' | 'published_again' | 'returned';

/**
 * Tells what was done with each message: which, for which try, when it was due, and why not if not. Each at `debug`; at
 * `info` too while there are few, and one line for many.
 */
export class Journal {
  #second = 0;
  #lines = 0;
  readonly #skipped = new Map<number, string>();

  constructor(
    private readonly log: Logger,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  passedOn(marked: readonly Marked[]): void {
    this.#tell(marked, (each) => (each.again ? 'published_again' : 'published'));
  }

  cameBack(marked: readonly Marked[], reason: string): void {
    this.#tell(marked, () => 'returned', reason);
  }

  /** A channel with something due that may pass on no more, told when that begins and when the reason changes. */
  skipped(channels: ReadonlyMap<number, string>): void {
    for (const [channel, reason] of channels) {
      if (this.#skipped.get(channel) !== reason)
        this.log.info({ channel, action: 'skipped', reason }, 'skipped a channel');
    }
    this.#skipped.clear();
    for (const [channel, reason] of channels) this.#skipped.set(channel, reason);
  }

  #tell(marked: readonly Marked[], actionOf: (marked: Marked) => Action, reason?: string): void {
    if (marked.length === 0) return;
    const few = this.#hasRoomFor(marked.length);
    const tell = few ? this.log.info.bind(this.log) : this.log.debug.bind(this.log);
    const counts: Partial<Record<Action, number>> = {};
    for (const each of marked) {
      const action = actionOf(each);
      counts[action] = (counts[action] ?? 0) + 1;
      tell(linesOf(each, action, reason), action);
    }
    if (!few)
      this.log.info({ ...counts, ...(reason && { reason }) }, 'passed messages on; each stands at debug');
  }

  #hasRoomFor(lines: number): boolean {
    const second = Math.floor(this.clock() / 1_000);
    if (second !== this.#second) this.#lines = 0;
    this.#second = second;
    this.#lines += lines;
    return this.#lines <= LINES_A_SECOND;
  }
}

const linesOf = ({ id, attempts, dueAt }: Marked, action: Action, reason: string | undefined) => ({
  emailId: formatId('message', id),
  attempts,
  attempt: attempts + 1,
  nextAttemptAt: new Date(dueAt).toISOString(),
  action,
  ...(reason !== undefined && { reason }),
});
