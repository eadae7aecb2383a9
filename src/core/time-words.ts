import { startOfDay } from './day.js';

/** How people of one place say an instant, seen from now. */
export interface Clock {
  readonly now: number;
  /** A zone that nobody knows counts as UTC. */
  readonly timezone: string;
}

interface Wanted {
  readonly seconds?: boolean;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, timeZone, options]);
  const known = formats.get(key) ?? make(locale, timeZone, options);
  formats.set(key, known);
  return known;
}

function make(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone, hourCycle: 'h23' });
  } catch {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC', hourCycle: 'h23' });
  }
}

const TIME = { hour: '2-digit', minute: '2-digit' } as const;

/** "10:43 EST" today, "Tue 17 Nov, 09:03 EST" on any other day, with the year if it is another. */
export function timeWords(
  instant: number,
  { now, timezone }: Clock,
  { seconds = false }: Wanted = {},
): string {
  const time = formatOf('en-GB', timezone, seconds ? { ...TIME, second: '2-digit' } : TIME).format(instant);
  const zone = zoneWords(instant, timezone);
  if (startOfDay(instant, timezone) === startOfDay(now, timezone)) return `${time} ${zone}`;
  return `${dateWords(instant, { now, timezone })}, ${time} ${zone}`;
}

/** "10:35:17": of a time of today, by the clock there. */
export const clockWords = (instant: number, { timezone }: Clock): string =>
  formatOf('en-GB', timezone, { ...TIME, second: '2-digit' }).format(instant);

/** "EST", "UTC", "GMT+3": as short as the zone has it. Only American English has the letters. */
export function zoneWords(instant: number, timezone: string): string {
  const parts = formatOf('en-US', timezone, { timeZoneName: 'short' }).formatToParts(instant);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? timezone;
}

/** "Fri 13 Nov", with the year if it is another. */
export function dateWords(instant: number, { now, timezone }: Clock): string {
  const year = formatOf('en-GB', timezone, { year: 'numeric' });
  const far = year.format(instant) !== year.format(now);
  const date = { weekday: 'short', day: 'numeric', month: 'short' } as const;
  const day = formatOf('en-GB', timezone, far ? { ...date, year: 'numeric' } : date);
  return day.format(instant).replace(',', '');
}
