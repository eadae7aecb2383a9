import { randomInt } from 'node:crypto';
import { freshClaim } from '../claimed-row.js';
import { runAsync, type Script } from '../script.js';
import type { Enqueued, LeasedEnqueue, NewMessage } from '../store.js';
import { LostAnswer, type Connections } from './connections.js';
import { answersOf, enqueueLeased, enqueueMessages, type Marks, type StoredRow } from './enqueue.js';
import { explainFailure, unknownCommit } from './failures.js';
import { findLeaseOf, findMarked } from './lost-commit.js';
import type { Prepared } from './time.js';

const TRIES = 3;

export interface EnqueuerOptions {
  readonly connections: Connections;
  readonly schema: string;
  /** The statements of the moment: they hold the clock. */
  statements(): { readonly one: Prepared; readonly group: Prepared; readonly leased: Prepared };
  /** Throws `LostAnswer` if no answer came. */
  ask(statement: { readonly name?: string; readonly text: string }, values: unknown[]): Promise<unknown[]>;
}

/**
 * Stores messages and tells the truth about it, also when the connection is lost at the commit. Every message carries
 * a number of its own making, the mark; after a lost answer it is looked for. It is there: stored. It is not, and
 * can't come any more: stored now. Nobody can say: `commit_unknown`. Why so: docs/decisions/0012.
 */
export class Enqueuer {
  /** Processes begin anywhere in a space of 2^47; two that meet would have to do so within one look. */
  #mark = randomInt(2 ** 47);
  /** The largest id seen so far. Ids only grow, so whatever is stored from now on is above it. */
  #floor = 0;

  constructor(private readonly options: EnqueuerOptions) {}

  seen(id: number): void {
    this.#floor = Math.max(this.#floor, id);
  }

  enqueue(messages: readonly NewMessage[]): Promise<readonly Enqueued[]> {
    const { schema } = this.options;
    const statements = this.options.statements();
    return this.#surely(messages, {
      store: (marks) => enqueueMessages(messages, statements, schema, marks),
      recall: (rows) => answersOf(messages, rows, schema),
      enqueuedOf: (enqueued) => enqueued,
    });
  }

  enqueueLeased(messages: readonly NewMessage[], owner: string): Promise<LeasedEnqueue> {
    const { schema } = this.options;
    const { leased } = this.options.statements();
    return this.#surely(messages, {
      store: (marks) => enqueueLeased(messages, owner, leased, schema, marks),
      *recall(rows) {
        const enqueued = yield* answersOf(messages, rows, schema);
        const first = rows.find(({ stored }) => stored);
        const lease = first && (yield* findLeaseOf(schema, owner, Number(first.id)));
        const claim = lease && freshClaim(messages, enqueued, lease.id, lease.claimed_at);
        return { enqueued, claim };
      },
      enqueuedOf: ({ enqueued }) => enqueued,
    });
  }

  async #surely<T>(
    messages: readonly NewMessage[],
    work: {
      readonly store: (marks: Marks) => Script<T>;
      /** The answer again, when it is known what was stored. */
      readonly recall: (rows: readonly StoredRow[]) => Script<T>;
      readonly enqueuedOf: (result: T) => readonly Enqueued[];
    },
  ): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      const floor = this.#floor;
      const marks = messages.map(() => (this.#mark += 1));
      try {
        const result = await this.#run(work.store(marks));
        for (const { id } of work.enqueuedOf(result)) this.seen(id);
        return result;
      } catch (error) {
        if (!(error instanceof LostAnswer)) throw explainFailure(error);
        const rows = await this.#look(error, marks, floor);
        if (!rows) throw unknownCommit(error);
        if (rows.some(({ stored }) => stored)) return this.#run(work.recall(rows));
        if (tries === TRIES) throw explainFailure(error.cause);
      }
    }
  }

  /** Undefined: it can't be found out. */
  async #look(lost: LostAnswer, marks: Marks, floor: number): Promise<readonly StoredRow[] | undefined> {
    const { connections, schema } = this.options;
    const found = await findMarked(connections, schema, lost, { marks, floor });
    return found && marks.map((mark, n) => ({ n, id: found.get(mark) ?? 0, stored: found.has(mark) }));
  }

  #run<T>(script: Script<T>): Promise<T> {
    const { one, group, leased } = this.options.statements();
    return runAsync(script, ({ sql, parameters }) => {
      const known = [one, group, leased].find(({ text }) => text === sql);
      return this.options.ask(known ?? { text: sql }, [...parameters]);
    });
  }
}
