import { finishedStatesBefore, statesBefore } from '../../core/lifecycle.js';
import { askCompiled, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { finishWaiting } from './finish.js';
import { putBack } from './moves.js';
import { decideReserved } from './reservations.js';
import { tally } from './tallies.js';

/** A definite reply that came after its lease was lost. */
export interface LateReply {
  readonly id: number;
  /** The lease under which it was handed over. */
  readonly lease: number;
  readonly left: boolean;
}

/** `not_yet`: the doubt may still come to stand. `never`: there is none, and there will be none. */
export type LateVerdict = 'resolved' | 'not_yet' | 'never';

/** Each reply for itself, in the order of the messages; the verdicts in the order given. */
export function* resolveLate(
  store: Store,
  replies: readonly LateReply[],
  now: number,
): Script<readonly LateVerdict[]> {
  const verdicts = new Map<LateReply, LateVerdict>();
  for (const reply of [...replies].sort((a, b) => a.id - b.id)) {
    // Looked for before and after: whatever it was moved to in between was decided by whoever holds it.
    const undecided = yield* mayBeDoubted(store, reply);
    if (yield* resolve(store, reply, now)) verdicts.set(reply, 'resolved');
    else verdicts.set(reply, undecided || (yield* mayBeDoubted(store, reply)) ? 'not_yet' : 'never');
  }
  return replies.map((reply) => verdicts.get(reply) ?? 'never');
}

/**
 * It resolves its own doubt and can touch nothing else: only a message that is held, or waits to be sent again, because
 * of exactly this lease.
 */
function* resolve(store: Store, { id, lease, left }: LateReply, now: number): Script<boolean> {
  const { db } = store;
  if (!left) return yield* refute(store, id, lease, now);
  const held = yield* askOne(
    db
      .updateTable('outcomes')
      .set({ state: 'sent', reason: 'late_reply', finished_at: now })
      .where('message_id', '=', id)
      .where('state', 'in', finishedStatesBefore('confirmed'))
      .where('lease_id', '=', lease)
      .returning('message_id'),
  );
  if (held) {
    yield* tally(store, [id], 'held', now, -1);
    yield* tally(store, [id], 'sent', now);
    yield* decideReserved(store, [id], 'sent');
    return true;
  }
  if (!statesBefore('confirmed').includes('retry_scheduled')) return false;
  if (!(yield* wasDoubted(store, id, lease))) return false;
  const waiting = yield* askOne(db.deleteFrom('due').where('message_id', '=', id).returning('message_id'));
  if (waiting) yield* finishWaiting(store, [id], 'sent', 'late_reply', now);
  return waiting !== undefined;
}

function* refute(store: Store, id: number, lease: number, now: number): Script<boolean> {
  const refuted = yield* askOne(
    store.db
      .deleteFrom('outcomes')
      .where('message_id', '=', id)
      .where('state', 'in', finishedStatesBefore('refuted'))
      .where('lease_id', '=', lease)
      .returning('message_id'),
  );
  if (!refuted) return false;
  yield* tally(store, [id], 'held', now, -1);
  yield* putBack(store, [id], now, 'retry_scheduled');
  yield* decideReserved(store, [id], 'unsent');
  return true;
}

/**
 * Whether somebody has it in hand whose decision could leave our doubt standing: whoever took our lease over, or, for
 * a mail that left, whoever tries it again because of that doubt and may put it back.
 */
function* mayBeDoubted(store: Store, { id, lease, left }: LateReply): Script<boolean> {
  const holds =
    store.dialect === 'postgres' ? '$1::bigint = any(ids)' : '?1 in (select value from json_each(ids))';
  const [holder] = yield* askCompiled<{ first_lease: number }>({
    sql: `select coalesce(prior_id, id) as first_lease from ${store.at('leases')} where ${holds}`,
    parameters: [id],
  });
  if (!holder) return false;
  return holder.first_lease === lease || (left && (yield* wasDoubted(store, id, lease)));
}

function* wasDoubted({ db }: Store, id: number, lease: number): Script<boolean> {
  const attempt = yield* askOne(
    db
      .selectFrom('attempts')
      .select('message_id')
      .where('message_id', '=', id)
      .where('lease_id', '=', lease)
      .where('outcome', '=', 'in_doubt'),
  );
  return attempt !== undefined;
}
