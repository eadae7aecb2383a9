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

/** When those of a channel could leave at the earliest that wait longest. */
export function* readDueTimes({ db }: Store, channelId: number, most: number): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('due')
      .select('due_at as at')
      .where('channel_id', '=', channelId)
      .orderBy('due_at')
      .orderBy('message_id')
      .limit(most),
  );
  return rows.map(({ at }) => at);
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
