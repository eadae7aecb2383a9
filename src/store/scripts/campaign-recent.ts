import type { AttemptOutcome } from '../../core/message.js';
import type { EnrolmentState } from '../../core/campaign.js';
import type { FinishedState } from '../../core/lifecycle.js';
import type { Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

/** So far back in each of its channels: what is older is not news. */
const LOOKED_AT = 200;

export interface RecentTry {
  readonly at: number;
  readonly messageId: number;
  readonly contactId: number | null;
  readonly name: string | null;
  readonly email: string;
  readonly step: number | null;
  readonly accountId: number;
  readonly outcome: AttemptOutcome;
  readonly error: string | null;
  /** Null: it waits for another try. */
  readonly state: FinishedState | null;
}

/** The last tries of one campaign, newest first: each channel is one stretch of one index, of which the end is read. */
export function* readRecentTries(
  store: Store,
  campaignId: number,
  accountIds: readonly number[],
  limit: number,
): Script<readonly RecentTry[]> {
  if (accountIds.length === 0) return [];
  const channels = new Question(store);
  const ids = yield* channels.ids(
    `select id from ${channels.at('channels')} where ${channels.among('account_id', accountIds)}`,
  );
  const found: RecentTry[] = [];
  for (const id of ids) {
    const question = new Question(store);
    const { at, bind } = question;
    found.push(
      ...(yield* question.rows<RecentTry>(
        `select a.finished_at as at, m.id as "messageId", m.contact_id as "contactId", m.recipient_name as name,
           coalesce(m.recipient_given, m.recipient) as email, m.step_number as step, c.account_id as "accountId",
           a.outcome, a.error, o.state
         from (select channel_id, message_id, finished_at, outcome, error from ${at('attempts')}
               where channel_id = ${bind(id)} order by finished_at desc limit ${LOOKED_AT}) a
         join ${at('messages')} m on m.id = a.message_id join ${at('channels')} c on c.id = a.channel_id
         left join ${at('outcomes')} o on o.message_id = m.id
         where m.campaign_id = ${bind(campaignId)} order by a.finished_at desc limit ${bind(limit)}`,
      )),
    );
  }
  return found.toSorted((one, other) => other.at - one.at).slice(0, limit);
}

export interface RecentEnding {
  readonly at: number;
  readonly contactId: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly state: EnrolmentState;
}

/** Who has left its line lately, newest first. */
export function* readRecentEndings(
  store: Store,
  campaignId: number,
  limit: number,
): Script<readonly RecentEnding[]> {
  const question = new Question(store);
  const { at, bind } = question;
  return yield* question.rows<RecentEnding>(
    `select e.changed_at as at, e.contact_id as "contactId", c.name, c.email, e.state
     from ${at('enrolments')} e left join ${at('contacts')} c on c.id = e.contact_id
     where e.campaign_id = ${bind(campaignId)} and e.state in ('replied', 'bounced', 'complained', 'unsubscribed')
     order by e.changed_at desc limit ${bind(limit)}`,
  );
}

/** How many of its people are in each state. */
export function* countPeople(
  store: Store,
  campaignId: number,
): Script<Readonly<Partial<Record<EnrolmentState, number>>>> {
  const question = new Question(store);
  const rows = yield* question.rows<{ state: EnrolmentState; n: number }>(
    `select state, count(*) as n from ${question.at('enrolments')}
     where campaign_id = ${question.bind(campaignId)} group by state`,
  );
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
}
