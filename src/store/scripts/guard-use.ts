import type { Use } from '../../core/limits.js';
import { PLANNED_LINES } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import { monthOf, weekOf } from '../../core/opening.js';
import type { TakenDay, TakenHour } from '../../core/plan/taken.js';
import type { Rules } from '../../core/rules.js';
import { labelOf } from '../../core/zone.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

const PLANNED = PLANNED_LINES.join(', ');

/** A guarded channel: an account and one thing that it does. */
export interface GuardedAccount {
  readonly channelId: number;
  readonly accountId: number;
  readonly name: string;
  readonly action: Action;
}

/** Those of a workspace, by age. */
export function* guardedAccounts({ db }: Store, workspaceId: number): Script<readonly GuardedAccount[]> {
  return yield* ask(
    db
      .selectFrom('channels as c')
      .innerJoin('accounts as a', 'a.id', 'c.account_id')
      .select(['c.id as channelId', 'a.id as accountId', 'a.name', 'c.action'])
      .where('c.workspace_id', '=', workspaceId)
      .where('c.guarded', '=', 1)
      .where('a.removed_at', 'is', null)
      .orderBy('c.id'),
  );
}

/**
 * What an account has used, as far as it says what it may do from now on: its days of this week, this month and later, and
 * the days of its workspace. What is under way or in doubt is used.
 */
export function* readUse(
  store: Store,
  { accountId, workspaceId }: { readonly accountId: number; readonly workspaceId: number },
  { calendar, house }: Rules,
  now: number,
): Script<Use> {
  const { db } = store;
  const today = labelOf(calendar.zone.dayOf(now));
  const from = [weekOf(today)[0], monthOf(today)[0]].sort()[0] ?? today;
  const rows = yield* ask(
    db
      .selectFrom('account_days')
      .select(['day', 'action', 'used', 'hour', 'hour_used as hourUsed'])
      .where('account_id', '=', accountId)
      .where('day', '>=', from)
      .orderBy('day'),
  );
  const sent = yield* askOne(
    db
      .selectFrom('account_days')
      .select((select) => select.fn.count<number>('day').distinct().as('n'))
      .where('account_id', '=', accountId)
      .where('day', '<', today)
      .where((eb) => eb(eb('sent', '+', eb.ref('in_doubt')), '>', 0)),
  );
  const guard = yield* askOne(db.selectFrom('guards').select('free_at').where('account_id', '=', accountId));
  const totals = yield* ask(
    db
      .selectFrom('workspace_days')
      .select(['day', 'used'])
      .where('workspace_id', '=', workspaceId)
      .where('day', '>=', labelOf(house.dayOf(now))),
  );
  const days = new Map<string, TakenDay>();
  for (const { day, action, used } of rows) {
    const known = days.get(day) ?? { day, counts: {} };
    days.set(day, { ...known, counts: { ...known.counts, [action]: used } });
  }
  const hours = rows
    .filter(({ hour }) => hour > 0)
    .map(({ hour, action, hourUsed }): TakenHour => ({ hour, action, count: hourUsed }));
  return {
    now,
    taken: { days: [...days.values()], hours, daysSent: sent?.n ?? 0, freeAt: guard?.free_at ?? 0 },
    totals: new Map(totals.map(({ day, used }) => [day, used])),
  };
}

/** The dates from there on, on which an account has sent anything. */
export function* datesWithMail({ db }: Store, accountId: number, from: string): Script<readonly string[]> {
  const rows = yield* ask(
    db
      .selectFrom('account_days')
      .select('day')
      .distinct()
      .where('account_id', '=', accountId)
      .where('day', '>=', from)
      .where((eb) => eb(eb('sent', '+', eb.ref('in_doubt')), '>', 0)),
  );
  return rows.map(({ day }) => day);
}

/** So many of a channel wait for a time between these two. */
export function* countWaiting(
  store: Store,
  channelIds: readonly number[],
  from: number,
  until: number,
): Script<number> {
  if (channelIds.length === 0) return 0;
  const question = new Question(store);
  const [row] = yield* question.rows<{ n: number }>(
    `select count(*) as n from ${store.at('due')} d
      where ${question.among('d.channel_id', channelIds)} and d.alone in (${PLANNED})
        and d.due_at >= ${question.bind(from)} and d.due_at < ${question.bind(until)}`,
  );
  return row?.n ?? 0;
}

