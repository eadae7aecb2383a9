import type { SendingFault, SendingWindow } from './sending.js';

type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

/** Several times of a weekday, such as `['09:00', '12:30']`; `24:00` is its end. A day that is missing is shut. */
export type DayHours = Readonly<Partial<Record<Weekday, readonly Interval[]>>>;
type Interval = readonly [opens: string, closes: string];

/** Of each weekday, Monday first: from when to when of its wall clock a window is open, in ms after midnight, in order. */
export type OpenHours = readonly (readonly (readonly [opens: number, closes: number])[])[];

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEKDAYS: readonly Weekday[] = [1, 2, 3, 4, 5, 6, 7];

/** What is said in whole hours and what is said to the minute, as one. The finer word counts. */
export function openHours({ sendingDays, startHour, endHour, hours }: SendingWindow): OpenHours {
  if (!hours) {
    const whole = [[startHour * HOUR_MS, endHour * HOUR_MS]] as const;
    return WEEKDAYS.map((day) => (sendingDays.includes(day) ? whole : []));
  }
  return WEEKDAYS.map((day) =>
    (hours[day] ?? [])
      .map(([opens, closes]) => [clockMs(opens), clockMs(closes)] as const)
      .sort(([a], [b]) => a - b),
  );
}

/** The days and whole hours that finer ones lie within, for whoever asks only for those. */
export function outlineOf(hours: DayHours): Pick<SendingWindow, 'sendingDays' | 'startHour' | 'endHour'> {
  const sendingDays = WEEKDAYS.filter((day) => (hours[day] ?? []).length > 0);
  const all = sendingDays.flatMap((day) => hours[day] ?? []);
  return {
    sendingDays,
    startHour: Math.floor(Math.min(...all.map(([opens]) => clockMs(opens))) / HOUR_MS),
    endHour: Math.ceil(Math.max(...all.map(([, closes]) => clockMs(closes))) / HOUR_MS),
  };
}

/** Intervals may stand in any order, and may touch. */
export function hoursFault(hours: DayHours): SendingFault | undefined {
  const days = WEEKDAYS.map((day) => ({ day, intervals: hours[day] ?? [] }));
  if (days.every(({ intervals }) => intervals.length === 0)) {
    return { field: 'hours', text: 'has no interval; no mail could ever leave' };
  }
  for (const { day, intervals } of days) {
    for (const [place, interval] of intervals.entries()) {
      const fault = intervalFault(interval, intervals.slice(0, place));
      if (fault) return { ...fault, field: ['hours', day, place, ...fault.field].join('.') };
    }
  }
  return undefined;
}

function intervalFault(
  interval: Interval,
  earlier: readonly Interval[],
): { readonly field: readonly number[]; readonly text: string } | undefined {
  const wrong = interval.findIndex((text) => !isClock(text));
  if (wrong >= 0) return { field: [wrong], text: 'is not a time such as 09:30, from 00:00 to 24:00' };
  const [opens, closes] = interval.map(clockMs) as [number, number];
  if (opens >= closes) return { field: [1], text: 'is not after the time before it' };
  const overlaps = earlier.some(([from, to]) => opens < clockMs(to) && clockMs(from) < closes);
  return overlaps ? { field: [], text: 'overlaps another of the same day' } : undefined;
}

const isClock = (text: string): boolean => /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/.test(text);

/** `12:30`, in ms after midnight. */
function clockMs(text: string): number {
  const [hour, minute] = text.split(':').map(Number) as [number, number];
  return hour * HOUR_MS + minute * MINUTE_MS;
}
