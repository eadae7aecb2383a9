import { askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import type { PlannedRow } from './guard-use.js';
import { Question } from './question.js';
import { readSettings, writeSettings } from './settings.js';

const SINCE = 'sending_since';

/** Notes, in the transaction that saves them, from when on a workspace's rules about sending hold. */
export const noteSendingSince = (store: Store, workspaceId: number, now: number): Script<void> =>
  writeSettings(store, workspaceId, SINCE, { at: now });

/** From when on they hold; 0: nobody has ever changed them. */
export function* sendingSince(store: Store, workspaceId: number): Script<number> {
  const noted = (yield* readSettings(store, workspaceId, SINCE)) as { readonly at: number } | undefined;
  return noted?.at ?? 0;
}

/** What left through a channel since an instant, counted by grains of time. By its index, whatever else there is. */
export function* readLeft(
  store: Store,
  channelId: number,
  since: number,
  grainMs: number,
): Script<readonly PlannedRow[]> {
  const question = new Question(store);
  const [channel, from] = [channelId, since].map(question.bind);
  const grain = String(grainMs);
  return yield* question.rows<PlannedRow>(
    `select a.channel_id as "channelId", a.handed_at / ${grain} * ${grain} as at, count(*) as count
      from ${store.at('attempts')} a
      where a.channel_id = ${channel} and a.finished_at >= ${from} and a.handed_at >= ${from} and a.outcome = 'success'
      group by 1, 2 order by 2`,
  );
}

/** What left through these channels of one account sooner after the one before than its spacing; the first so many. */
export function* readLeftTooClose(
  store: Store,
  channelIds: readonly number[],
  { since, spacingMs, most }: { readonly since: number; readonly spacingMs: number; readonly most: number },
): Script<readonly { readonly channelId: number; readonly at: number }[]> {
  if (spacingMs === 0) return [];
  const question = new Question(store);
  const [from, spacing] = [since, spacingMs].map(question.bind);
  return yield* question.rows(
    `select channel_id as "channelId", handed_at as at from (
        select a.channel_id, a.handed_at, a.handed_at - lag(a.handed_at) over (order by a.handed_at, a.message_id) as gap
        from ${store.at('attempts')} a
        where ${question.among('a.channel_id', channelIds)} and a.finished_at >= ${from} and a.handed_at >= ${from}
          and a.outcome = 'success') spaced
      where gap < ${spacing} order by handed_at limit ${String(most)}`,
  );
}

/** On how many days before a local one an account has sent anything. */
export function* daysSentBefore({ db }: Store, accountId: number, day: string): Script<number> {
  const sent = yield* askOne(
    db
      .selectFrom('account_days')
      .select((select) => select.fn.count<number>('day').distinct().as('n'))
      .where('account_id', '=', accountId)
      .where('day', '<', day)
      .where((eb) => eb(eb('sent', '+', eb.ref('in_doubt')), '>', 0)),
  );
  return sent?.n ?? 0;
}
