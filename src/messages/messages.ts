import { bulkStates, type BulkAction, type BulkReport, type GroupReport } from './bulk.js';
import { bulkTally, REFUSED_SHOWN } from '../core/bulk-tally.js';
import { explain, type Explanation } from '../core/explain.js';
import { hopelessWords, type Hopeless } from '../core/hopeless.js';
import { formatId, parseId } from '../core/ids.js';
import { knownOptions } from '../core/known-options.js';
import type { Mail } from '../core/mail.js';
import type { Attempt, Message } from '../core/message.js';
import { refusalWords } from '../core/refusal.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { readLimit, type Page } from '../core/page.js';
import { LIST_OPTIONS, readFilter, type ListOptions } from './filter.js';
import { compose, toBytes } from '../mime/compose.js';
import { actOnDeadGroup, isDeadCause, listDeadGroups, type DeadGroup } from '../store/scripts/dead-groups.js';
import { DEAD_FILTER, readDeadLetters, type DeadFilter, type DeadLetters } from './dead-letters.js';
import { pageOfIds } from '../store/scripts/message-list.js';
import { lastActionOn } from '../store/scripts/audit.js';
import {
  readAttempts,
  readContent,
  readDate,
  readMessages,
  readPlannedAttempts,
} from '../store/scripts/messages.js';
import { cancel, cancelAll } from '../store/scripts/cancel.js';
import {
  confirmAllSent,
  confirmSent,
  dismiss,
  dismissAll,
  requeue,
  requeueAll,
  type Actor,
  type MoveRefusal,
} from '../store/scripts/moves.js';
import { workspaceFigures, type WorkspaceFigures } from '../store/scripts/queue-figures.js';
import { searchIds } from '../store/scripts/search.js';
import { readTimezone } from '../store/scripts/settings.js';
import { readStanding } from '../store/scripts/standing.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';

const GROUP_STEP = 500;
/** A filter is worked off in steps; whoever has more to do asks again. */
const BULK_STEP = 200;
const BULK_AT_MOST = 20_000;

/** Looking at messages and deciding about them, in one workspace. Every decision acts once, however often it is made. */
export class Messages {
  constructor(
    private readonly store: Store,
    private readonly workspaceId: number,
    /** Puts in what those say in their subject whose mail is not made yet. Never fails. Default: none. */
    private readonly withSubjects: (messages: readonly Message[]) => Promise<readonly Message[]> = (
      messages,
    ) => Promise.resolve(messages),
  ) {}

  /** Throws `not_found`. */
  async get(id: string): Promise<Message> {
    const found = (await this.#find(id)) ?? notFound(id);
    const [message = found] = await this.withSubjects([found]);
    return message;
  }

  async #find(id: string): Promise<Message | undefined> {
    const now = await this.store.now();
    return (await this.store.read(readMessages(this.store, this.workspaceId, [numberOf(id)], now)))[0];
  }

  /** Newest first. A page may hold fewer than there are, even none, and say where to go on. */
  async list(options: ListOptions = {}): Promise<Page<Message>> {
    const page = await this.#page(options);
    return { ...page, items: await this.withSubjects(page.items) };
  }

  async #page(options: ListOptions): Promise<Page<Message>> {
    knownOptions(options, LIST_OPTIONS);
    const now = await this.store.now();
    return this.store.read(this.#list(options, now));
  }

