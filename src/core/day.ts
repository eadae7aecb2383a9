/** When this day began in a time zone. A zone that nobody knows counts as UTC. */
export function startOfDay(instant: number, timeZone: string): number {
  const format = formatOf(timeZone);
  const today = dateIn(format, instant);
  const midnight = Date.parse(`${today}T00:00:00Z`);
  // The offset at midnight may be another than now: ask there, and ask again where that led to.
  let start = midnight - offsetIn(format, midnight);
  start = midnight - offsetIn(format, start);
  // Where clocks jump over midnight the day begins an hour into it.
  return dateIn(format, start) === today ? start : start + HOUR_MS;
}

const HOUR_MS = 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (!format) {
    format = makeFormat(timeZone);
    formats.set(timeZone, format);
  }
  return format;
}

function makeFormat(timeZone: string): Intl.DateTimeFormat {
  const shape = {
    ...({ year: 'numeric', month: '2-digit', day: '2-digit' } as const),
    ...({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const),
  };
  try {
    return new Intl.DateTimeFormat('en-US', { ...shape, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...shape, timeZone: 'UTC' });
  }
}

/** What the clocks there show, as `2026-11-16T00:00:00`. */
function wallClock(format: Intl.DateTimeFormat, instant: number): string {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}

const dateIn = (format: Intl.DateTimeFormat, instant: number): string =>
  wallClock(format, instant).slice(0, 10);

const offsetIn = (format: Intl.DateTimeFormat, instant: number): number => {
  const whole = Math.floor(instant / 1_000) * 1_000;
  return Date.parse(`${wallClock(format, whole)}Z`) - whole;
};
