import {
  finishedStatesBefore,
  statesBefore,
  waitingState,
  type FinishedState,
  type State,
} from '../../core/lifecycle.js';
import { ask, askCompiled, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { finishWaiting } from './finish.js';
import { tally, tallyLeaving } from './tallies.js';

/** The moves that people make, one message at a time, and that a late reply makes. Each acts once, however often it is asked. */
export interface Actor {
  readonly workspaceId: number;
  readonly now: number;
}

/** Undefined: done. Otherwise the state that does not allow it; null: there is no such message. */
export type Refusal = State | null | undefined;

const ROUNDS_OF_CANCEL = 3;

/**
 * Stops a message that has not passed the gate. It may move between the places while we look, so each round asks
 * place by place in statements of their own; the row lock of its lease orders us against the gate.
 */
export function* cancel(store: Store, id: number, actor: Actor): Script<Refusal> {
  for (let round = 0; round < ROUNDS_OF_CANCEL; round += 1) {
    if (yield* cancelWaiting(store, id, actor)) return undefined;
    if (yield* withdraw(store, id, actor)) return undefined;
    const finished = yield* finishedState(store, id, actor);
    if (finished) return finished;
  }
  const known = yield* exists(store, id, actor);
  return known ? 'sending' : null;
}

function* cancelWaiting(store: Store, id: number, { workspaceId, now }: Actor): Script<boolean> {
  const removed = yield* askOne(
    store.db
      .deleteFrom('due')
      .where('message_id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .returning('message_id'),
  );
  if (!removed) return false;
  yield* finishWaiting(store, [id], 'cancelled', 'cancelled_by_person', now);
  return true;
}

/** Marks it in its lease: the gate refuses it, and its settle cancels it instead of putting it back. */
function* withdraw({ db, dialect, at }: Store, id: number, { workspaceId }: Actor): Script<boolean> {
  const ours = yield* askOne(
    db.selectFrom('messages').select('id').where('id', '=', id).where('workspace_id', '=', workspaceId),
  );
  if (!ours) return false;
  const rows = yield* askCompiled<{ id: number }>(
    dialect === 'postgres'
      ? {
          sql: `update ${at('leases')} set withdrawn = withdrawn || $1::bigint
            where $1::bigint = any(ids) and not $1::bigint = any(handed) and not $1::bigint = any(withdrawn) returning id`,
          parameters: [id],
        }
      : {
          sql: `update leases set withdrawn = json_insert(withdrawn, '$[#]', ?1)
            where exists (select 1 from json_each(ids) where value = ?1)
            and not exists (select 1 from json_each(handed) where value = ?1)
            and not exists (select 1 from json_each(withdrawn) where value = ?1) returning id`,
          parameters: [id],
        },
  );
  return rows.length > 0;
}

function* finishedState(
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

function* exists({ db }: Store, id: number, { workspaceId }: Actor): Script<boolean> {
  const row = yield* askOne(
    db.selectFrom('messages').select('id').where('id', '=', id).where('workspace_id', '=', workspaceId),
  );
  return row !== undefined;
}

/** Which state, if the message is here at all, stands in the way of a person's move. */
function* refusal(store: Store, id: number, actor: Actor): Script<Refusal> {
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
  { db, dialect }: Store,
  ids: readonly number[],
  states: readonly FinishedState[],
  { workspaceId }: Actor,
): Script<readonly number[]> {
  const query = db
    .selectFrom('outcomes')
    .select('message_id')
    .where('message_id', 'in', ids)
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', states)
    .orderBy('message_id');
  const rows = yield* ask(dialect === 'postgres' ? query.forUpdate() : query);
  return rows.map((row) => row.message_id);
}

/** Back into the queue with a fresh budget: `dead` by "retry", `held` by "it did not leave". */
export function* requeue(store: Store, id: number, from: 'dead' | 'held', actor: Actor): Script<Refusal> {
  const moved = yield* requeueAll(store, [id], from, actor);
  return moved.length > 0 ? undefined : yield* refusal(store, id, actor);
}

/** Answers which of them went back. */
export function* requeueAll(
  store: Store,
  ids: readonly number[],
  from: 'dead' | 'held',
  actor: Actor,
): Script<readonly number[]> {
  const { db } = store;
  const allowed = finishedStatesBefore('requeued').filter((state) => state === from);
  const found = yield* lockFinished(store, ids, allowed, actor);
  if (found.length === 0) return found;
  yield* tallyLeaving(store, found, actor.now);
  yield* ask(db.deleteFrom('outcomes').where('message_id', 'in', found));
  yield* ask(
    db
      .updateTable('messages')
      .set({ attempts: 0, lone_losses: 0, error_class: null, error_code: null, error: null })
      .where('id', 'in', found),
  );
  yield* putBack(store, found, actor.now, 'scheduled');
  return found;
}

function* putBack(
  { db }: Store,
  ids: readonly number[],
  dueAt: number,
  as: 'scheduled' | 'retry_scheduled',
): Script<void> {
  yield* ask(
    db
      .insertInto('due')
      .columns(['message_id', 'workspace_id', 'channel_id', 'due_at', 'expires_at', 'tried'])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select((select) => [
            'id',
            'workspace_id',
            'channel_id',
            select.val(dueAt).as('due_at'),
            'expires_at',
            select.val(as === 'retry_scheduled' ? 1 : 0).as('tried'),
          ])
          .where('id', 'in', ids),
      ),
  );
}

/** Out of the work lists, for good. */
export function* dismiss(store: Store, id: number, actor: Actor): Script<Refusal> {
  const moved = yield* dismissAll(store, [id], actor);
  return moved.length > 0 ? undefined : yield* refusal(store, id, actor);
}

export const dismissAll = (store: Store, ids: readonly number[], actor: Actor): Script<readonly number[]> =>
  refinish(store, ids, 'dismissed', 'cancelled', 'dismissed_by_person', actor);

/** A person says that a held message did leave. */
export function* confirmSent(store: Store, id: number, actor: Actor): Script<Refusal> {
  const moved = yield* confirmAllSent(store, [id], actor);
  return moved.length > 0 ? undefined : yield* refusal(store, id, actor);
}

export const confirmAllSent = (
  store: Store,
  ids: readonly number[],
  actor: Actor,
): Script<readonly number[]> => refinish(store, ids, 'confirmed', 'sent', 'confirmed_by_person', actor);

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
      .where('message_id', 'in', found),
  );
  yield* tally(store, found, state, actor.now);
  return found;
}

