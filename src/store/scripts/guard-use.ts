import type { Use } from '../../core/limits.js';
import { PLANNED_LINES } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import { monthOf, weekOf } from '../../core/opening.js';
import type { TakenDay, TakenHour } from '../../core/plan/taken.js';
import type { Rules } from '../../core/rules.js';
import { labelOf } from '../../core/zone.js';
import { among } from '../among.js';
import { updateMany } from '../bulk.js';
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

export interface WaitingRow {
  readonly id: number;
  readonly at: number;
  /** 1: it leaves in its recipient's own window. */
  readonly own: number;
}

/** What of a channel waits for a time between these two, in the order of its times. */
export function* waitingBetween(
  store: Store,
  channelId: number,
  from: number,
  until: number,
): Script<readonly WaitingRow[]> {
  const question = new Question(store);
  return yield* question.rows<WaitingRow>(
    `select d.message_id as id, d.due_at as at, ${OWN('d.closes_at')} as own from ${store.at('due')} d
      where d.channel_id = ${question.bind(channelId)} and d.alone in (${PLANNED})
        and d.due_at >= ${question.bind(from)} and d.due_at < ${question.bind(until)}
      order by d.due_at, d.message_id`,
  );
}

/** Gives messages that still wait another time. Answers how many do. */
export function* moveWaiting(
  store: Store,
  moves: readonly { readonly id: number; readonly to: number }[],
): Script<number> {
  if (moves.length === 0) return 0;
  const { db, dialect } = store;
  const query = db
    .selectFrom('due')
    .select('message_id')
    .where((eb) =>
      among(
        store,
        eb.ref('message_id'),
        moves.map(({ id }) => id),
      ),
    )
    .orderBy('message_id');
  const there = yield* ask(dialect === 'postgres' ? query.forUpdate() : query);
  const waiting = new Set(there.map(({ message_id }) => message_id));
  const moved = moves.filter(({ id }) => waiting.has(id));
  yield* updateMany(
    store,
    'due',
    [
      { name: 'message_id', type: 'bigint' },
      { name: 'due_at', type: 'bigint' },
      { name: 'queued_at', type: 'bigint' },
    ],
    moved.map(({ id, to }) => [id, to, null]),
  );
  yield* updateMany(
    store,
    'messages',
    [
      { name: 'id', type: 'bigint' },
      { name: 'scheduled_for', type: 'bigint' },
    ],
    moved.map(({ id, to }) => [id, to]),
  );
  return moved.length;
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
