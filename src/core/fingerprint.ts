import { createHash } from 'node:crypto';

/** Only the beginning is compared: stored texts are cut, and where the cut falls depends on the length of ids. */
const COMPARE_AT_MOST = 200;
const READ_AT_MOST = 1_024;

const DAYS = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}';
const MONTHS = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const DATE = `(?:${DAYS},? )?\\d{1,2} ${MONTHS} \\d{4}(?: \\d{2}:\\d{2}(?::\\d{2})?)?(?: (?:gmt|utc|[+-]\\d{4}))?`;
// An apostrophe is a quote only where a word could begin, and ends one only where a word could end.
const QUOTATION = '"[^"]*"|`[^`]*`|(?<![^\\s(=:,])\'[^\']{1,120}\'(?![a-z0-9])';
const WORD = '[^\\s<>"\'`(),;[\\]{}|]+';
// One pass, left to right: what was replaced is not read again.
const PIECE = new RegExp(`(${DATE})|(${QUOTATION})|${WORD}`, 'g');
const REPEATED = /(<[a-z]+>)(?:[ ,;]+\1)+/g;

/**
 * The same failure in the same words, whoever it happened to: addresses, hosts, ids, numbers, times and quotations
 * become placeholders. Linear in the length of the text, of which only the beginning is read.
 */
export function normaliseErrorText(text: string): string {
  return text
    .slice(0, READ_AT_MOST)
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(PIECE, (piece: string, date?: string, quotation?: string) =>
      date !== undefined ? '<time>' : quotation !== undefined ? '<quoted>' : placeholderOf(piece),
    )
    .replace(REPEATED, '$1')
    .trim()
    .slice(0, COMPARE_AT_MOST)
    .toWellFormed();
}

/** Dead letters with the same fingerprint died of the same cause. 16 hex digits, the same on every machine. */
export function fingerprintOf(death: {
  transport: string;
  class: string;
  code: string;
  message: string;
}): string {
  const cause = [death.transport, death.class, death.code, normaliseErrorText(death.message)];
  return createHash('sha256').update(JSON.stringify(cause)).digest('hex').slice(0, 16);
}

/** First match wins; the end of a sentence is not part of the word. */
const PLACEHOLDERS: readonly [placeholder: string, is: (word: string) => boolean][] = [
  ['<url>', (word) => word.includes('://') || word.startsWith('www.')],
  ['<address>', (word) => word.includes('@')],
  ['<time>', (word) => /^\d{4}-\d{2}-\d{2}(?:t[\d:.]+(?:z|[+-][\d:]+)?)?$/.test(word)],
  ['<time>', (word) => /^\d{1,2}:\d{2}(?::\d{2})?(?:\.\d+)?z?$/.test(word)],
  ['<ip>', (word) => /^\d{1,3}(?:\.\d{1,3}){3}(?:[:/]\d+)?$/.test(word)],
  ['<ip>', (word) => word.split(':').length > 2 && /^(?:ipv6:)?[\da-f:.]+$/.test(word)],
  ['<n>', (word) => /^[\d.,/:%#+-]+$/.test(word) && /\d/.test(word)],
  ['<host>', (word) => /^[\da-z_-]+(?:\.[\da-z_-]+)*\.[a-z]{2,10}$/.test(word)],
  // Hex digits, UUIDs, and the ids of queues: letters and digits that are no word.
  ['<id>', (word) => /^(?:0x)?[\da-f-]{8,}$/.test(word) && /\d/.test(word)],
  ['<id>', (word) => /\d/.test(word) && /[a-z]/.test(word) && !isShortCode(word)],
  ['<id>', (word) => word.length > 40 || /^[b-df-hj-np-tv-z]{10,}$/.test(word)],
];

/** `tss04`, `300s`: a name with a number, not an id. */
const isShortCode = (word: string): boolean => word.length <= 8 && /^\D*\d+\D*$/.test(word);

function placeholderOf(piece: string): string {
  const word = piece.slice(0, 512).replace(/[.:!?-]{1,8}$/, '');
  const tail = piece.length > 512 ? '' : piece.slice(word.length);
  const known = PLACEHOLDERS.find(([, is]) => is(word));
  return (known ? known[0] : word.replace(/\d+/g, '<n>')) + tail;
}
