import { hexOf } from './hex.js';

/** RFC 2047 allows 76 for a line that holds an encoded-word: 64 leaves room for the header's name. */
const CONTENT_MAX = 52;
/** 39 bytes are 52 characters of base64. */
const BYTES_MAX = 39;

/** Indexed by byte. Only what may stand for itself everywhere does, also inside a display name. */
const Q: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  if (character === ' ') return '_';
  return /[A-Za-z0-9!*+/-]/.test(character) ? character : `=${hexOf(byte)}`;
});

const qOf = (byte = 0): string => Q[byte] ?? '';

/**
 * Text as RFC 2047 encoded-words in Q or B, whichever is shorter. No character is cut in two, and blanks are
 * inside the words, because those between words are dropped by readers.
 */
export function encodedWords(text: string): string[] {
  const bytes = Buffer.from(text, 'utf8');
  let qLength = 0;
  for (const byte of bytes) qLength += qOf(byte).length;
  return qLength <= (bytes.length * 4) / 3 ? qWords(bytes) : bWords(bytes);
}

function qWords(bytes: Buffer): string[] {
  const words: string[] = [];
  let word = '';
  for (let at = 0; at < bytes.length;) {
    let character = '';
    for (const end = at + utf8Width(bytes[at]); at < end; at += 1) character += qOf(bytes[at]);
    if (word.length + character.length > CONTENT_MAX) {
      words.push(`=?UTF-8?Q?${word}?=`);
      word = '';
    }
    word += character;
  }
  if (word !== '') words.push(`=?UTF-8?Q?${word}?=`);
  return words;
}

function bWords(bytes: Buffer): string[] {
  const words: string[] = [];
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(start + BYTES_MAX, bytes.length);
    while (end < bytes.length && isContinuation(bytes[end])) end -= 1;
    words.push(`=?UTF-8?B?${bytes.toString('base64', start, end)}?=`);
    start = end;
  }
  return words;
}

const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80;

function utf8Width(lead = 0): number {
  if (lead < 0x80) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

/**
 * A parameter such as a file name: quoted when it is short ASCII, else RFC 2231 in numbered pieces, with the nearest plain
 * name beside it for readers that know no pieces. `=?` takes the second way because some readers decode it although a
 * quoted string is to be taken as it is.
 */
export function parameter(name: string, value: string): string {
  if (value.length <= 60 && /^[ -~]*$/.test(value) && !value.includes('=?')) {
    return `;\r\n ${name}="${value.replace(/["\\]/g, '\\$&')}"`;
  }
  const plain = `;\r\n ${name}="${plainNameOf(value)}"`;
  const pieces = percentPieces(value);
  const only = pieces.length === 1 ? pieces[0] : undefined;
  if (only !== undefined) return `${plain};\r\n ${name}*=${only}`;
  return plain + pieces.map((piece, index) => `;\r\n ${name}*${String(index)}*=${piece}`).join('');
}

const PLAIN_MAX = 60;
const ENDING_MAX = 12;

/** Without accents, with `_` for what else is not ASCII; its ending stays, because programs go by it. */
function plainNameOf(value: string): string {
  const plain = value
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ !#-<>@-[\]-~]/gu, '_');
  if (plain.length <= PLAIN_MAX) return plain;
  const ending = plain.slice(plain.lastIndexOf('.'));
  const kept = ending.startsWith('.') && ending.length <= ENDING_MAX ? ending : '';
  return plain.slice(0, PLAIN_MAX - kept.length) + kept;
}

function percentPieces(value: string): string[] {
  const pieces: string[] = [];
  let piece = "utf-8''";
  for (const character of value) {
    // encodeURIComponent leaves some characters alone that RFC 2231 does not.
    const escaped = /^[A-Za-z0-9._-]$/.test(character)
      ? character
      : Array.from(Buffer.from(character), (byte) => `%${hexOf(byte)}`).join('');
    if (piece.length + escaped.length > 56) {
      pieces.push(piece);
      piece = '';
    }
    piece += escaped;
  }
  pieces.push(piece);
  return pieces;
}
