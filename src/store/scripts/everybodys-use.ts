import type { Use } from '../../core/limits.js';
import { ACTIONS, type Action } from '../../core/message.js';
import { monthOf, weekOf } from '../../core/opening.js';
import type { TakenDay, TakenHour } from '../../core/plan/taken.js';
import type { Rules } from '../../core/rules.js';
import { labelOf } from '../../core/zone.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { Question } from './question.js';

const DAY_MS = 86_400_000;

/**
 * What the accounts of a workspace have used, all at once: as many questions for a thousand accounts as for one. The same
 * as `readUse` answers of each.
 */
export function* readEverybodysUse(
  store: Store,
  workspaceId: number,
  accounts: readonly { readonly id: number; readonly rules: Rules }[],
  now: number,
): Script<ReadonlyMap<number, Use>> {
  const { db } = store;
  // No zone is a day behind: before this date nobody has today.
  const yesterday = labelOf(Math.floor(now / DAY_MS) - 1);
  const from = [weekOf(yesterday)[0], monthOf(yesterday)[0]].sort()[0] ?? yesterday;
  const own = db
    .selectFrom('account_days as d')
    .innerJoin('accounts as a', 'a.id', 'd.account_id')
    .where('a.workspace_id', '=', workspaceId)
    .where('a.removed_at', 'is', null);
  const rows = yield* ask(
    own
      .select((eb) => [
        'd.account_id as accountId',
        'd.day',
        'd.action',
        'd.used',
        'd.hour',
        'd.hour_used as hourUsed',
        eb('d.sent', '+', eb.ref('d.in_doubt')).as('left'),
      ])
      // By name, so that each is a stretch of the key and not all that an account ever did.
      .where('d.action', 'in', [...ACTIONS])
      .where('d.day', '>=', from)
      .orderBy('d.day'),
  );
  const earlier = yield* ask(
    own
      .select((eb) => ['d.account_id as accountId', eb.fn.count<number>('d.day').distinct().as('n')])
      .where('d.day', '<', from)
      .where((eb) => eb(eb('d.sent', '+', eb.ref('d.in_doubt')), '>', 0))
      .groupBy('d.account_id'),
  );
  const guards = yield* ask(
    db
      .selectFrom('guards')
      .select(['account_id as accountId', 'free_at as freeAt'])
      .where('workspace_id', '=', workspaceId),
  );
  const totals = new Map(
    (yield* ask(
      db
        .selectFrom('workspace_days')
        .select(['day', 'used'])
        .where('workspace_id', '=', workspaceId)
        .where('day', '>=', yesterday),
    )).map(({ day, used }) => [day, used]),
  );
  const rowsOf = new Map<number, (typeof rows)[number][]>();
  for (const row of rows) {
    const known = rowsOf.get(row.accountId) ?? [];
    known.push(row);
    rowsOf.set(row.accountId, known);
  }
  const before = new Map(earlier.map(({ accountId, n }) => [accountId, n]));
  const freeAt = new Map(guards.map((guard) => [guard.accountId, guard.freeAt]));
  return new Map(
    accounts.map(({ id, rules }) => {
      const today = labelOf(rules.calendar.zone.dayOf(now));
      const known = rowsOf.get(id) ?? [];
      const sendingDays = new Set(
        known.filter(({ day, left }) => day < today && left > 0).map(({ day }) => day),
      );
      return [
        id,
        {
          now,
          taken: {
            days: daysOf(known),
            hours: hoursOf(known),
            daysSent: (before.get(id) ?? 0) + sendingDays.size,
            freeAt: freeAt.get(id) ?? 0,
          },
          totals,
        },
      ];
    }),
  );
}

interface DayRow {
  readonly day: string;
  readonly action: Action;
  readonly used: number;
  readonly hour: number;
  readonly hourUsed: number;
}

function daysOf(rows: readonly DayRow[]): TakenDay[] {
  const days = new Map<string, TakenDay>();
  for (const { day, action, used } of rows) {
    const known = days.get(day) ?? { day, counts: {} };
    days.set(day, { ...known, counts: { ...known.counts, [action]: used } });
  }
  return [...days.values()];
}

const hoursOf = (rows: readonly DayRow[]): TakenHour[] =>
  rows
    .filter(({ hour }) => hour > 0)
    .map(({ hour, action, hourUsed }) => ({ hour, action, count: hourUsed }));

/** How many of each channel wait for a time before an instant; no more of one than `most`. */
export function* countWaitingEach(
  store: Store,
  channelIds: readonly number[],
  until: number,
  most: number,
): Script<ReadonlyMap<number, number>> {
  if (channelIds.length === 0) return new Map();
  const question = new Question(store);
  const rows = yield* question.rows<{ id: number; n: number }>(
    `select c.id, (select count(*) from (
        select 1 from ${store.at('due')} d where d.channel_id = c.id and d.due_at < ${question.bind(until)}
        limit ${String(most)}) some_of_them) as n
      from ${store.at('channels')} c where ${question.among('c.id', channelIds)}`,
  );
  return new Map(rows.map(({ id, n }) => [id, n]));
}

/** The smallest time between two that an account's channels handed over since an instant, of the last so many; in ms. */
export function* readClosest(
  store: Store,
  channelIds: readonly number[],
  since: number,
  most: number,
): Script<number | undefined> {
  if (channelIds.length === 0) return undefined;
  const question = new Question(store);
  const [row] = yield* question.rows<{ closest: number | null }>(
    `select min(gap) as closest from (
        select handed_at - lag(handed_at) over (order by handed_at) as gap from (
          select handed_at from ${store.at('attempts')}
          where ${question.among('channel_id', channelIds)} and finished_at >= ${question.bind(since)}
            and handed_at >= ${question.bind(since)} and outcome in ('success', 'in_doubt')
          order by finished_at desc limit ${String(most)}) lately) gaps`,
  );
  return row?.closest ?? undefined;
}
