import type { SubscriptionFigures } from '../../core/subscription-words.js';
import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** So often is counted at most; and so many mails of one subscription are looked at, the newest. */
const COUNTED_TO = 1_000;
const MAILS_LOOKED_AT = 200;
const OTHERS_COUNTED_TO = 100;

type Row = { readonly id: number } & Omit<SubscriptionFigures, 'others'> & { readonly topics: number };

/** What became of each of these so far. By the indexes of its history and of its mails, whatever the size of the tables. */
export function* subscriptionFigures(
  store: Store,
  ids: readonly number[],
): Script<ReadonlyMap<number, SubscriptionFigures>> {
  if (ids.length === 0) return new Map();
  const question = new Question(store);
  const { at } = store;
  const lines = (kind: string): string =>
    `from ${at('subscription_events')} h where h.subscription_id = s.id and h.kind = '${kind}' order by h.id desc`;
  const newest = `(select m.id from ${at('messages')} m where m.subscription_id = s.id and m.event_id is not null
    order by m.event_id desc limit ${String(MAILS_LOOKED_AT)}) newest`;
  const rows = yield* question.rows<Row>(
    `select s.id,
       (select count(*) from (select h.id ${lines('notify_sent')} limit ${String(COUNTED_TO)}) told) as told,
       (select h.at ${lines('notify_sent')} limit 1) as "lastToldAt",
       (select h.at ${lines('confirmation_sent')} limit 1) as "askedAt",
       (select h.at ${lines('status_changed')} limit 1) as "changedAt",
       (select h.actor ${lines('status_changed')} limit 1) as "changedBy",
       (select count(*) from ${newest} join ${at('outcomes')} o on o.message_id = newest.id
         where o.state = 'dead') as dead,
       (select count(*) from ${newest} join ${at('due')} d on d.message_id = newest.id) as waiting,
       (select min(d.due_at) from ${newest} join ${at('due')} d on d.message_id = newest.id) as "nextAt",
       (select count(*) from (select o.id from ${at('subscriptions')} o
         where o.workspace_id = s.workspace_id and o.contact = s.contact
         limit ${String(OTHERS_COUNTED_TO + 1)}) all_of_them) as topics
     from ${at('subscriptions')} s where ${question.among('s.id', ids)}`,
  );
  return new Map(rows.map(({ id, topics, ...row }) => [id, { ...row, others: topics - 1 }]));
}

/** How many are told when something happens; not counted further than `most`. */
export function* countActive(store: Store, workspaceId: number, most: number): Script<number> {
  const question = new Question(store);
  const [row] = yield* question.rows<{ readonly n: number }>(
    `select count(*) as n from (select 1 from ${store.at('subscriptions')}
     where workspace_id = ${question.bind(workspaceId)} and status = 'active' limit ${question.bind(most)}) counted`,
  );
  return row?.n ?? 0;
}

/** In the order of the letters, up to `most`: from each to the next by the index, whatever their number of subscriptions. */
export function* topicsOf(store: Store, workspaceId: number, most: number): Script<readonly string[]> {
  const question = new Question(store);
  const own = `from ${store.at('subscriptions')} where workspace_id = ${question.bind(workspaceId)}`;
  const rows = yield* question.rows<{ readonly topic: string }>(
    `with recursive topics(topic) as (
       select min(topic) ${own}
       union all select (select min(topic) ${own} and topic > topics.topic) from topics where topics.topic is not null)
     select topic from topics where topic is not null limit ${question.bind(most)}`,
  );
  return rows.map(({ topic }) => topic);
}
