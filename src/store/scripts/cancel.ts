import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import { WITHDRAWN, type Store } from '../store.js';
import { finishWaiting } from './finish.js';
import { exists, finishedState, type Actor, type MoveRefusal } from './moves.js';
import { Question } from './question.js';

const ROUNDS = 3;

/** Stops a message that has not passed the gate. */
export function* cancel(store: Store, id: number, actor: Actor): Script<MoveRefusal> {
  const stopped = yield* cancelAll(store, [id], actor);
  if (stopped.length > 0) return undefined;
  const finished = yield* finishedState(store, id, actor);
  if (finished) return finished;
  return (yield* exists(store, id, actor)) ? 'sending' : null;
}

/**
 * Answers which of them were stopped. They may move between the places while we look, so each round asks place by place
 * in statements of their own, as many for a thousand as for one; the row locks of their leases order us against the
 * gate.
 */
export function* cancelAll(store: Store, ids: readonly number[], actor: Actor): Script<readonly number[]> {
  const stopped: number[] = [];
  let left = ids;
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    const waited = yield* cancelWaiting(store, left, actor);
    left = without(left, waited);
    const withdrawn = yield* withdraw(store, left, actor);
    left = without(left, withdrawn);
    stopped.push(...waited, ...withdrawn);
    left = without(left, yield* finishedOf(store, left));
  }
  return stopped;
}

const without = (ids: readonly number[], gone: readonly number[]): readonly number[] => {
  const known = new Set(gone);
  return ids.filter((id) => !known.has(id));
};

function* cancelWaiting(
  store: Store,
  ids: readonly number[],
  { workspaceId, now }: Actor,
): Script<readonly number[]> {
  const waiting = store.db
    .selectFrom('due')
    .select('message_id as id')
    .where((eb) => among(store, eb.ref('message_id'), ids))
    .where('workspace_id', '=', workspaceId)
    .orderBy('message_id');
  const locked = yield* ask(store.dialect === 'postgres' ? waiting.forUpdate() : waiting);
  const found = locked.map(({ id }) => id);
  if (found.length === 0) return found;
  yield* ask(store.db.deleteFrom('due').where((eb) => among(store, eb.ref('message_id'), found)));
  yield* finishWaiting(store, found, 'cancelled', WITHDRAWN, now);
  return found;
}

/** Marks them in their leases: the gate refuses them, and their settle cancels them instead of putting them back. */
function* withdraw(store: Store, ids: readonly number[], actor: Actor): Script<readonly number[]> {
  if (ids.length === 0) return [];
  yield* lockLeasesOf(store, ids);
  const leased = yield* withdrawable(store, ids, actor);
  if (leased.length === 0) return [];
  const found = leased.map(({ id }) => id);
  const question = new Question(store);
  const added =
    store.dialect === 'postgres'
      ? `withdrawn || array(select leased.id from unnest(ids) as leased(id) where ${question.among('leased.id', found)})`
      : `(select json_group_array(value) from (
          select value from json_each(withdrawn)
          union all select value from json_each(ids) where ${question.among('value', found)}))`;
  const leases = [...new Set(leased.map(({ lease }) => lease))];
  yield* question.rows(
    `update ${store.at('leases')} set withdrawn = ${added} where ${question.among('id', leases)}`,
  );
  return found;
}

/** In the order of their ids, as everywhere. On SQLite the transaction itself is the lock. */
function* lockLeasesOf(store: Store, ids: readonly number[]): Script<void> {
  if (store.dialect !== 'postgres') return;
  const question = new Question(store);
  yield* question.rows(
    `select id from ${store.at('leases')} where ids && ${question.bind(ids)}::bigint[] order by id for update`,
  );
}

/** Those of this workspace that are in flight and have neither passed the gate nor been withdrawn. */
function* withdrawable(
  store: Store,
  ids: readonly number[],
  { workspaceId }: Actor,
): Script<readonly { readonly lease: number; readonly id: number }[]> {
  const { at } = store;
  const question = new Question(store);
  const { unpacked, id, isIn } = store.dialect === 'postgres' ? ARRAYS : JSON_LISTS;
  return yield* question.rows(
    `select l.id as lease, ${id} as id from ${at('leases')} l ${unpacked} join ${at('messages')} m on m.id = ${id}
     where ${question.among(id, ids)} and m.workspace_id = ${question.bind(workspaceId)}
       and not ${isIn('handed')} and not ${isIn('withdrawn')}`,
  );
}

/** How the lists of a lease are read. */
const ARRAYS = {
  unpacked: 'cross join lateral unnest(l.ids) as leased(id)',
  id: 'leased.id',
  isIn: (list: string) => `leased.id = any(l.${list})`,
};
const JSON_LISTS = {
  unpacked: 'join json_each(l.ids) leased',
  id: 'leased.value',
  isIn: (list: string) => `exists (select 1 from json_each(l.${list}) x where x.value = leased.value)`,
};

function* finishedOf(store: Store, ids: readonly number[]): Script<readonly number[]> {
  const rows = yield* ask(
    store.db
      .selectFrom('outcomes')
      .select('message_id')
      .where((eb) => among(store, eb.ref('message_id'), ids)),
  );
  return rows.map((row) => row.message_id);
}
