import { OPEN_ENROLMENTS } from '../../core/campaign.js';
import { PLANNED_LINES } from '../../core/lines.js';
import type { FinishedState } from '../../core/lifecycle.js';
import type { Action } from '../../core/message.js';
import { among } from '../among.js';
import { ask, askOne, giveWay, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

const PLANNED = PLANNED_LINES.join(', ');

export interface CampaignTotals {
  /** All that were ever planned, and what has left. */
  readonly total: number;
  readonly sent: number;
}

export function* readTotals(
  store: Store,
  ids: readonly number[],
): Script<ReadonlyMap<number, CampaignTotals>> {
  if (ids.length === 0) return new Map();
  const question = new Question(store);
  const rows = yield* question.rows<CampaignTotals & { id: number }>(
    `select campaign_id as id, sum(launched) as total, sum(sent) as sent from ${store.at('campaign_days')}
     where ${question.among('campaign_id', ids)} group by campaign_id`,
  );
  return new Map(rows.map(({ id, total, sent }) => [id, { total, sent }]));
}

/** What has left on that date. */
export function* readSentOn(
  store: Store,
  ids: readonly number[],
  date: string,
): Script<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const question = new Question(store);
  const rows = yield* question.rows<{ id: number; n: number }>(
    `select campaign_id as id, sum(sent) as n from ${store.at('campaign_days')}
     where ${question.among('campaign_id', ids)} and day = ${question.bind(date)} group by campaign_id`,
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

export interface WaitingOf {
  readonly campaignId: number;
  readonly accountId: number;
  readonly count: number;
  readonly today: number;
  readonly first: number;
  readonly last: number;
}

/** What of campaigns waits for a time, by account; `until`: the end of today. */
export function* readCampaignWaiting(
  store: Store,
  ids: readonly number[],
  until: number,
): Script<readonly WaitingOf[]> {
  const found: WaitingOf[] = [];
  for (const id of ids) {
    const question = new Question(store);
    const { at } = store;
    found.push(
      ...(yield* question.rows<WaitingOf>(
        `select m.campaign_id as "campaignId", c.account_id as "accountId", count(*) as count,
           sum(case when d.due_at < ${question.bind(until)} then 1 else 0 end) as today,
           min(d.due_at) as first, max(d.due_at) as last
         from ${at('messages')} m join ${at('due')} d on d.message_id = m.id join ${at('channels')} c on c.id = m.channel_id
         where m.campaign_id = ${question.bind(id)} and d.alone in (${PLANNED}) group by 1, 2`,
      )),
    );
    yield* giveWay();
  }
  return found;
}

/** How many people have replied. */
export function* readReplied(store: Store, ids: readonly number[]): Script<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map();
  const question = new Question(store);
  const rows = yield* question.rows<{ id: number; n: number }>(
    `select campaign_id as id, count(*) as n from ${store.at('enrolments')}
     where ${question.among('campaign_id', ids)} and replied_at is not null group by campaign_id`,
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

export interface StepFigures {
  readonly step: number | null;
  /** Null: it waits or is on its way. */
  readonly state: FinishedState | null;
  readonly reason: string | null;
  readonly n: number;
}

/** How far its messages are, by step. */
export function* readStepFigures(store: Store, campaignId: number): Script<readonly StepFigures[]> {
  const question = new Question(store);
  const { at } = store;
  return yield* question.rows<StepFigures>(
    `select m.step_number as step, o.state, o.reason, count(*) as n
     from ${at('messages')} m left join ${at('outcomes')} o on o.message_id = m.id
     where m.campaign_id = ${question.bind(campaignId)} group by 1, 2, 3 order by 1`,
  );
}

export interface CampaignDay {
  readonly accountId: number;
  readonly action: Action;
  readonly day: string;
  readonly launched: number;
  readonly sent: number;
}

export function* readCampaignDays({ db }: Store, campaignId: number): Script<readonly CampaignDay[]> {
  return yield* ask(
    db
      .selectFrom('campaign_days')
      .select(['account_id as accountId', 'action', 'day', 'launched', 'sent'])
      .where('campaign_id', '=', campaignId)
      .orderBy('day')
      .orderBy('account_id'),
  );
}

export interface PlannedQuarter {
  readonly accountId: number;
  readonly action: Action;
  readonly last: number;
  readonly count: number;
}

/** What of one campaign waits for a time, by quarters of an hour. */
export function* readPlannedQuarters(store: Store, campaignId: number): Script<readonly PlannedQuarter[]> {
  const question = new Question(store);
  const { at } = store;
  return yield* question.rows<PlannedQuarter>(
    `select c.account_id as "accountId", m.action, max(d.due_at) as last, count(*) as count
     from ${at('messages')} m join ${at('due')} d on d.message_id = m.id join ${at('channels')} c on c.id = m.channel_id
     where m.campaign_id = ${question.bind(campaignId)} and d.alone in (${PLANNED})
     group by c.account_id, m.action, d.due_at / 900000`,
  );
}

/** How many of its people are also in another campaign that runs, or is paused and will go on. */
export function* othersOf(store: Store, campaignId: number): Script<number> {
  const row = yield* askOne(
    elsewhere(store, campaignId).select((select) => select.fn.countAll<number>().as('n')),
  );
  return row?.n ?? 0;
}

/** Who of these is. */
export function* alsoElsewhere(
  store: Store,
  campaignId: number,
  contactIds: readonly number[],
): Script<ReadonlySet<number>> {
  if (contactIds.length === 0) return new Set();
  const rows = yield* ask(
    elsewhere(store, campaignId)
      .select('e.contact_id as id')
      .where((eb) => among(store, eb.ref('e.contact_id'), contactIds)),
  );
  return new Set(rows.map(({ id }) => id));
}

const elsewhere = ({ db }: Store, campaignId: number) =>
  db
    .selectFrom('enrolments as e')
    .where('e.campaign_id', '=', campaignId)
    .where('e.state', '=', 'active')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('enrolments as o')
          .innerJoin('campaigns as k', 'k.id', 'o.campaign_id')
          .select('o.contact_id')
          .whereRef('o.contact_id', '=', 'e.contact_id')
          .whereRef('o.campaign_id', '<>', 'e.campaign_id')
          .where('o.state', 'in', OPEN_ENROLMENTS)
          .where('k.state', 'in', ['running', 'paused']),
      ),
    );

export interface DeadOrHeld {
  readonly campaignId: number;
  readonly dead: number;
  readonly held: number;
}

/** What of these campaigns needs a person. */
export function* readNeeds(
  store: Store,
  workspaceId: number,
  ids: readonly number[],
): Script<readonly DeadOrHeld[]> {
  if (ids.length === 0) return [];
  return yield* ask(
    store.db
      .selectFrom('outcomes as o')
      .innerJoin('messages as m', 'm.id', 'o.message_id')
      .select((select) => [
        select.fn.coalesce('m.campaign_id', select.lit(0)).as('campaignId'),
        select.fn.sum<number>(select.case().when('o.state', '=', 'dead').then(1).else(0).end()).as('dead'),
        select.fn.sum<number>(select.case().when('o.state', '=', 'held').then(1).else(0).end()).as('held'),
      ])
      .where('o.workspace_id', '=', workspaceId)
      .where('o.state', 'in', ['dead', 'held'])
      .where((eb) => among(store, eb.ref('m.campaign_id'), ids))
      .groupBy('m.campaign_id'),
  );
}
