import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { finishWaiting } from './finish.js';

/** Ends waiting messages whose time ran out. Answers how many; ask again while it is the limit. */
export function* expireWaiting(store: Store, now: number, limit: number): Script<number> {
  const removed = yield* ask(
    store.db
      .deleteFrom('due')
      .where('message_id', 'in', (eb) =>
        eb
          .selectFrom('due as late')
          .select('late.message_id')
          .where('late.expires_at', '<=', now)
          .orderBy('late.expires_at')
          .limit(limit),
      )
      .returning('message_id'),
  );
  if (removed.length === 0) return 0;
  const ids = removed.map((row) => row.message_id);
  yield* finishWaiting(store, ids, 'expired', 'expired', now);
  return removed.length;
}

export { foldTallies } from './fold.js';

export interface RetentionStep {
  readonly removed: number;
  /** Where to go on; undefined when the end was reached. */
  readonly next: number | undefined;
}

/**
 * One step of retention: contents and attempts of messages that finished before `before` go, their rows are
 * blanked. Key, state and time stay, so that "never twice" has no end date. What is not finished, or needs a
 * person, is never touched. Walks by id from `after`, so no index serves this alone. `own`: the instants of
 * workspaces that keep theirs for another time.
 */
export function* forgetFinished(
  { db }: Store,
  before: number,
  after: number,
  limit: number,
  own: ReadonlyMap<number, number> = new Map(),
): Script<RetentionStep> {
  const rows = yield* ask(
    db
      .selectFrom('contents as x')
      .leftJoin('outcomes as o', 'o.message_id', 'x.message_id')
      .select(['x.message_id', 'o.workspace_id', 'o.state', 'o.finished_at'])
      .where('x.message_id', '>', after)
      .orderBy('x.message_id')
      .limit(limit),
  );
  const old = rows
    .filter((row) => row.state !== null && row.state !== 'held' && row.state !== 'dead')
    .filter((row) => (row.finished_at ?? Infinity) < (own.get(row.workspace_id ?? 0) ?? before))
    .map((row) => row.message_id);
  if (old.length > 0) {
    yield* ask(db.deleteFrom('attempts').where('message_id', 'in', old));
    yield* ask(
      db
        .updateTable('messages')
        .set({ recipient: '', recipient_name: null, subject: null, error: null, thread_id: null })
        .where('id', 'in', old),
    );
    yield* ask(db.deleteFrom('contents').where('message_id', 'in', old));
  }
  return { removed: old.length, next: rows.length === limit ? rows.at(-1)?.message_id : undefined };
}
