import { formatResidence, isSameResidence, type Residence } from '../../core/residence.js';
import { MOVES } from '../../core/lifecycle.js';
import { PillarboxError } from '../../core/errors.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { agreeOnFact, writeFact } from './facts.js';
import { finishWaiting } from './finish.js';

const FACT = 'residence';
/** How many messages one transaction sets aside. */
const AT_ONCE = 500;

/**
 * Whoever sends first notes where the database lives; whoever finds it elsewhere must not send. What waits in a
 * restored backup may have left since the backup was made, and the two halves of a copy would both send it.
 */
export function* refuseElsewhere(store: Store, residence: Residence): Script<void> {
  const known = yield* agreeOnFact(store, FACT, formatResidence(residence));
  if (!isSameResidence(known, residence)) {
    throw new PillarboxError(
      'restored',
      'this database was copied or restored: what waits in it may have left already. ' +
        '`pillarbox restored` holds all of it for a person; `pillarbox restored --keep` goes on, if nothing has left since',
    );
  }
}

/** From here on this is where it lives. */
export function* settleHere(store: Store, residence: Residence): Script<void> {
  yield* writeFact(store, FACT, formatResidence(residence));
}

/** How many were set aside, or that there are no more. */
type Step = number | 'all';

/** Some of what waits is held from here on. */
export function* setWaitingAside(store: Store, now: number): Script<Step> {
  const { db } = store;
  const waiting = yield* ask(db.selectFrom('due').select('message_id').orderBy('message_id').limit(AT_ONCE));
  if (waiting.length === 0) return 'all';
  const taken = yield* ask(
    db
      .deleteFrom('due')
      .where((eb) =>
        among(
          store,
          eb.ref('message_id'),
          waiting.map((row) => row.message_id),
        ),
      )
      .returning('message_id'),
  );
  if (taken.length > 0)
    yield* hold(
      store,
      taken.map((row) => row.message_id),
      now,
    );
  return taken.length;
}

/**
 * One lease is ended, and what it named is held. Should its owner live after all, he can neither pass the gate nor
 * settle, and a reply that comes late resolves its own doubt.
 */
export function* setLeasedAside(store: Store, now: number): Script<Step> {
  const { db } = store;
  const lease = yield* askOne(
    db.selectFrom('leases').select(['id', 'prior_id', 'ids']).orderBy('id').limit(1),
  );
  if (!lease) return 'all';
  const ended = yield* ask(db.deleteFrom('leases').where('id', '=', lease.id).returning('ids'));
  const ids = ended.flatMap((row) => idsOf(row.ids));
  if (ids.length === 0) return 0;
  yield* hold(store, ids, now);
  yield* ask(
    db
      .updateTable('outcomes')
      .set({ lease_id: lease.prior_id ?? lease.id })
      .where((eb) => among(store, eb.ref('message_id'), ids)),
  );
  return ids.length;
}

const hold = (store: Store, ids: readonly number[], now: number): Script<void> =>
  finishWaiting(store, ids, MOVES.restored.to[0], 'restored', now);

/** An array of texts on PostgreSQL, JSON on SQLite. */
const idsOf = (ids: unknown): number[] =>
  (typeof ids === 'string' ? (JSON.parse(ids) as unknown[]) : (ids as unknown[])).map(Number);
