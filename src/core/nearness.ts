import { limitOn, type Use } from './limits.js';
import type { Action } from './message.js';
import { monthOf, rampQuota, weekOf } from './opening.js';
import { takenInHour, takenOn } from './plan/taken.js';
import type { Rules } from './rules.js';
import { LIMIT_PERIODS, type LimitPeriod } from './sending.js';
import { dayOfLabel, labelOf } from './zone.js';

/** What an account does of one action: what it has used, and what is planned for times to come. */
export interface NearFacts {
  readonly accountId: number;
  readonly action: Action;
  readonly rules: Rules;
  readonly use: Use;
  /** So many are planned between an instant and the next grain of time. */
  readonly grains: readonly { readonly at: number; readonly count: number }[];
  /** What could have left already, and does as soon as it may. */
  readonly late: number;
}

export interface PeriodUse {
  readonly used: number;
  readonly planned: number;
  readonly max: number;
}

/** By the hour, day, week and month that hold now; null where there is no limit. */
export type PeriodUses = Readonly<Record<LimitPeriod, PeriodUse | null>>;

/**
 * How near it is to each of its limits. What is late fills what room there is, and no more: it has no time of its own that
 * could be too much.
 */
export function periodUses({ action, rules, use, grains, late }: NearFacts): PeriodUses {
  const { zone } = rules.calendar;
  const { taken, now } = use;
  const own = rules.limits[action];
  const day = labelOf(zone.dayOf(now));
  const hour = zone.hourOf(now);
  const plannedIn = (from: number, until: number) =>
    grains.reduce((sum, { at, count }) => (at >= from && at < until ? sum + count : sum), 0);
  const days = ([first, last]: readonly [string, string]) => ({
    used: takenOn(taken, action, first, last),
    planned: plannedIn(zone.startOf(dayOfLabel(first)), zone.startOf(dayOfLabel(last) + 1)),
  });
  const counts = {
    hour: { used: takenInHour(taken, action, hour), planned: plannedIn(hour, zone.hourEnd(now)) },
    day: days([day, day]),
    week: days(weekOf(day)),
    month: days(monthOf(day)),
  };
  const most = { ...own, day: rampQuota(own.day, rules.rampUp, taken.daysSent) };
  const found = LIMIT_PERIODS.map((period): [LimitPeriod, PeriodUse | null] => {
    const [{ used, planned }, max] = [counts[period], most[period]];
    if (max === Infinity) return [period, null];
    const room = Math.max(0, max - used - planned);
    return [period, { used, planned: planned + Math.min(late, room), max }];
  });
  return Object.fromEntries(found) as Record<LimitPeriod, PeriodUse | null>;
}

/** How full the fullest of its periods is: 1 is full. */
export const fullest = (uses: PeriodUses): number =>
  Math.max(
    0,
    ...Object.values(uses).map((use) => (use === null ? 0 : (use.used + use.planned) / Math.max(1, use.max))),
  );

/** What all accounts have on a date, by their own calendars, and what they may have. */
export interface DayLoad {
  readonly date: string;
  readonly planned: number;
  readonly room: number;
}

/** The first so many dates for which something is planned. */
export function dayLoads(everybody: readonly NearFacts[], most: number): DayLoad[] {
  const planned = new Map<string, number>();
  for (const { action, rules, use, grains, late } of everybody) {
    const { zone } = rules.calendar;
    const today = labelOf(zone.dayOf(use.now));
    const add = (date: string, count: number) => planned.set(date, (planned.get(date) ?? 0) + count);
    const used = takenOn(use.taken, action, today);
    const room = Math.max(0, limitOn(rules, action, use, today) - used);
    if (used + Math.min(late, room) > 0) add(today, used + Math.min(late, room));
    for (const { at, count } of grains) add(labelOf(zone.dayOf(at)), count);
  }
  return [...planned]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, most)
    .map(([date, count]) => ({ date, planned: count, room: roomOn(everybody, date) }));
}

function roomOn(everybody: readonly NearFacts[], date: string): number {
  const sum = everybody.reduce(
    (total, { rules, action, use }) => total + limitOn(rules, action, use, date),
    0,
  );
  return Math.min(sum, ...everybody.map(({ rules }) => rules.dailyQuota));
}
