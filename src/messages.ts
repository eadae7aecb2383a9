import { bulkStates, type BulkAction, type BulkReport } from './bulk.js';
import { explain, type Explanation } from './core/explain.js';
import { formatId, parseId } from './core/ids.js';
import type { Mail } from './core/mail.js';
import type { Attempt, Message } from './core/message.js';
import { refusalWords } from './core/refusal.js';
import { PillarboxError } from './errors.js';
import { readFilter, readLimit, type ListOptions, type Page } from './message-filter.js';
import { compose, toBytes } from './mime/compose.js';
import { readDeadLetters, type DeadFilter, type DeadLetters } from './dead-letters.js';
import { actOnDeadGroup, listDeadGroups, type DeadGroup } from './store/scripts/dead-groups.js';
import { pageOfIds } from './store/scripts/message-list.js';
import { lastDeedOn } from './store/scripts/audit.js';
import {
  readAttempts,
  readContent,
  readDate,
  readMessages,
  readPlannedAttempts,
} from './store/scripts/messages.js';
import {
  cancel,
  confirmAllSent,
  confirmSent,
  dismiss,
  dismissAll,
  requeue,
  requeueAll,
  type Actor,
  type Refusal,
} from './store/scripts/moves.js';
import { workspaceFigures, type WorkspaceFigures } from './store/scripts/queue-figures.js';
import { searchIds } from './store/scripts/search.js';
import { readStanding } from './store/scripts/standing.js';
import type { Script } from './store/script.js';
import type { Store } from './store/store.js';

export type { ListOptions, Page } from './message-filter.js';

const GROUP_STEP = 500;
/** A filter is worked off in steps; whoever has more to do asks again. */
const BULK_STEP = 200;
const BULK_AT_MOST = 20_000;
const REFUSED_SHOWN = 100;

