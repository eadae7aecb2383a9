import type { Action } from './message.js';
import type { RampUp } from './sending.js';
import type { Rules } from './rules.js';
import { dayOfLabel, isoWeekday, labelOf } from './zone.js';

/** A time in which an account may send, as far as the clock goes: inside its window and on one day of everybody's. */
export interface Stretch {
  /** The account's local day, `2026-11-16`. */
  readonly day: string;
  /** The workspace's. */
  readonly totalDay: string;
  /** When the local hour begins that is counted, if hours are limited; otherwise 0. */
  readonly hour: number;
  readonly opensAt: number;
  readonly openUntil: number;
}

/** What an account has used of an action elsewhere than on the day in question. */
export interface Usage {
  /** On how many days before it the account has sent anything. */
  readonly daysSent: number;
  /** On the other days of its week and of its month. */
  readonly restOfWeek: number;
  readonly restOfMonth: number;
}

/**
 * The stretch that holds now, or the next one; undefined: none within the years that the calendar knows. It ends with the
 * window, with the workspace's day and with the limited hour, whichever comes first: so what is reserved in it is good
 * as long as it lasts, whoever counts.
 */
export function stretchAt(
  { calendar, house, limits }: Rules,
  action: Action,
  now: number,
): Stretch | undefined {
  const interval = calendar.interval(now);
  if (!interval) return undefined;
  const opensAt = Math.max(interval.opensAt, now);
  const hourly = limits[action].hour < Infinity;
  const ends = [interval.closesAt, house.dayEnd(opensAt)];
  if (hourly) ends.push(calendar.zone.hourEnd(opensAt));
  return {
    day: labelOf(interval.day),
    totalDay: labelOf(house.dayOf(opensAt)),
    hour: hourly ? calendar.zone.hourOf(opensAt) : 0,
    opensAt,
    openUntil: Math.min(...ends),
  };
}

/** The same for mail that leaves in its recipient's window: the account's local day that holds now, whatever its own is. */
export function dayStretchAt({ calendar, house, limits }: Rules, action: Action, now: number): Stretch {
  const { zone } = calendar;
  const hourly = limits[action].hour < Infinity;
  const ends = [zone.dayEnd(now), house.dayEnd(now)];
  if (hourly) ends.push(zone.hourEnd(now));
  return {
    day: labelOf(zone.dayOf(now)),
    totalDay: labelOf(house.dayOf(now)),
    hour: hourly ? zone.hourOf(now) : 0,
    opensAt: now,
    openUntil: Math.min(...ends),
  };
}

/** How much of an action may leave on a day. Weeks and months are days together: their rest is a limit of the day. */
export function quotaOn({ limits, rampUp }: Rules, action: Action, usage: Usage): number {
  const { day, week, month } = limits[action];
  const most = Math.min(
    rampQuota(day, rampUp, usage.daysSent),
    week - usage.restOfWeek,
    month - usage.restOfMonth,
  );
  return Math.max(0, most);
}

/** Of the first day `start`, and `step` more for each day on which something was sent. */
export const rampQuota = (limit: number, rampUp: RampUp | undefined, daysSent: number): number =>
  rampUp ? Math.min(limit, rampUp.start + rampUp.step * daysSent) : limit;

/** First and last day of the week (Monday to Sunday) and of the month that a day belongs to. */
export function weekOf(day: string): readonly [first: string, last: string] {
  const number = dayOfLabel(day);
  const monday = number - isoWeekday(number) + 1;
  return [labelOf(monday), labelOf(monday + 6)];
}

export function monthOf(day: string): readonly [first: string, last: string] {
  const [year, month] = day.split('-').map(Number) as [number, number];
  const last = Date.UTC(year, month, 0) / DAY_MS;
  return [`${day.slice(0, 8)}01`, labelOf(last)];
}

const DAY_MS = 86_400_000;
