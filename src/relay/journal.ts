import { formatId } from '../core/ids.js';
import { LineBudget } from '../log/line-budget.js';
import type { Logger } from '../log/log.js';
import type { Marked } from '../store/relay-moves.js';

export type Action = 'published' | 'published_again' | 'returned';

/**
 * Tells what was done with each message: which, for which try, when it was due, and why not if not. Each at `debug`; at
 * `info` too while there are few, and one line for many.
 */
export class Journal {
  readonly #budget: LineBudget;
  readonly #skipped = new Map<number, string>();

  constructor(
    private readonly log: Logger,
    clock?: () => number,
  ) {
    this.#budget = new LineBudget(clock);
  }

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
    const few = this.#budget.hasRoomFor(marked.length);
    const tell = few ? this.log.info.bind(this.log) : this.log.debug.bind(this.log);
    const oneByOne = few || (this.log.isLevelEnabled?.('debug') ?? true);
    const counts: Partial<Record<Action, number>> = {};
    for (const each of marked) {
      const action = actionOf(each);
      counts[action] = (counts[action] ?? 0) + 1;
      if (oneByOne) tell(linesOf(each, action, reason), action);
    }
    if (!few)
      this.log.info({ ...counts, ...(reason && { reason }) }, 'passed messages on; each stands at debug');
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
