import type { Action } from './message.js';
import { monthOf, quotaOn, rampQuota, weekOf } from './opening.js';
import { takenInHour, takenOn, usageOn, type Taken } from './plan/taken.js';
import type { Rules } from './rules.js';
import type { LimitPeriod } from './sending.js';
import { dayOfLabel, labelOf } from './zone.js';

/** One of the things that say how much may leave: at most `max`, of which so much is used. */
export interface Limit {
  /** A searchable word. `window`: it is shut. `limit`: one of the account's own, by period. */
  readonly kind: 'window' | 'limit' | 'ramp_up' | 'total' | 'spacing';
  readonly period?: LimitPeriod;
  readonly max: number;
  readonly used: number;
}

/** What is used of an action, by the periods that a moment belongs to. */
export interface PeriodCounts {
  /** Undefined: at that moment no hour counts. */
  readonly hour: number | undefined;
  readonly day: number;
  readonly week: number;
  readonly month: number;
}

export const roomOf = ({ max, used }: Limit): number => Math.max(0, max - used);

/** The account's own limits that hold at a moment, those first that last longest. `daysSent`: before that day. */
export function limitsInForce(
  { limits, rampUp }: Rules,
  action: Action,
  counts: PeriodCounts,
  daysSent: number,
): Limit[] {
  const own = limits[action];
  const ramp = rampQuota(own.day, rampUp, daysSent);
  const found: Limit[] = [
    { kind: 'limit', period: 'month', max: own.month, used: counts.month },
    { kind: 'limit', period: 'week', max: own.week, used: counts.week },
  ];
  if (ramp < own.day) found.push({ kind: 'ramp_up', period: 'day', max: ramp, used: counts.day });
  found.push({ kind: 'limit', period: 'day', max: own.day, used: counts.day });
  if (counts.hour !== undefined)
    found.push({ kind: 'limit', period: 'hour', max: own.hour, used: counts.hour });
  return found.filter(({ max }) => max < Infinity);
}

/** All of an account's limits at an instant of its window, and the workspace's. */
export function limitsAt(rules: Rules, action: Action, at: number, use: Use): Limit[] {
  const { zone } = rules.calendar;
  const day = labelOf(zone.dayOf(at));
  const { taken } = use;
  const counts = {
    hour: takenInHour(taken, action, zone.hourOf(at)),
    day: takenOn(taken, action, day),
    week: takenOn(taken, action, ...weekOf(day)),
    month: takenOn(taken, action, ...monthOf(day)),
  };
  const { daysSent } = usageOn(taken, action, labelOf(zone.dayOf(use.now)), day);
  return [...limitsInForce(rules, action, counts, daysSent), totalAt(rules, at, use)];
}

const totalAt = ({ house, dailyQuota }: Rules, at: number, { totals }: Use): Limit => ({
  kind: 'total',
  period: 'day',
  max: dailyQuota,
  used: totals.get(labelOf(house.dayOf(at))) ?? 0,
});

/** What is used, as it is at one moment. */
export interface Use {
  readonly now: number;
  /** What has left, is under way or in doubt. */
  readonly taken: Taken;
  /** The same of all accounts of the workspace, by its own days. */
  readonly totals: ReadonlyMap<string, number>;
}

export interface Capacity {
  readonly date: string;
  /** What the account may do on that date; none if its window stays shut. */
  readonly limit: number;
  readonly used: number;
  readonly planned: number;
  /** What could still be planned for that date and leave on it. */
  readonly remaining: number;
  /** What has least room, and what has least after it. */
  readonly binding: Limit;
  readonly next: Limit | null;
  /** Of the window that is open, else of the next. */
  readonly opensAt: number | null;
  readonly closesAt: number | null;
}

/** What an account may do of an action on a local date, today's or a later one, and what it is bound by. */
export function capacityOf(
  rules: Rules,
  action: Action,
  use: Use & { readonly planned: number },
  date = labelOf(rules.calendar.zone.dayOf(use.now)),
): Capacity {
  const { calendar } = rules;
  const today = labelOf(calendar.zone.dayOf(use.now));
  const day = dayOfLabel(date);
  const begins = calendar.zone.startOf(day);
  const at = date === today ? use.now : begins;
  const window = calendar.interval(at);
  const used = takenOn(use.taken, action, date);
  const works = calendar.interval(begins)?.day === day;
  const limit = limitOn(rules, action, use, date);
  const opens = window?.day === day ? Math.max(window.opensAt, at) : at;

  const limits = limitsAt(rules, action, opens, use);
  if (rules.spacing.minMs > 0) {
    limits.push({ kind: 'spacing', max: used + fitting(rules, at, day, use.taken.freeAt), used });
  }
  const ranked = limits.sort((one, other) => roomOf(one) - roomOf(other));
  const shut = date === today ? !calendar.isOpen(use.now) : !works;
  if (shut) ranked.unshift({ kind: 'window', max: 0, used: 0 });
  const room = Math.min(
    limit - used,
    roomOf(totalAt(rules, opens, use)),
    fitting(rules, at, day, use.taken.freeAt, (hour) => hourlyRoom(rules, action, use, hour)),
  );
  return {
    ...{ date, limit, used, planned: use.planned, remaining: Math.max(0, room - use.planned) },
    binding: ranked[0] as Limit,
    next: ranked[1] ?? null,
    opensAt: window?.opensAt ?? null,
    closesAt: window?.closesAt ?? null,
  };
}

/** What an account may do of an action on one of its dates; none if its window stays shut. */
export function limitOn(rules: Rules, action: Action, { taken, now }: Use, date: string): number {
  const { calendar } = rules;
  const day = dayOfLabel(date);
  if (calendar.interval(calendar.zone.startOf(day))?.day !== day) return 0;
  return quotaOn(rules, action, usageOn(taken, action, labelOf(calendar.zone.dayOf(now)), date));
}

const hourlyRoom = ({ limits }: Rules, action: Action, { taken }: Use, hour: number): number =>
  Math.max(0, limits[action].hour - takenInHour(taken, action, hour));

/** How many could leave in what is left of a day, one as soon after the other as spacing and hours let them. */
function fitting(
  { calendar, spacing: { minMs } }: Rules,
  from: number,
  day: number,
  freeAt: number,
  roomIn: (hour: number) => number = () => Infinity,
): number {
  let count = 0;
  let free = Math.max(from, freeAt);
  for (let piece = calendar.interval(from); piece?.day === day; piece = calendar.interval(piece.closesAt)) {
    for (let at = Math.max(free, piece.opensAt); at < piece.closesAt;) {
      const ends = Math.min(piece.closesAt, calendar.zone.hourEnd(at));
      const spaced = minMs > 0 ? Math.floor((ends - 1 - at) / minMs) + 1 : Infinity;
      const fits = Math.min(spaced, roomIn(calendar.zone.hourOf(at)));
      count += fits;
      if (fits === Infinity) return Infinity;
      free = Math.max(free, at + fits * minMs);
      at = Math.max(ends, free);
    }
  }
  return count;
}
