const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** "4 s", "1 m 12 s", "2 h 5 m", "3 days": two units are enough to act on. */
export function durationWords(ms: number): string {
  if (ms < MINUTE) return `${Math.max(0, Math.floor(ms / SECOND))} s`;
  // Seconds that tick are only worth watching when they are few.
  if (ms < 2 * MINUTE) return `${Math.floor(ms / MINUTE)} m ${Math.floor((ms % MINUTE) / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m`;
  if (ms < DAY) {
    const minutes = Math.floor((ms % HOUR) / MINUTE);
    return minutes === 0 || ms >= 10 * HOUR
      ? `${Math.floor(ms / HOUR)} h`
      : `${Math.floor(ms / HOUR)} h ${minutes} m`;
  }
  return `${Math.floor(ms / DAY)} days`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Kept: to make one takes longer than to draw the row it is for. */
function format(zone: string, options: Intl.DateTimeFormatOptions, locale = 'en-GB'): Intl.DateTimeFormat {
  const key = `${locale} ${zone} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(locale, { ...options, timeZone: zone, hourCycle: 'h23' });
  formats.set(key, made);
  return made;
}

const TIME = { hour: '2-digit', minute: '2-digit' } as const;
const SECONDS = { ...TIME, second: '2-digit' } as const;

export const timeOf = (instant: number, zone: string): string => format(zone, TIME).format(instant);
export const secondsOf = (instant: number, zone: string): string => format(zone, SECONDS).format(instant);

/** "Tue 17 Nov". */
export const dayOf = (instant: number, zone: string): string =>
  format(zone, { weekday: 'short', day: 'numeric', month: 'short' }).format(instant).replace(',', '');

/** "EST", "UTC", "GMT+3": as short as the zone has it. */
export function zoneName(zone: string, instant: number): string {
  // Only Americans name the zones of America.
  const named = format(zone, { timeZoneName: 'short' }, 'en-US');
  return named.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? zone;
}

/**
 * When something happens, or happened: "in 1 m 12 s" and "2 h ago" within a day, "Tue 09:03" within a week, else the
 * date.
 */
export function whenWords(instant: number, now: number, zone: string): string {
  const away = instant - now;
  const distance = Math.abs(away);
  if (distance < SECOND) return 'now';
  if (distance < DAY) return away > 0 ? `in ${durationWords(distance)}` : `${durationWords(distance)} ago`;
  if (distance < 6 * DAY) {
    const weekday = format(zone, { weekday: 'short' }).format(instant);
    return `${weekday} ${timeOf(instant, zone)}`;
  }
  return dayOf(instant, zone);
}

/** "Mon 16 Nov 2026, 09:37:52 EST": nothing left to guess. */
export function fullWords(instant: number, zone: string): string {
  const date = format(zone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  return `${date.format(instant).replace(',', '')}, ${secondsOf(instant, zone)} ${zoneName(zone, instant)}`;
}