/**
 * A definite reply that comes after its lease was lost resolves its own doubt and can touch nothing else: only a
 * message that is held, or waits to be sent again, because of exactly this lease.
 */
export function* resolveLate(
  store: Store,
  id: number,
  fence: number,
  left: boolean,
  now: number,
): Script<boolean> {
  const { db } = store;
  if (left) {
    const held = yield* askOne(
      db
        .updateTable('outcomes')
        .set({ state: 'sent', reason: 'late_reply', finished_at: now })
        .where('message_id', '=', id)
        .where('state', 'in', finishedStatesBefore('confirmed'))
        .where('lease_id', '=', fence)
        .returning('message_id'),
    );
    if (held) {
      yield* tally(store, [id], 'held', now, -1);
      yield* tally(store, [id], 'sent', now);
      return true;
    }
    if (!statesBefore('confirmed').includes('retry_scheduled')) return false;
    const waiting = yield* askOne(
      db
        .deleteFrom('due')
        .where('message_id', '=', id)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('attempts')
              .select('attempts.message_id')
              .where('attempts.message_id', '=', id)
              .where('attempts.lease_id', '=', fence)
              .where('attempts.outcome', '=', 'in_doubt'),
          ),
        )
        .returning('message_id'),
    );
    if (waiting) yield* finishWaiting(store, [id], 'sent', 'late_reply', now);
    return waiting !== undefined;
  }
  const refuted = yield* askOne(
    db
      .deleteFrom('outcomes')
      .where('message_id', '=', id)
      .where('state', 'in', finishedStatesBefore('refuted'))
      .where('lease_id', '=', fence)
      .returning('message_id'),
  );
  if (refuted) {
    yield* tally(store, [id], 'held', now, -1);
    yield* putBack(store, [id], now, 'retry_scheduled');
  }
  return refuted !== undefined;
}
