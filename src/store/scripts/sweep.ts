import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { finishWaiting } from './finish.js';

/** Whether the time of some that wait ran out: looking costs less than a transaction. */
export function* isExpiring({ db }: Store, now: number): Script<boolean> {
  const late = db.selectFrom('due').select('message_id').where('expires_at', '<=', now).limit(1);
  return (yield* askOne(late)) !== undefined;
}

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
export { forgetFinished, forgetStragglers, keepMsIn } from './forget.js';
