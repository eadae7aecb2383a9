import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** How many messages of each event are in flight at this moment: at most a few batches, wherever they are sent from. */
export function* countSendingOf(store: Store, ids: readonly number[]): Script<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const leased =
    store.dialect === 'postgres'
      ? `= any(array(select unnest(ids) from ${store.at('leases')}))`
      : 'in (select value from leases, json_each(leases.ids))';
  const question = new Question(store);
  const rows = yield* question.rows<{ id: number; n: number }>(
    `select event_id as id, count(*) as n from ${store.at('messages')}
     where id ${leased} and ${question.among('event_id', ids)} group by event_id`,
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}
