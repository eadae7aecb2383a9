import { parseAddress } from '../core/address.js';
import type { Mailbox } from '../core/mail.js';
import { ComposeError } from './compose-error.js';
import { encodedWords } from './words.js';

/** RFC 2047's limit for a line with an encoded-word, below RFC 5322's 78. */
const LINE_MAX = 76;
/** A longer word in a text is encoded, because it could not be folded. */
const WORD_MAX = 70;
/** A longer one in a header of unknown grammar too: what is not broken there must stay under 998. */
const TOKEN_MAX = 900;

const ATOMS = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const FREE_TEXT = /^(?:subject$|comments$|keywords$|x-)/i;

/**
 * A header of tokens that are never split, broken between them. A token stands alone on the line after the name
 * only if that makes it fit: Exchange writes its Message-IDs that way, so everybody reads it.
 */
export function foldedHeader(name: string, tokens: readonly string[]): string {
  let out = '';
  let line = `${name}:`;
  const bare = line.length;
  for (const token of tokens) {
    const fits = line.length + 1 + token.length <= LINE_MAX;
    if (fits || (line.length === bare && out === '' && token.length >= LINE_MAX)) {
      line += ` ${token}`;
    } else {
      out += `${line}\r\n`;
      line = ` ${token}`;
    }
  }
  return `${out}${line}\r\n`;
}

/** Text that readers see exactly as it was given: plain where nothing can change it, else encoded as a whole. */
export function textHeader(name: string, value: string): string {
  if (value === '') return `${name}:\r\n`;
  if (isPlain(value)) {
    if (name.length + 2 + value.length <= LINE_MAX) return `${name}: ${value}\r\n`;
    // A long word in a header for machines, such as a URL in List-Archive, means nothing once encoded.
    const longest = FREE_TEXT.test(name) ? WORD_MAX : TOKEN_MAX;
    const words = value.split(' ');
    if (words.every((word) => word.length <= longest)) return foldedHeader(name, words);
  }
  return foldedHeader(name, encodedWords(value));
}

function isPlain(value: string): boolean {
  return (
    /^[ -~]*$/.test(value) &&
    !value.includes('=?') &&
    !value.includes('  ') &&
    !value.startsWith(' ') &&
    !value.endsWith(' ')
  );
}

export function addressHeader(name: string, mailboxes: readonly Mailbox[]): string {
  const tokens: string[] = [];
  mailboxes.forEach((mailbox, index) => {
    const address = wireAddress(name, mailbox.email);
    const separator = index < mailboxes.length - 1 ? ',' : '';
    const phrase = mailbox.name === undefined ? [] : displayName(mailbox.name);
    if (phrase.length === 0) tokens.push(address + separator);
    else tokens.push(...phrase, `<${address}>${separator}`);
  });
  return foldedHeader(name, tokens);
}

function displayName(name: string): string[] {
  if (name.trim() === '') return [];
  if (name.length <= 60 && isPlain(name)) {
    return [ATOMS.test(name) ? name : `"${name.replace(/["\\]/g, '\\$&')}"`];
  }
  return encodedWords(name);
}

/** The address as it goes on the wire: the domain in A-labels. */
export function wireAddress(field: string, email: string): string {
  const parsed = parseAddress(email);
  if ('fault' in parsed) throw new ComposeError(field, `holds an address that is refused (${parsed.fault})`);
  return parsed.address;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const LATEST = Date.UTC(9999, 11, 31);

/** The Date header's value, always in UTC, whatever the zone of the machine that sends. */
export function dateText(at: number): string {
  if (!Number.isFinite(at) || at < 0 || at > LATEST)
    throw new ComposeError('date', 'is not an instant in epoch ms');
  const second = Math.floor(at / 1_000);
  if (second !== lastDate.second) lastDate = { second, text: textOfDate(new Date(at)) };
  return lastDate.text;
}

/** Mails of one claim have one date. */
let lastDate = { second: -1, text: '' };

function textOfDate(date: Date): string {
  // toISOString has every digit already padded: 2026-11-16T08:59:00.000Z
  const iso = date.toISOString();
  const day = DAYS[date.getUTCDay()] ?? '';
  const month = MONTHS[date.getUTCMonth()] ?? '';
  return `${day}, ${iso.slice(8, 10)} ${month} ${iso.slice(0, 4)} ${iso.slice(11, 19)} +0000`;
}
