import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** How often something happened in one channel, within one stretch of time. */
export interface Happening {
  readonly channelId: number;
  readonly state: string;
  /** When the stretch began, in minutes of the epoch. */
  readonly minute: number;
  readonly n: number;
}

export const QUARTER_MINUTES = 15;

/** What happened since a minute: by quarters of an hour, and from `fineFrom` on by minutes. Folded or not. */
export function* readRecent(
  store: Store,
  workspaceId: number,
  since: number,
  fineFrom: number,
): Script<readonly Happening[]> {
  const question = new Question(store);
  const [workspace, from, fine] = [workspaceId, since, fineFrom].map(question.bind);
  return yield* question.rows<Happening>(
    `select channel_id as "channelId", state, stretch as minute, ${total(store)} as n from (
        select channel_id, state, n,
          case when minute >= ${fine} then minute else minute - minute % ${String(QUARTER_MINUTES)} end as stretch
        from (
          select channel_id, state, minute, n from ${store.at('minutes')}
          where workspace_id = ${workspace} and minute >= ${from}
          union all
          select channel_id, state, minute, n from ${store.at('tallies')}
          where workspace_id = ${workspace} and minute >= ${from} and n > 0) lately) stretches
      group by channel_id, state, stretch`,
  );
}

/** What happened since an hour, by the hour. */
export function* readHours(
  store: Store,
  workspaceId: number,
  since: number,
): Script<readonly { readonly hour: number; readonly state: string; readonly n: number }[]> {
  const question = new Question(store);
  const [workspace, from, fromMinute] = [workspaceId, since, since / 60_000].map(question.bind);
  return yield* question.rows(
    `select hour, state, ${total(store)} as n from (
        select hour, state, n from ${store.at('totals')}
        where workspace_id = ${workspace} and hour >= ${from}
        union all
        select minute / 60 * 3600000, state, n from ${store.at('tallies')}
        where workspace_id = ${workspace} and minute >= ${fromMinute} and n > 0) hours
      group by hour, state`,
  );
}

const total = ({ dialect }: Store): string => (dialect === 'postgres' ? 'sum(n)::bigint' : 'sum(n)');

/** When the message became due that waits longest among those that may leave; undefined: there is none. */
export function* oldestDue(store: Store, workspaceId: number, now: number): Script<number | undefined> {
  const due = store.at('due');
  const question = new Question(store);
  const [workspace, instant] = [workspaceId, now].map(question.bind);
  const open = `from ${store.at('channels')} c
    where c.workspace_id = ${workspace} and c.blocked_until <= ${instant} and c.paused_at is null`;
  const first = (alone: 0 | 1) =>
    `select (select min(d.due_at) from ${due} d where d.channel_id = c.id and d.alone = ${String(alone)}) as due_at ${open}`;
  // Its time lies ahead so that nobody else passes it on; a broker that swallows mail must not look healthy.
  const passedOn = `select min(d.queued_at) as due_at from ${due} d join ${store.at('channels')} c on c.id = d.channel_id
    where d.workspace_id = ${workspace} and d.queued_at is not null and c.blocked_until <= ${instant} and c.paused_at is null`;
  const [row] = yield* question.rows<{ oldest: number | null }>(
    `select min(due_at) as oldest from (${first(0)} union all ${first(1)} union all ${passedOn}) firsts`,
  );
  return row?.oldest != null && row.oldest <= now ? row.oldest : undefined;
}
