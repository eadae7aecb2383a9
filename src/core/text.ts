/** Whatever is longer is not read: a megabyte of junk must cost nothing. */
const READ_AT_MOST = 4_096;
/** Nearly everything that servers say: nothing in it to mend. */
const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/**
 * Words of a stranger, fit to be stored, logged and shown: one line, no control characters, nothing that turns the
 * direction of what stands around it, no half of a surrogate pair, and short.
 */
export function forPeople(text: string, max: number): string {
  if (text.length <= max && PLAIN.test(text)) return text;
  const line = text
    .slice(0, READ_AT_MOST)
    .replace(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  if (line.length <= max) return line.toWellFormed();
  return line
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();
}
