import { parseAddress } from './address.js';

const LONGEST_URI = 8_192;
const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)[Tt](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
/** RFC 3986: a scheme, and nothing that would have to be escaped. */
const URI = /^[A-Za-z][A-Za-z\d+.-]{0,30}:[!#-;=?-[\]_a-z~]+$/;

/**
 * The formats that the contracts name, as the compiled ones ask for them. `email` is what mail can be sent to here, so
 * it also takes addresses outside of ASCII.
 */
export const formats = {
  email: (text: string): boolean => 'address' in parseAddress(text),
  'date-time': (text: string): boolean => isDay(DATE_TIME.exec(text)?.[1]),
  uri: (text: string): boolean => text.length <= LONGEST_URI && URI.test(text),
} as const;

/** There is no 31st of February, whatever `Date.parse` makes of it. */
function isDay(day: string | undefined): boolean {
  if (day === undefined) return false;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}
