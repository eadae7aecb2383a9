import { DAY, HOUR, MINUTE, READ_AT_MOST } from './rules.js';

/** No provider is believed beyond a day: a wrong clock over there must not bury a mail here. */
const CAP_SECONDS = DAY;

const bounded = (seconds: number): number => Math.min(CAP_SECONDS, Math.max(0, Math.ceil(seconds)));

// The three forms of RFC 9110 5.6.7 that a recipient must read, and ISO 8601, which providers write instead.
const IMF_DATE = /^[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} gmt$/i;
const RFC_850_DATE = /^[a-z]{6,9}, \d{2}-[a-z]{3}-\d{2} \d{2}:\d{2}:\d{2} gmt$/i;
const ASCTIME_DATE = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i;
const ISO_DATE = /^\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:z|[+-]\d{2}:\d{2})$/i;

function instantOf(text: string): number | undefined {
  const known = [IMF_DATE, RFC_850_DATE, ISO_DATE].some((form) => form.test(text));
  // asctime names no zone and means GMT; read as it stands it would be local time.
  const instant = known ? Date.parse(text) : ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/**
 * The header of RFC 9110 10.2.3: seconds or a date. A date in the past is 0, more than a day is a day; what is
 * neither is undefined, and the usual wait holds. `now` is epoch ms.
 */
export function retryAfterSeconds(header: string | undefined, now: number): number | undefined {
  const text = header?.slice(0, 64).trim() ?? '';
  if (/^\d{1,20}(?:\.\d{1,20})?$/.test(text)) return bounded(Number(text));
  const instant = instantOf(text);
  return instant === undefined ? undefined : bounded((instant - now) / 1_000);
}

// A number alone is not a wait ("timeout after 300 seconds"): somebody must be asked to come back.
const INVITATION = '(?:try|retry|again|come back|wait|resend|gr[ea]ylist(?:ed|ing))[^\\d.]{0,32}?';
const DURATION = new RegExp(
  `${INVITATION}(\\d{1,6}) ?(seconds?|secs?|s|minutes?|mins?|hours?|hrs?|h)\\b`,
  'i',
);
const CLOCK = new RegExp(`${INVITATION}(\\d{1,2}):(\\d{2}):(\\d{2})(?![\\d:])`, 'i');
const INSTANT = /retry after (\d{4}-\d{2}-\d{2}t\d{2}:\d{2}:\d{2}[\d.]{0,10}(?:z|[+-]\d{2}:\d{2}))/i;

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: MINUTE, h: HOUR };

/**
 * A wait asked for in words: "try again in 300 seconds", "come back in 00:05:00", and, where `now` is known, Gmail's
 * "Retry after 2026-10-03T10:00:00Z".
 */
export function waitInText(text: string, now?: number): number | undefined {
  const line = text.slice(0, READ_AT_MOST).replace(/\s+/g, ' ');
  if (now !== undefined) {
    const instant = instantOf(INSTANT.exec(line)?.[1] ?? '');
    if (instant !== undefined) return bounded((instant - now) / 1_000);
  }
  const clock = CLOCK.exec(line);
  if (clock) return bounded(Number(clock[1]) * HOUR + Number(clock[2]) * MINUTE + Number(clock[3]));
  const duration = DURATION.exec(line);
  const unit = UNIT_SECONDS[duration?.[2]?.[0]?.toLowerCase() ?? ''];
  return unit === undefined ? undefined : bounded(Number(duration?.[1]) * unit);
}
