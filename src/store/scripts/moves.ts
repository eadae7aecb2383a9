import { finishedStatesBefore, waitingState, type FinishedState, type State } from '../../core/lifecycle.js';
import type { Hopeless } from '../../core/hopeless.js';
import { LINES } from '../../core/lines.js';
import { among } from '../among.js';
import { COPIED_INTO_DUE } from '../message-columns.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { bringBackFollowers } from './follow-ups.js';
import { hopelessAmong } from './hopeless.js';
import { decideReserved } from './reservations.js';
import { tally, tallyLeaving } from './tallies.js';

/** The moves that people make. Each acts once, however often it is asked. */
export interface Actor {
  readonly workspaceId: number;
  readonly now: number;
}

/** Undefined: done. Otherwise the state that does not allow it, or why it would not help; null: there is no such message. */
export type MoveRefusal = State | Hopeless | null | undefined;

export function* finishedState(
  { db }: Store,
  id: number,
  { workspaceId }: Actor,
): Script<FinishedState | undefined> {
  const row = yield* askOne(
    db
      .selectFrom('outcomes')
      .select('state')
      .where('message_id', '=', id)
      .where('workspace_id', '=', workspaceId),
  );
  return row?.state;
}

export function* exists({ db }: Store, id: number, { workspaceId }: Actor): Script<boolean> {
  const row = yield* askOne(
    db.selectFrom('messages').select('id').where('id', '=', id).where('workspace_id', '=', workspaceId),
  );
  return row !== undefined;
}

/** Which state, if the message is here at all, stands in the way of a person's move. */
function* refusal(store: Store, id: number, actor: Actor): Script<MoveRefusal> {
  const finished = yield* finishedState(store, id, actor);
  if (finished) return finished;
  const waiting = yield* askOne(
    store.db
      .selectFrom('due')
      .select(['due.tried', 'due.queued_at'])
      .where('due.message_id', '=', id)
      .where('due.workspace_id', '=', actor.workspaceId),
  );
  if (waiting) return waitingState(waiting.tried === 1, waiting.queued_at);
  return (yield* exists(store, id, actor)) ? 'sending' : null;
}

/**
 * Which of these are in one of these states, locked until the move is made: whoever comes second finds nothing. In
 * the order of their ids, as everywhere, so that two moves of many cannot wait for each other.
 */
function* lockFinished(
  store: Store,
  ids: readonly number[],
  states: readonly FinishedState[],
  { workspaceId }: Actor,
): Script<readonly number[]> {
  const query = store.db
    .selectFrom('outcomes')
    .select('message_id')
    .where((eb) => among(store, eb.ref('message_id'), ids))
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', states)
    .orderBy('message_id');
  const rows = yield* ask(store.dialect === 'postgres' ? query.forUpdate() : query);
  return rows.map((row) => row.message_id);
}

/** Back into the queue with a fresh budget: `dead` by "retry", `held` by "it did not leave". */
export function* requeue(store: Store, id: number, from: 'dead' | 'held', actor: Actor): Script<MoveRefusal> {
  const moved = yield* requeueAll(store, [id], from, actor);
  if (moved.length > 0) return undefined;
  const state = yield* refusal(store, id, actor);
  return state === from ? ((yield* hopelessAmong(store, [id], actor)).get(id) ?? state) : state;
}

/** Answers which of them went back. What could only be skipped, or expire, is left where it is. */
export function* requeueAll(
  store: Store,
  ids: readonly number[],
  from: 'dead' | 'held',
  actor: Actor,
): Script<readonly number[]> {
  const { db } = store;
  const allowed = finishedStatesBefore('requeued').filter((state) => state === from);
  const locked = yield* lockFinished(store, ids, allowed, actor);
  const hopeless = yield* hopelessAmong(store, locked, actor);
  const found = locked.filter((id) => !hopeless.has(id));
  if (found.length === 0) return found;
  yield* tallyLeaving(store, found, actor.now);
  yield* ask(db.deleteFrom('outcomes').where((eb) => among(store, eb.ref('message_id'), found)));
  yield* ask(
    db
      .updateTable('messages')
      .set({ attempts: 0, lone_losses: 0, error_class: null, error_code: null, error: null })
      .where((eb) => among(store, eb.ref('id'), found)),
  );
  yield* putBack(store, found, actor.now, 'scheduled');
  yield* bringBackFollowers(store, found, actor.now);
  if (from === 'held') yield* decideReserved(store, found, 'unsent');
  return found;
}

/** Into the line, without a place in `outcomes` any more. */
export function* putBack(
  store: Store,
  ids: readonly number[],
  dueAt: number,
  as: 'scheduled' | 'retry_scheduled',
): Script<void> {
  yield* ask(
    store.db
      .insertInto('due')
      .columns(['message_id', 'due_at', 'tried', 'alone', ...COPIED_INTO_DUE])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select((select) => [
            'id',
            select.val(dueAt).as('due_at'),
            select.val(as === 'retry_scheduled' ? 1 : 0).as('tried'),
            select
              .case()
              .when('closes_at', 'is not', null)
              .then(LINES.own)
              .else(LINES.together)
              .end()
              .as('alone'),
            ...COPIED_INTO_DUE,
          ])
          .where((eb) => among(store, eb.ref('id'), ids)),
      ),
  );
}

/** Out of the work lists, for good. */
export function* dismiss(store: Store, id: number, actor: Actor): Script<MoveRefusal> {
  const moved = yield* dismissAll(store, [id], actor);
  return moved.length > 0 ? undefined : yield* refusal(store, id, actor);
}

export const dismissAll = (store: Store, ids: readonly number[], actor: Actor): Script<readonly number[]> =>
  refinish(store, ids, 'dismissed', 'cancelled', 'dismissed_by_person', actor);

/** A person says that a held message did leave. */
export function* confirmSent(store: Store, id: number, actor: Actor): Script<MoveRefusal> {
  const moved = yield* confirmAllSent(store, [id], actor);
  return moved.length > 0 ? undefined : yield* refusal(store, id, actor);
}

export const confirmAllSent = (
  store: Store,
  ids: readonly number[],
  actor: Actor,
  reason = 'confirmed_by_person',
): Script<readonly number[]> => refinish(store, ids, 'confirmed', 'sent', reason, actor);

function* refinish(
  store: Store,
  ids: readonly number[],
  event: 'dismissed' | 'confirmed',
  state: FinishedState,
  reason: string,
  actor: Actor,
): Script<readonly number[]> {
  const found = yield* lockFinished(store, ids, finishedStatesBefore(event), actor);
  if (found.length === 0) return found;
  yield* tallyLeaving(store, found, actor.now);
  yield* ask(
    store.db
      .updateTable('outcomes')
      .set({ state, reason, finished_at: actor.now, fingerprint: null })
      .where((eb) => among(store, eb.ref('message_id'), found)),
  );
  yield* tally(store, found, state, actor.now);
  yield* decideReserved(store, found, event === 'confirmed' ? 'sent' : 'dropped');
  return found;
}