  *#list(options: ListOptions, now: number): Script<Page<Message>> {
    const { store, workspaceId } = this;
    const limit = readLimit(options.limit);
    const filter = yield* readFilter(store, workspaceId, { ...options, limit }, now);
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
    const message = await this.#find(id);
    const text = message && (await this.store.read(readContent(this.store, message.number)));
    if (!message || text === undefined) {
      throw new PillarboxError(
        'not_found',
        `there is no content of message ${id.slice(0, 40)}: what has left is forgotten after the retention time`,
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
  async resolve(id: string, as: 'sent' | 'unsent'): Promise<Message> {
    readResolution(as);
    return this.#move(id, 'resolve', (number, actor) =>
      as === 'sent' ? confirmSent(this.store, number, actor) : requeue(this.store, number, 'held', actor),
    );
  }

  /** One decision about many. What no longer allows it is counted as a conflict and left alone. */
  async act(action: BulkAction, ids: readonly string[]): Promise<BulkReport> {
    if (action.kind === 'resolve') readResolution(action.as);
    const numbers = new Map(ids.map((id) => [id, parseId('message', id)]));
    const known = [...new Set([...numbers.values()].filter((number) => number !== undefined))];
    const done = new Set<number>();
    for (let first = 0; first < known.length; first += BULK_STEP) {
      const moved = await this.#actOn(action, known.slice(first, first + BULK_STEP));
      for (const number of moved) done.add(number);
    }
    return { ...bulkTally(numbers, done), more: false };
  }

  /** The same about all that match and allow it. */
  async actOnMatching(action: BulkAction, filter: ListOptions): Promise<BulkReport> {
    knownOptions(filter, LIST_OPTIONS);
    if (action.kind === 'resolve') readResolution(action.as);
    const states = bulkStates(action, filter.state);
    let [done, conflicts, seen] = [0, 0, 0];
    const refused: string[] = [];
    let cursor: string | undefined;
    if (states.length === 0) return { done, conflicts, refused, more: false };
    do {
      const page: Page<Message> = await this.#page({ ...filter, state: states, limit: BULK_STEP, cursor });
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
    const actor = await this.#actor();
    return this.store.transaction(() => moveAll(this.store, action, ids, actor));
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
    knownOptions(filter, DEAD_FILTER);
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

  /** As many of one cause as fit into a while; whoever wants the rest asks again. What can't be helped is left out. */
  async actOnGroup(
    kind: 'retry' | 'dismiss',
    fingerprint: string,
    patienceMs: number,
    onProgress?: (done: number) => void,
  ): Promise<GroupReport> {
    const { store } = this;
    const until = performance.now() + patienceMs;
    let [done, conflicts, after] = [0, 0, 0];
    do {
      const actor = await this.#actor();
      const from = after;
      const step = await store.transaction(() =>
        actOnDeadGroup(store, fingerprint, kind, actor, from, GROUP_STEP),
      );
      done += step.done;
      conflicts += step.conflicts;
      onProgress?.(done);
      if (step.next === undefined) {
        if (done + conflicts === 0) await this.#refuseUnknownCause(fingerprint);
        return { done, conflicts, more: false };
      }
      after = step.next;
    } while (performance.now() < until);
    return { done, conflicts, more: true };
  }

  /** Of a cause that is known nothing may be left: pressed twice, an action finds nothing to do. */
  async #refuseUnknownCause(fingerprint: string): Promise<void> {
    const { store, workspaceId } = this;
    if (await store.read(isDeadCause(store, workspaceId, fingerprint))) return;
    throw new PillarboxError('not_found', 'no dead letter of this workspace has that cause');
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
    script: (number: number, actor: Actor) => Script<MoveRefusal>,
  ): Promise<Message> {
    const actor = await this.#actor();
    const number = numberOf(id);
    const refusal = await this.store.transaction(() => script(number, actor));
    if (refusal === null) notFound(id);
    if (refusal === undefined) return this.get(id);
    if (typeof refusal === 'object') throw await this.#noUse(refusal, actor);
    const past = await this.store.read(lastActionOn(this.store, this.workspaceId, id));
    throw new PillarboxError('illegal_move', refusalWords(refusal, kind, past, actor.now));
  }

  async #noUse(hopeless: Hopeless, { now }: Actor): Promise<PillarboxError> {
    const timezone = await this.store.read(readTimezone(this.store, this.workspaceId));
    return new PillarboxError('illegal_move', hopelessWords(hopeless, { now, timezone }));
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
    case 'cancel':
      return yield* cancelAll(store, ids, actor);
  }
}

/** Anything else taken for "unsent" would send a mail twice. */
function readResolution(as: unknown): void {
  if (as !== 'sent' && as !== 'unsent') throw invalidInput('as', 'should be sent or unsent');
}

const numberOf = (id: string): number => parseId('message', id) ?? notFound(id);

function notFound(id: string): never {
  throw new PillarboxError('not_found', `there is no message ${id.slice(0, 40)}`);
}
