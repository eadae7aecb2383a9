import { explain, type Explanation } from './core/explain.js';
import { parseId } from './core/ids.js';
import type { State } from './core/lifecycle.js';
import type { Attempt, Lane, Message } from './core/message.js';
import { invalidInput, PillarboxError } from './errors.js';
import { actOnDeadGroup, listDeadGroups, type DeadGroup } from './store/scripts/dead-groups.js';
import { listMessages, readAttempts, readMessages } from './store/scripts/messages.js';
import { cancel, confirmSent, dismiss, requeue, type Actor, type Refusal } from './store/scripts/moves.js';
import { readStanding } from './store/scripts/standing.js';
import type { Script } from './store/script.js';
import type { Store } from './store/store.js';

export interface ListOptions {
  readonly state?: State | readonly State[] | undefined;
  readonly lane?: Lane | undefined;
  /** Exactly this address. */
  readonly to?: string | undefined;
  /** At most 200. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

const LARGEST_PAGE = 200;
const GROUP_STEP = 500;

/** Looking at messages and deciding about them, in one workspace. Every decision acts once, however often it is made. */
export class Messages {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
  ) {}

  /** Throws `not_found`. */
  async get(id: string): Promise<Message> {
    const [message] = await this.store.read(readMessages(this.store, this.workspaceId, [numberOf(id)]));
    return message ?? notFound(id);
  }

  /** Newest first. */
  async list(options: ListOptions = {}): Promise<Page<Message>> {
    const { state, lane, to, cursor, limit = 50 } = options;
    if (!Number.isInteger(limit) || limit < 1 || limit > LARGEST_PAGE) {
      throw invalidInput('limit', `should be a whole number from 1 to ${String(LARGEST_PAGE)}`);
    }
    const before = cursor === undefined ? undefined : (parseId('message', cursor) ?? badCursor());
    const items = await this.store.read(
      listMessages(this.store, this.workspaceId, {
        states: typeof state === 'string' ? [state] : state,
        lane,
        to,
        before,
        limit,
      }),
    );
    return { items, nextCursor: items.length === limit ? (items.at(-1)?.id ?? null) : null };
  }

  /** The engine's tries, oldest first. */
  async attempts(id: string): Promise<readonly Attempt[]> {
    await this.get(id);
    return this.store.read(readAttempts(this.store, this.workspaceId, numberOf(id)));
  }

  /** The caller's own try, which counts as none of the engine's. Null: it was not tried that way. */
  async inlineAttempt(id: string): Promise<Attempt | null> {
    await this.get(id);
    const script = readAttempts(this.store, this.workspaceId, numberOf(id), { inline: true });
    return (await this.store.read(script))[0] ?? null;
  }

  /** Why it has not left, and until when. */
  async explain(id: string): Promise<Explanation> {
    const now = await this.store.now();
    const standing = await this.store.read(readStanding(this.store, this.workspaceId, numberOf(id), now));
    return standing ? explain(standing) : notFound(id);
  }

  /** A dead message gets a fresh round of tries, due now. */
  retry(id: string): Promise<Message> {
    return this.#move(id, 'retried', (number, actor) => requeue(this.store, number, 'dead', actor));
  }

  /** A dead or held message leaves the work lists for good. */
  dismiss(id: string): Promise<Message> {
    return this.#move(id, 'dismissed', (number, actor) => dismiss(this.store, number, actor));
  }

  /** Stops a message that has not been handed over. One that a worker holds is stopped at the gate. */
  cancel(id: string): Promise<Message> {
    return this.#move(id, 'cancelled', (number, actor) => cancel(this.store, number, actor));
  }

  /** A person says what became of a held message: it was `sent`, or it was not and should be. */
  resolve(id: string, as: 'sent' | 'unsent'): Promise<Message> {
    return this.#move(id, 'resolved', (number, actor) =>
      as === 'sent' ? confirmSent(this.store, number, actor) : requeue(this.store, number, 'held', actor),
    );
  }

  /** Dead letters by cause, largest first. */
  deadGroups(): Promise<readonly DeadGroup[]> {
    return this.store.read(listDeadGroups(this.store, this.workspaceId));
  }

  /** All of one cause. Answers how many. */
  retryGroup(fingerprint: string): Promise<number> {
    return this.#actOnGroup(fingerprint, 'retry');
  }

  dismissGroup(fingerprint: string): Promise<number> {
    return this.#actOnGroup(fingerprint, 'dismiss');
  }

  async #actOnGroup(fingerprint: string, action: 'retry' | 'dismiss'): Promise<number> {
    let done = 0;
    for (;;) {
      const actor = await this.#actor();
      const step = await this.store.transaction(
        actOnDeadGroup(this.store, fingerprint, action, actor, GROUP_STEP),
      );
      done += step;
      if (step < GROUP_STEP) return done;
    }
  }

  async #move(
    id: string,
    verb: string,
    script: (number: number, actor: Actor) => Script<Refusal>,
  ): Promise<Message> {
    const refusal = await this.store.transaction(script(numberOf(id), await this.#actor()));
    if (refusal === null) notFound(id);
    if (refusal !== undefined) {
      throw new PillarboxError('illegal_move', `a message that is ${refusal} can't be ${verb}`);
    }
    return this.get(id);
  }

  async #actor(): Promise<Actor> {
    return { workspaceId: this.workspaceId, now: await this.store.now() };
  }
}

const numberOf = (id: string): number => parseId('message', id) ?? notFound(id);

function notFound(id: string): never {
  throw new PillarboxError('not_found', `there is no message ${id.slice(0, 40)}`);
}

function badCursor(): never {
  throw invalidInput('cursor', 'is not a cursor that a list gave');
}