/** How many of a channel leave before a message that waits in it; no more than `most` are counted. */
export function* countBefore(
  store: Store,
  channelId: number,
  place: { readonly dueAt: number; readonly id: number },
  most: number,
): Script<{ readonly before: number; readonly since: number }> {
  const question = new Question(store);
  const [channel, dueAt, id] = [channelId, place.dueAt, place.id].map(question.bind);
  const [row] = yield* question.rows<{ n: number; since: number | null }>(
    `select count(*) as n, min(due_at) as since from (
        select d.due_at from ${store.at('due')} d
        where d.channel_id = ${channel} and d.alone in (0, 1)
          and (d.due_at < ${dueAt} or (d.due_at = ${dueAt} and d.message_id < ${id}))
        order by d.due_at limit ${String(most)}) ahead`,
  );
  return { before: row?.n ?? 0, since: row?.since ?? place.dueAt };
}

export interface PlannedRow {
  readonly channelId: number;
  /** The beginning of its grain of time. */
  readonly at: number;
  readonly count: number;
  /** 1: these leave in their recipients' own windows. */
  readonly own: number;
}

const OWN = (closesAt: string): string => `case when ${closesAt} is null then 0 else 1 end`;

/** What waits for a time to come, counted by grains of time. */
export function* readPlanned(
  store: Store,
  channelIds: readonly number[],
  now: number,
  grainMs: number,
): Script<readonly PlannedRow[]> {
  if (channelIds.length === 0) return [];
  const question = new Question(store);
  const grain = String(grainMs);
  return yield* question.rows<PlannedRow>(
    `select d.channel_id as "channelId", d.due_at / ${grain} * ${grain} as at, count(*) as count, ${OWN('d.closes_at')} as own
      from ${store.at('due')} d
      where ${question.among('d.channel_id', channelIds)} and d.alone in (${PLANNED}) and d.due_at > ${question.bind(now)}
      group by 1, 2, 4 order by 2, 1, 4`,
  );
}

/** What waits for a time to come and is closer to the one before it than its account allows; the first so many. */
export function* readTooClose(
  store: Store,
  workspaceId: number,
  now: number,
  most: number,
): Script<readonly Omit<PlannedRow, 'count'>[]> {
  const question = new Question(store);
  const [workspace, instant] = [workspaceId, now].map(question.bind);
  const { at } = store;
  return yield* question.rows(
    `select channel_id as "channelId", due_at as at, ${OWN('closes_at')} as own from (
        select d.channel_id, d.due_at, d.closes_at, d.due_at - lag(d.due_at) over (partition by o.account_id order by d.due_at, d.message_id) as gap,
          g.spacing_ms
        from ${at('openings')} o join ${at('guards')} g on g.account_id = o.account_id and g.spacing_ms > 0
        join ${at('due')} d on d.channel_id = o.channel_id and d.alone in (${PLANNED}) and d.due_at > ${instant}
        where o.workspace_id = ${workspace}) spaced
      where gap < spacing_ms order by due_at limit ${String(most)}`,
  );
}

/** The last so many of a channel that wait for a time in this stretch; `own`: for their recipients' windows. */
export function* lastWaiting(
  store: Store,
  channelId: number,
  { from, until, own }: { readonly from: number; readonly until: number; readonly own: boolean },
  count: number,
): Script<readonly number[]> {
  const rows = yield* ask(
    store.db
      .selectFrom('due')
      .select('message_id')
      .where('channel_id', '=', channelId)
      .where('alone', 'in', PLANNED_LINES)
      .where('due_at', '>=', from)
      .where('due_at', '<', until)
      .where('closes_at', own ? 'is not' : 'is', null)
      .orderBy('due_at', 'desc')
      .orderBy('message_id', 'desc')
      .limit(count),
  );
  return rows.map((row) => row.message_id);
}

/** Gives a message that still waits another time. False: it does not wait any more. */
export function* moveWaiting({ db }: Store, id: number, dueAt: number): Script<boolean> {
  const moved = yield* askOne(
    db
      .updateTable('due')
      .set({ due_at: dueAt, queued_at: null })
      .where('message_id', '=', id)
      .returning('message_id'),
  );
  if (!moved) return false;
  yield* ask(db.updateTable('messages').set({ scheduled_for: dueAt }).where('id', '=', id));
  return true;
}

/** What the workspace's day has used, and on how many days before it anything was. */
export function* readWorkspaceDay(
  { db }: Store,
  workspaceId: number,
  date: string,
): Script<{ readonly used: number; readonly before: number }> {
  const day = yield* askOne(
    db
      .selectFrom('workspace_days')
      .select('used')
      .where('workspace_id', '=', workspaceId)
      .where('day', '=', date),
  );
  const before = yield* askOne(
    db
      .selectFrom('workspace_days')
      .select((select) => select.fn.countAll<number>().as('n'))
      .where('workspace_id', '=', workspaceId)
      .where('day', '<', date)
      .where('used', '>', 0),
  );
  return { used: day?.used ?? 0, before: before?.n ?? 0 };
}
