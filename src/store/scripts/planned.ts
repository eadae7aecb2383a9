import { PLANNED_LINES } from '../../core/lines.js';
import { GRAIN_MS } from '../../core/plan/planned.js';
import { giveWay, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

const PLANNED = PLANNED_LINES.join(', ');

export interface WaitingGrain {
  readonly channelId: number;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Everything that waits for a time in these channels, of all campaigns and lanes, by quarters of an hour. */
export function* readWaiting(store: Store, channelIds: readonly number[]): Script<readonly WaitingGrain[]> {
  const found: WaitingGrain[] = [];
  for (const id of channelIds) {
    const question = new Question(store);
    found.push(
      ...(yield* question.rows<WaitingGrain>(
        `select d.channel_id as "channelId", min(d.due_at) as first, max(d.due_at) as last, count(*) as count
         from ${store.at('due')} d where d.channel_id = ${question.bind(id)} and d.alone in (${PLANNED})
         group by d.channel_id, d.due_at / ${GRAIN_MS}`,
      )),
    );
    yield* giveWay();
  }
  return found;
}

/** The instants themselves that are still to come, for whoever must find gaps between them. */
export function* readInstants(
  store: Store,
  channelIds: readonly number[],
  now: number,
): Script<readonly number[]> {
  if (channelIds.length === 0) return [];
  const question = new Question(store);
  const rows = yield* question.rows<{ at: number }>(
    `select d.due_at as at from ${store.at('due')} d
     where ${question.among('d.channel_id', channelIds)} and d.alone in (${PLANNED})
       and d.due_at >= ${question.bind(now)}`,
  );
  return rows.map(({ at }) => at);
}

/** What of a campaign waits for a time, or has left since, by instants: for what it sets itself a day. */
export function* readCampaignInstants(
  store: Store,
  campaignId: number,
  from: number,
): Script<readonly { readonly at: number; readonly step: number | null }[]> {
  const question = new Question(store);
  const { at } = store;
  const campaign = question.bind(campaignId);
  return yield* question.rows(
    `select coalesce(d.due_at, o.finished_at) as at, m.step_number as step
     from ${at('messages')} m
     left join ${at('due')} d on d.message_id = m.id and d.alone in (${PLANNED})
     left join ${at('outcomes')} o on o.message_id = m.id and o.state = 'sent'
     where m.campaign_id = ${campaign} and coalesce(d.due_at, o.finished_at) >= ${question.bind(from)}`,
  );
}
