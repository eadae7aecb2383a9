import { isOutage } from '../core/errors.js';
import type { OutageLog } from '../log/log.js';
import { GroupWriter, Refused } from './group-writer.js';
import { pauseAfter, type Pauses } from './pauses.js';

/** What became of one item: written, or refused by the database for what it is. Undefined: nobody waits any more. */
type Fate<Out> = Out | Refused | undefined;

/**
 * Writes in groups and knows two kinds of failure. A database that is away is waited for, without end. What it refuses
 * for its content (a bug, a value that it does not take) is searched for by halves, so that it keeps nobody else,
 * and comes back as an error to whoever wrote it.
 */
export class PatientWriter<In, Out> {
  readonly #group: GroupWriter<In, Out | undefined>;

  constructor(
    private readonly store: (items: readonly In[]) => Promise<readonly Out[]>,
    private readonly pauses: Pauses,
    private readonly outage: OutageLog,
    limits: { readonly largest?: number } = {},
  ) {
    this.#group = new GroupWriter((items) => this.#persist(items), limits);
  }

  /** Undefined: the pauses are over, and it may not have been written. */
  write(item: In): Promise<Out | undefined> {
    return this.#group.write(item);
  }

  /** Without company: for what was refused before. */
  async writeAlone(item: In): Promise<Out | undefined> {
    const [fate] = await this.#persist([item]);
    if (fate instanceof Refused) throw fate.reason;
    return fate;
  }

  async #persist(items: readonly In[]): Promise<readonly Fate<Out>[]> {
    for (let failures = 0; !this.pauses.over; failures += 1) {
      try {
        const written = await this.store(items);
        this.outage.worked();
        return written;
      } catch (error) {
        if (!isOutage(error)) return this.#apart(items, error);
        this.outage.failed(error, { waiting: items.length });
      }
      await this.pauses.take(pauseAfter(failures));
    }
    return items.map(() => undefined);
  }

  async #apart(items: readonly In[], refused: unknown): Promise<readonly Fate<Out>[]> {
    if (items.length === 1) return [new Refused(refused)];
    const half = Math.ceil(items.length / 2);
    return [...(await this.#persist(items.slice(0, half))), ...(await this.#persist(items.slice(half)))];
  }
}
