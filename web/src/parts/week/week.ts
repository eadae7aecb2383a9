import type { SendingWindow } from '../../api/types';

/** From when to when of a day, in minutes after midnight. */
export type Interval = readonly [from: number, to: number];
/** The open times of each weekday, Monday first, in order. */
export type Week = readonly (readonly Interval[])[];

export const STEP_MINUTES = 15;
export const DAY_MINUTES = 1_440;
export const DAY_NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
const HOUR = 60;

export const clockOf = (minute: number): string =>
  [Math.floor(minute / HOUR), minute % HOUR].map((n) => String(n).padStart(2, '0')).join(':');

export const intervalWords = ([from, to]: Interval): string => `${clockOf(from)}–${clockOf(to)}`;

const minuteOf = (clock: string): number => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number);
  return hour * HOUR + minute;
};

type Hours = Pick<SendingWindow, 'sendingDays' | 'startHour' | 'endHour' | 'hours'>;

export function weekOf({ sendingDays, startHour, endHour, hours }: Hours): Week {
  return DAY_NAMES.map((_, place) => {
    const day = place + 1;
    if (!hours) return sendingDays.includes(day) ? [[startHour * HOUR, endHour * HOUR]] : [];
    const given = hours[day as keyof typeof hours] ?? [];
    return joined(given.map(([from = '', to = '']) => [minuteOf(from), minuteOf(to)]));
  });
}

/** As the API keeps it: days and whole hours where that says it all, else every interval of every day. */
export function hoursOf(week: Week):
  | {
      readonly sendingDays: number[];
      readonly startHour: number;
      readonly endHour: number;
      readonly hours: null;
    }
  | { readonly hours: Readonly<Record<string, readonly (readonly [string, string])[]>> } {
  const open = week.map(joined);
  const days = open.flatMap((intervals, place) => (intervals.length > 0 ? [place] : []));
  const [first] = days.map((place) => open[place]?.[0]);
  const alike =
    first !== undefined &&
    first.every((minute) => minute % HOUR === 0) &&
    days.every((place) => JSON.stringify(open[place]) === JSON.stringify([first]));
  if (alike) {
    const [startHour, endHour] = [first[0] / HOUR, first[1] / HOUR];
    return { sendingDays: days.map((place) => place + 1), startHour, endHour, hours: null };
  }
  return {
    hours: Object.fromEntries(
      days.map((place) => [
        String(place + 1),
        (open[place] ?? []).map(([from, to]) => [clockOf(from), clockOf(to)] as const),
      ]),
    ),
  };
}

/** In order, and those that touch or overlap as one. */
export function joined(intervals: readonly Interval[]): Interval[] {
  const found: [number, number][] = [];
  for (const [from, to] of [...intervals].sort(([a], [b]) => a - b)) {
    const last = found.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

/** An edge goes to a minute, no further than its neighbours and not past its own other end. */
export function edgeMoved(
  intervals: readonly Interval[],
  place: number,
  edge: 0 | 1,
  minute: number,
): Interval[] {
  const own = intervals[place];
  if (!own) return [...intervals];
  const least = edge === 0 ? (intervals[place - 1]?.[1] ?? 0) : own[0] + STEP_MINUTES;
  const most = edge === 0 ? own[1] - STEP_MINUTES : (intervals[place + 1]?.[0] ?? DAY_MINUTES);
  const wanted = Math.round(minute / STEP_MINUTES) * STEP_MINUTES;
  const at = Math.max(least, Math.min(most, wanted));
  return intervals.map((each, n) => (n !== place ? each : edge === 0 ? [at, each[1]] : [each[0], at]));
}

const USUAL: Interval = [9 * HOUR, 17 * HOUR];
const BREAK = HOUR;

/** One more: after the last with a break between, else before the first; undefined: the day is full. */
export function oneMore(intervals: readonly Interval[]): Interval | undefined {
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (!first || !last) return USUAL;
  const after = last[1] + BREAK;
  if (after + HOUR <= DAY_MINUTES) return [after, Math.min(DAY_MINUTES, after + 2 * HOUR)];
  const before = first[0] - BREAK;
  return before - HOUR >= 0 ? [Math.max(0, before - 2 * HOUR), before] : undefined;
}

const TYPED = /^\s*(\d{1,2})(?::?([0-5]\d))?\s*(?:–|-|—|to)\s*(\d{1,2})(?::?([0-5]\d))?\s*$/;

/** "09:00–12:30", "9-12:30", "9 to 17"; undefined: nothing that can be read, or empty. */
export function readInterval(text: string): Interval | undefined {
  const parts = TYPED.exec(text);
  if (!parts) return undefined;
  const [from, to] = [
    Number(parts[1]) * HOUR + Number(parts[2] ?? 0),
    Number(parts[3]) * HOUR + Number(parts[4] ?? 0),
  ];
  return from < to && to <= DAY_MINUTES ? [from, to] : undefined;
}

export const weekMinutes = (week: Week): number =>
  week.flatMap(joined).reduce((sum, [from, to]) => sum + to - from, 0);

/** "32 h", "32 h 30 min". */
export function lengthWords(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / HOUR), minutes % HOUR];
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

export const isSameWeek = (one: Week, other: Week): boolean =>
  JSON.stringify(one.map(joined)) === JSON.stringify(other.map(joined));

/** How many days differ. */
export const daysChanged = (before: Week, after: Week): number =>
  after.filter((day, place) => JSON.stringify(joined(day)) !== JSON.stringify(joined(before[place] ?? [])))
    .length;
