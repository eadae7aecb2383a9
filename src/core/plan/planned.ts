import type { Action } from '../message.js';
import type { Rules } from '../rules.js';
import { labelOf, type Zone } from '../zone.js';
import type { Taken, TakenDay, TakenHour } from './taken.js';

/** What waits for times within one quarter of an hour: it belongs to one local day and hour, whatever the zone. */
export const GRAIN_MS = 900_000;

export interface PlannedGrain {
  readonly action: Action;
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** What has left or is under way, and what waits for its time beside it. What is late waits for today. */
export function withPlanned(
  taken: Taken,
  { calendar: { zone }, limits }: Pick<Rules, 'calendar' | 'limits'>,
  now: number,
  grains: Iterable<PlannedGrain>,
): Taken {
  const days = new Map<string, Mutable<TakenDay>>(
    taken.days.map((day) => [day.day, { ...day, counts: { ...day.counts } }]),
  );
  const hours = new Map<string, Mutable<TakenHour>>(
    taken.hours.map((hour) => [`${hour.action} ${hour.hour}`, { ...hour }]),
  );
  for (const { action, first, last, count } of grains) {
    const late = last < now;
    const label = labelOf(zone.dayOf(late ? now : last));
    const day = days.get(label) ?? { day: label, counts: {} };
    days.set(label, day);
    day.counts = { ...day.counts, [action]: (day.counts[action] ?? 0) + count };
    if (!late) {
      day.first = Math.min(day.first ?? first, first);
      day.last = Math.max(day.last ?? last, last);
    }
    if (limits[action].hour === Infinity || late) continue;
    const hour = zone.hourOf(last);
    const known = hours.get(`${action} ${hour}`) ?? { hour, action, count: 0 };
    hours.set(`${action} ${hour}`, { ...known, count: known.count + count });
  }
  return { ...taken, days: [...days.values()], hours: [...hours.values()] };
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The same of a whole workspace, by its own days. */
export function totalsWithPlanned(
  totals: ReadonlyMap<string, number>,
  house: Zone,
  now: number,
  grains: Iterable<Pick<PlannedGrain, 'last' | 'count'>>,
): ReadonlyMap<string, number> {
  const sums = new Map(totals);
  for (const { last, count } of grains) {
    const day = labelOf(house.dayOf(Math.max(now, last)));
    sums.set(day, (sums.get(day) ?? 0) + count);
  }
  return sums;
}
