import { among } from '../among.js';
import { sql } from '../../vendor/kysely.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** Whom an event leaves out by their own preferences, by why. */
export type LeftOut = ReadonlyMap<string, readonly number[]>;

/**
 * Stands in the history of each. Whoever is left out again for the same reason, with nothing between, gets no new line: it
 * says how often, when last, and of which event. So a history grows by what changes, however often somebody wants nothing.
 */
export function* noteLeftOut(
  store: Store,
  { eventId, statusAfter }: { readonly eventId: number; readonly statusAfter: string | null },
  leftOut: LeftOut,
  now: number,
): Script<void> {
  for (const [reason, ids] of leftOut) {
    const details = JSON.stringify({
      ...{ state: 'skipped', reason },
      ...(reason === 'notify_on' && statusAfter !== null && { statusAfter }),
    });
    const again = yield* sayAgain(store, eventId, ids, details, now);
    const others = ids.filter((id) => !again.has(id));
    if (others.length > 0)
      yield* ask(
        store.db
          .insertInto('subscription_events')
          .columns(['subscription_id', 'at', 'kind', 'event_id', 'details'])
          .expression((eb) =>
            eb
              .selectFrom('subscriptions')
              .select((select) => [
                'id',
                select.cast<number>(select.val(now), 'bigint').as('at'),
                sql.lit('not_told').as('kind'),
                select.cast<number>(select.val(eventId), 'bigint').as('event_id'),
                select.cast<string>(select.val(details), 'text').as('details'),
              ])
              .where((select) => among(store, select.ref('id'), others))
              .orderBy('id'),
          ),
      );
  }
}

/** Answers of which of them it was the last thing that happened. */
function* sayAgain(
  store: Store,
  eventId: number,
  ids: readonly number[],
  details: string,
  now: number,
): Script<ReadonlySet<number>> {
  const { db, at } = store;
  const question = new Question(store);
  const last = yield* question.ids(
    `select (select max(h.id) from ${at('subscription_events')} h where h.subscription_id = s.id) as id
     from ${at('subscriptions')} s where ${question.among('s.id', ids)}`,
  );
  const known = last.filter((id: number | null) => id !== null);
  if (known.length === 0) return new Set();
  const same = yield* ask(
    db
      .selectFrom('subscription_events')
      .select(['id', 'subscription_id'])
      .where((eb) => among(store, eb.ref('id'), known))
      .where('kind', '=', 'not_told')
      .where('message_id', 'is', null)
      .where('details', '=', details)
      .orderBy('id')
      .$if(store.dialect === 'postgres', (query) => query.forUpdate()),
  );
  if (same.length === 0) return new Set();
  yield* ask(
    db
      .updateTable('subscription_events')
      .set((eb) => ({
        times: eb(eb.fn.coalesce('times', eb.lit(1)), '+', 1),
        ...{ last_at: now, event_id: eventId },
      }))
      .where((eb) =>
        among(
          store,
          eb.ref('id'),
          same.map(({ id }) => id),
        ),
      ),
  );
  return new Set(same.map((row) => row.subscription_id));
}

/** Of those who are limited, who had none left: nothing was made for them, and they would have been told otherwise. */
export function* withoutMessage(
  store: Store,
  eventId: number,
  ids: readonly number[],
): Script<readonly number[]> {
  const { at } = store;
  const question = new Question(store);
  return yield* question.ids(
    `select s.id from ${at('subscriptions')} s where ${question.among('s.id', ids)} and s.status = 'active'
       and not exists (select 1 from ${at('messages')} m
         where m.subscription_id = s.id and m.event_id = ${question.bind(eventId)}) order by s.id`,
  );
}
