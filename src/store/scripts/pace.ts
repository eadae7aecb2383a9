import { LINES } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** The last days before a date on which an account sent anything, the latest first, and what left of an action. */
export function* readPastDays(
  store: Store,
  { accountId, action }: { readonly accountId: number; readonly action: Action },
  before: string,
  most: number,
): Script<readonly { readonly day: string; readonly left: number }[]> {
  const question = new Question(store);
  const [account, date, wanted] = [accountId, before, action].map(question.bind);
  const rows = yield* question.rows<{ day: string; left_then: number }>(
    `select day, sum(case when action = ${wanted} then sent + in_doubt else 0 end) as left_then
      from ${store.at('account_days')}
      where account_id = ${account} and day < ${date}
      group by day having sum(sent + in_doubt) > 0 order by day desc limit ${String(most)}`,
  );
  return rows.map(({ day, left_then: left }) => ({ day, left }));
}

/** What of a channel waits longest: when it could leave at the earliest, and of which campaign it is. */
export function* readDueTimes(
  { db }: Store,
  channelId: number,
  most: number,
): Script<readonly { readonly at: number; readonly campaignId: number | null }[]> {
  return yield* ask(
    db
      .selectFrom('due as d')
      .innerJoin('messages as m', 'm.id', 'd.message_id')
      .select(['d.due_at as at', 'm.campaign_id as campaignId'])
      .where('d.channel_id', '=', channelId)
      .where('d.alone', '<>', LINES.halted)
      .orderBy('d.due_at')
      .orderBy('d.message_id')
      .limit(most),
  );
}

/** When a channel handed over what left since an instant, the latest first. */
export function* readHandedTimes(
  { db }: Store,
  channelId: number,
  since: number,
  most: number,
): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('attempts')
      .select('handed_at as at')
      .where('channel_id', '=', channelId)
      .where('finished_at', '>=', since)
      .where('handed_at', '>=', since)
      .where('outcome', 'in', ['success', 'in_doubt'])
      .orderBy('finished_at', 'desc')
      .limit(most),
  );
  return rows.flatMap(({ at }) => (at === null ? [] : [at]));
}
