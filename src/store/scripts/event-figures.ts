import type { EventWaiting } from '../../core/event-words.js';
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

/** Of one event: what waits, by what for. Looks at so many of its messages, the oldest first. */
export function* readWaitingOf(
  store: Store,
  eventId: number,
  now: number,
  most: number,
): Script<readonly EventWaiting[]> {
  const question = new Question(store);
  const { at } = store;
  const rows = yield* question.rows<{
    readonly state: EventWaiting['state'];
    readonly reason: string;
    readonly later: number;
    readonly n: number;
    readonly next: number;
  }>(
    `select state, reason, later, count(*) as n, min(due_at) as next from (
       select case when d.queued_at is not null then 'queued' when d.tried = 1 then 'retry_scheduled'
           else 'scheduled' end as state,
         case when d.tried = 1 then coalesce(m.error_code, '') else '' end as reason,
         case when d.due_at > ${question.bind(now)} then 1 else 0 end as later, d.due_at
       from (select id, error_code from ${at('messages')} where event_id = ${question.bind(eventId)}
         order by id limit ${question.bind(most)}) m
       join ${at('due')} d on d.message_id = m.id) waiting
     group by state, reason, later order by n desc, state, reason`,
  );
  return rows.map(({ later, n, ...row }) => ({ ...row, later: later === 1, count: n }));
}

/** How many events there were since then; not counted further than `most`. */
export function* countEventsSince(
  store: Store,
  workspaceId: number,
  since: number,
  most: number,
): Script<number> {
  const question = new Question(store);
  const [row] = yield* question.rows<{ readonly n: number }>(
    `select count(*) as n from (select created_at from ${store.at('events')}
       where workspace_id = ${question.bind(workspaceId)} order by id desc limit ${question.bind(most)}) newest
     where created_at >= ${question.bind(since)}`,
  );
  return row?.n ?? 0;
}

/** What the newest events were of, in the order of the letters. */
export function* namesOfEvents(
  store: Store,
  workspaceId: number,
  name: 'topic' | 'type',
  newest: number,
  most: number,
): Script<readonly string[]> {
  const question = new Question(store);
  const rows = yield* question.rows<{ readonly name: string }>(
    `select distinct name from (select ${name} as name from ${store.at('events')}
       where workspace_id = ${question.bind(workspaceId)} order by id desc limit ${question.bind(newest)}) newest
     order by name limit ${question.bind(most)}`,
  );
  return rows.map((row) => row.name);
}