/** Looking at messages and deciding about them, in one workspace. Every decision acts once, however often it is made. */
export class Messages {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
  ) {}

  /** Throws `not_found`. */
  async get(id: string): Promise<Message> {
    const now = await this.store.now();
    const script = readMessages(this.store, this.workspaceId, [numberOf(id)], now);
    const [message] = await this.store.read(script);
    return message ?? notFound(id);
  }

  /** Newest first. A page may hold fewer than there are, even none, and say where to go on. */
  async list(options: ListOptions = {}): Promise<Page<Message>> {
    const now = await this.store.now();
    return this.store.read(this.#list(options, now));
  }

  *#list(options: ListOptions, now: number): Script<Page<Message>> {
    const { store, workspaceId } = this;
    const limit = readLimit(options.limit);
    const filter = yield* readFilter(store, workspaceId, { ...options, limit });
    if (!filter) return { items: [], nextCursor: null };
    const { ids, stop } =
      filter.text === undefined
        ? yield* pageOfIds(store, workspaceId, filter)
        : yield* searchIds(store, workspaceId, filter, filter.text);
    const next = ids.length === limit ? ids.at(-1) : stop;
    const items = yield* readMessages(store, workspaceId, ids, now);
    return { items, nextCursor: next === undefined ? null : formatId('message', next) };
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

  /** When the tries that are left would begin, the next one first. */
  async plannedAttempts(id: string): Promise<readonly number[]> {
    const now = await this.store.now();
    return this.store.read(readPlannedAttempts(this.store, this.workspaceId, numberOf(id), now));
  }

  /** The mail as it was frozen. Throws `not_found` also when retention has removed it. */
  async content(id: string): Promise<{ readonly message: Message; readonly mail: Mail }> {
    const message = await this.get(id);
    const text = await this.store.read(readContent(this.store, message.number));
    if (text === undefined) {
      throw new PillarboxError(
        'not_found',
        `the content of message ${message.id} is gone: what has left is forgotten after the retention time`,
      );
    }
    return { message, mail: JSON.parse(text) as Mail };
  }

  /** The bytes that leave, without the signature that a transport may add. Bcc is nowhere in them. */
  async raw(id: string): Promise<Buffer> {
    const { message, mail } = await this.content(id);
    const date = await this.store.read(readDate(this.store, message.number));
    const stamp = { messageId: message.messageId, date: date ?? (await this.store.now()) };
    return toBytes(compose(mail, stamp));
  }

  /** Why it has not left, and until when. */
  async explain(id: string): Promise<Explanation> {
    const now = await this.store.now();
    const standing = await this.store.read(readStanding(this.store, this.workspaceId, numberOf(id), now));
    return standing ? explain(standing) : notFound(id);
  }

  /** A dead message gets a fresh round of tries, due now. */
  retry(id: string): Promise<Message> {
    return this.#move(id, 'retry', (number, actor) => requeue(this.store, number, 'dead', actor));
  }

  /** The same for whatever failed: a held message too, which then may go twice. */
  retryFailed(id: string): Promise<Message> {
    const { store } = this;
    return this.#move(id, 'retry', function* (number, actor) {
      const refusal = yield* requeue(store, number, 'dead', actor);
      return refusal === 'held' ? yield* requeue(store, number, 'held', actor) : refusal;
    });
  }

  /** A dead or held message leaves the work lists for good. */
  dismiss(id: string): Promise<Message> {
    return this.#move(id, 'dismiss', (number, actor) => dismiss(this.store, number, actor));
  }

  /** Stops a message that has not been handed over. One that a worker holds is stopped at the gate. */
  cancel(id: string): Promise<Message> {
    return this.#move(id, 'cancel', (number, actor) => cancel(this.store, number, actor));
  }

  /** A person says what became of a held message: it was `sent`, or it was not and should be. */
  resolve(id: string, as: 'sent' | 'unsent'): Promise<Message> {
    return this.#move(id, 'resolve', (number, actor) =>
      as === 'sent' ? confirmSent(this.store, number, actor) : requeue(this.store, number, 'held', actor),
    );
  }

  /** One decision about many. What no longer allows it is counted as a conflict and left alone. */
  async act(action: BulkAction, ids: readonly string[]): Promise<BulkReport> {
    const numbers = new Map(ids.map((id) => [id, parseId('message', id)]));
    const known = [...new Set([...numbers.values()].filter((number) => number !== undefined))];
    const done = new Set<number>();
    for (let first = 0; first < known.length; first += BULK_STEP) {
      const moved = await this.#actOn(action, known.slice(first, first + BULK_STEP));
      for (const number of moved) done.add(number);
    }
    const refused = [...numbers].filter(([, number]) => number === undefined || !done.has(number));
    return {
      done: done.size,
      conflicts: refused.length,
      refused: refused.slice(0, REFUSED_SHOWN).map(([id]) => id),
      more: false,
    };
  }

  /** The same about all that match and allow it. */
  async actOnMatching(action: BulkAction, filter: ListOptions): Promise<BulkReport> {
    const states = bulkStates(action, filter.state);
    let [done, conflicts, seen] = [0, 0, 0];
    const refused: string[] = [];
    let cursor: string | undefined;
    if (states.length === 0) return { done, conflicts, refused, more: false };
    do {
      const page: Page<Message> = await this.list({ ...filter, state: states, limit: BULK_STEP, cursor });
      const numbers = page.items.map(({ number }) => number);
      const moved = new Set(await this.#actOn(action, numbers));
      const left = page.items.filter(({ number }) => !moved.has(number));
      done += moved.size;
      conflicts += left.length;
      refused.push(...left.map(({ id }) => id).slice(0, REFUSED_SHOWN - refused.length));
      seen += BULK_STEP;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && seen < BULK_AT_MOST);
    return { done, conflicts, refused, more: cursor !== undefined };
  }

  async #actOn(action: BulkAction, ids: readonly number[]): Promise<readonly number[]> {
    if (ids.length === 0) return [];
    return this.store.transaction(moveAll(this.store, action, ids, await this.#actor()));
  }

  /** Dead letters by cause, largest first. */
  deadGroups(): Promise<readonly DeadGroup[]> {
    return this.store.read(listDeadGroups(this.store, this.workspaceId));
  }

  /** How many there are in each state. */
  countByState(): Promise<WorkspaceFigures> {
    return this.store.read(workspaceFigures(this.store, this.workspaceId));
  }

  /** The same with what a retry of each would do. */
  async deadLetters(filter: DeadFilter = {}): Promise<DeadLetters> {
    const now = await this.store.now();
    return this.store.read(readDeadLetters(this.store, this.workspaceId, filter, now));
  }

  /** All of one cause. Answers how many; `onProgress` hears how many so far. */
  retryGroup(fingerprint: string, onProgress?: (done: number) => void): Promise<number> {
    return this.#actOnWholeGroup(fingerprint, 'retry', onProgress);
  }

  dismissGroup(fingerprint: string, onProgress?: (done: number) => void): Promise<number> {
    return this.#actOnWholeGroup(fingerprint, 'dismiss', onProgress);
  }

  /** As many of one cause as fit into a while; whoever wants the rest asks again. */
  async actOnGroup(
    kind: 'retry' | 'dismiss',
    fingerprint: string,
    patienceMs: number,
    onProgress?: (done: number) => void,
  ): Promise<{ readonly done: number; readonly more: boolean }> {
    const { store } = this;
    const until = performance.now() + patienceMs;
    let done = 0;
    do {
      const actor = await this.#actor();
      const step = await store.transaction(actOnDeadGroup(store, fingerprint, kind, actor, GROUP_STEP));
      done += step.done;
      onProgress?.(done);
      if (step.last) return { done, more: false };
    } while (performance.now() < until);
    return { done, more: true };
  }

  async #actOnWholeGroup(
    fingerprint: string,
    kind: 'retry' | 'dismiss',
    onProgress?: (done: number) => void,
  ): Promise<number> {
    return (await this.actOnGroup(kind, fingerprint, Infinity, onProgress)).done;
  }

  async #move(
    id: string,
    kind: BulkAction['kind'],
    script: (number: number, actor: Actor) => Script<Refusal>,
  ): Promise<Message> {
    const actor = await this.#actor();
    const refusal = await this.store.transaction(script(numberOf(id), actor));
    if (refusal === null) notFound(id);
    if (refusal === undefined) return this.get(id);
    const deed = await this.store.read(lastDeedOn(this.store, this.workspaceId, id));
    throw new PillarboxError('illegal_move', refusalWords(refusal, kind, deed, actor.now));
  }

  async #actor(): Promise<Actor> {
    return { workspaceId: this.workspaceId, now: await this.store.now() };
  }
}

function* moveAll(
  store: Store,
  action: BulkAction,
  ids: readonly number[],
  actor: Actor,
): Script<readonly number[]> {
  switch (action.kind) {
    case 'retry':
      return yield* requeueAll(store, ids, 'dead', actor);
    case 'dismiss':
      return yield* dismissAll(store, ids, actor);
    case 'resolve':
      return action.as === 'sent'
        ? yield* confirmAllSent(store, ids, actor)
        : yield* requeueAll(store, ids, 'held', actor);
    case 'cancel': {
      const stopped: number[] = [];
      for (const id of [...ids].sort((a, b) => a - b))
        if ((yield* cancel(store, id, actor)) === undefined) stopped.push(id);
      return stopped;
    }
  }
}

const numberOf = (id: string): number => parseId('message', id) ?? notFound(id);

function notFound(id: string): never {
  throw new PillarboxError('not_found', `there is no message ${id.slice(0, 40)}`);
}
