import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** When the next mail of each kind may leave, of those that nothing stops; null: none is near the front of its line. */
export interface Upcoming {
  readonly retryAt: number | null;
  readonly scheduledAt: number | null;
}

/** So far into each line. What comes behind that many is not what anybody waits for. */
const LOOKED_AT = 200;

/**
 * What leaves next, after now. A cool-down counts for all that it keeps back; a paused account has no next. Guarded mail
 * leaves when its account may send, which is not to be read off its rows.
 */
export function* readUpcoming(store: Store, workspaceId: number, now: number): Script<Upcoming> {
  const question = new Question(store);
  const [workspace, instant] = [workspaceId, now].map(question.bind);
  const nearest = (tried: 0 | 1, alone: 0 | 1) => `(select min(near.due_at) from (
      select d.due_at, d.tried, d.queued_at from ${store.at('due')} d
      where d.channel_id = c.id and d.alone = ${String(alone)}
        and d.due_at > case when c.blocked_until > ${instant} then 0 else ${instant} end
      order by d.due_at, d.message_id limit ${String(LOOKED_AT)}) near where near.tried = ${String(tried)} and near.queued_at is null)`;
  const first = (
    alone: 0 | 1,
  ) => `select c.blocked_until, ${nearest(1, alone)} as retry_at, ${nearest(0, alone)} as scheduled_at
    from ${store.at('channels')} c where c.workspace_id = ${workspace} and c.paused_at is null and c.guarded = 0`;
  const earliest = (column: string) =>
    `min(case when ${column} < blocked_until then blocked_until else ${column} end)`;
  const [row] = yield* question.rows<Upcoming>(
    `select ${earliest('retry_at')} as "retryAt", ${earliest('scheduled_at')} as "scheduledAt"
      from (${first(0)} union all ${first(1)}) firsts`,
  );
  return { retryAt: row?.retryAt ?? null, scheduledAt: row?.scheduledAt ?? null };
}

/** Since when somebody should have decided; among those that were accepted first, should there be very many. */
export function* oldestHeld(store: Store, workspaceId: number): Script<number | null> {
  const question = new Question(store);
  const [row] = yield* question.rows<{ oldest: number | null }>(
    `select min(finished_at) as oldest from (
        select finished_at from ${store.at('outcomes')}
        where workspace_id = ${question.bind(workspaceId)} and state = 'held' order by message_id limit 1000) first_ones`,
  );
  return row?.oldest ?? null;
}
