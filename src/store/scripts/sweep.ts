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

const HOUR_MS = 3_600_000;
const MINUTES_PER_HOUR = 60;

/** Folds the append-only tallies of past minutes into hourly totals. */
export function* foldTallies({ db }: Store, now: number): Script<void> {
  const tallies = yield* ask(
    db
      .deleteFrom('tallies')
      .where('minute', '<', Math.floor(now / 60_000))
      .returning(['minute', 'workspace_id', 'state', 'n']),
  );
  const totals = new Map<string, { workspace_id: number; hour: number; state: string; n: number }>();
  for (const { minute, workspace_id, state, n } of tallies) {
    const hour = Math.floor(minute / MINUTES_PER_HOUR) * HOUR_MS;
    const key = `${String(workspace_id)} ${String(hour)} ${state}`;
    const total = totals.get(key);
    if (total) total.n += n;
    else totals.set(key, { workspace_id, hour, state, n });
  }
  // In one order everywhere, so that two sweepers cannot wait for each other.
  for (const [, total] of [...totals].sort(([a], [b]) => (a < b ? -1 : 1))) {
    yield* ask(
      db
        .insertInto('totals')
        .values(total)
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'hour', 'state'])
            .doUpdateSet((eb) => ({ n: eb('totals.n', '+', total.n) })),
        ),
    );
  }
}

export interface RetentionStep {
  readonly removed: number;
  /** Where to go on; undefined when the end was reached. */
  readonly next: number | undefined;
}

/**
 * One step of retention: contents and attempts of messages that finished before `before` go, their rows are
 * blanked. Key, state and time stay, so that "never twice" has no end date. What is not finished, or needs a
 * person, is never touched. Walks by id from `after`, so no index serves this alone.
 */
export function* forgetFinished(
  { db }: Store,
  before: number,
  after: number,
  limit: number,
): Script<RetentionStep> {
  const rows = yield* ask(
    db
      .selectFrom('contents as x')
      .leftJoin('outcomes as o', 'o.message_id', 'x.message_id')
      .select(['x.message_id', 'o.state', 'o.finished_at'])
      .where('x.message_id', '>', after)
      .orderBy('x.message_id')
      .limit(limit),
  );
  const old = rows
    .filter((row) => row.state !== null && row.state !== 'held' && row.state !== 'dead')
    .filter((row) => (row.finished_at ?? before) < before)
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
