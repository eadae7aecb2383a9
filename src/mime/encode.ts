import { hexOf } from './hex.js';

const LINE_MAX = 76;
const CRLF = '\r\n';
const SOFT_BREAK = '=\r\n';
/** One column stays free for the soft break. */
const QP_WIDTH = LINE_MAX - 1;

export interface Encoded {
  readonly encoding: '7bit' | 'quoted-printable' | 'base64';
  /** ASCII, CRLF, no line above 76 characters, none that begins with a dot. */
  readonly content: string;
}

// A leading dot is the end of a mail to a careless server, a leading "From " the begin of one in a mailbox file,
// and a blank at the end of a line gets lost on the way.
const PLAIN_LINE = /^(?!\.|From )(?:[\t -~]{0,75}[!-~])?$/;
const PLAIN_QP_LINE = /^(?!\.|From )(?:[\t -<>-~]{0,75}[!-<>-~])?$/;
const SAFE_RUN = /[\t -<>-~]+/y;

/** Text in the lightest encoding that nothing on the way can change. Line ends of every kind become CRLF. */
export function encodeText(text: string): Encoded {
  // Readers strip a leading byte order mark; so that all see the same, it does not travel.
  const lines = (text.startsWith('\ufeff') ? text.slice(1) : text).split(/\r\n?|\n/);
  // A boundary begins with "=_", which neither of the other encodings can produce.
  if (lines.every((line) => PLAIN_LINE.test(line)) && !text.includes('=_')) {
    return { encoding: '7bit', content: lines.join(CRLF) };
  }
  // Each byte beyond one per character stands for two that are not ASCII, a little less in East Asian text. Above
  // a fifth of all, base64 is the shorter one.
  const bytes = Buffer.byteLength(text);
  if ((bytes - text.length) * 10 > bytes) {
    return { encoding: 'base64', content: wrapBase64(Buffer.from(lines.join(CRLF)).toString('base64')) };
  }
  return { encoding: 'quoted-printable', content: lines.map(quotedPrintableLine).join(CRLF) };
}

function quotedPrintableLine(line: string): string {
  if (PLAIN_QP_LINE.test(line)) return line;
  const last = line.charCodeAt(line.length - 1);
  const end = last === 0x20 || last === 0x09 ? line.length - 1 : line.length;
  let out = '';
  let room = QP_WIDTH;
  let at = 0;
  while (at < end) {
    SAFE_RUN.lastIndex = at;
    const runEnd = SAFE_RUN.test(line) ? Math.min(SAFE_RUN.lastIndex, end) : at;
    while (at < runEnd) {
      if (room === 0) {
        out += SOFT_BREAK;
        room = QP_WIDTH;
      }
      if (room === QP_WIDTH && (line.startsWith('.', at) || line.startsWith('From ', at))) {
        out += escapeCharacter(line.charCodeAt(at));
        room -= 3;
        at += 1;
      }
      const next = Math.min(runEnd, at + room);
      out += line.slice(at, next);
      room -= next - at;
      at = next;
    }
    if (at < end) {
      // Whole characters only: a soft break inside one is what some readers cannot put together.
      const character = line.codePointAt(at) ?? 0;
      const escaped = escapeCharacter(character);
      if (escaped.length > room) {
        out += SOFT_BREAK;
        room = QP_WIDTH;
      }
      out += escaped;
      room -= escaped.length;
      at += character > 0xffff ? 2 : 1;
    }
  }
  if (end === line.length) return out;
  return `${out}${room < 3 ? SOFT_BREAK : ''}${escapeCharacter(last)}`;
}

function escapeCharacter(code: number): string {
  if (code < 0x80) return `=${hexOf(code)}`;
  if (code < 0x800) return `=${hexOf(0xc0 | (code >> 6))}${continuation(code)}`;
  if (code < 0x10000) return `=${hexOf(0xe0 | (code >> 12))}${continuation(code >> 6)}${continuation(code)}`;
  return `=${hexOf(0xf0 | (code >> 18))}${continuation(code >> 12)}${continuation(code >> 6)}${continuation(code)}`;
}

const continuation = (bits: number): string => `=${hexOf(0x80 | (bits & 0x3f))}`;

/** Base64 in lines of 76. Copied as bytes: joining strings takes three times as long for a large file. */
export function wrapBase64(base64: string): string {
  if (base64.length <= LINE_MAX) return base64;
  const source = Buffer.from(base64, 'latin1');
  const breaks = Math.ceil(source.length / LINE_MAX) - 1;
  const wrapped = Buffer.allocUnsafe(source.length + breaks * CRLF.length);
  let written = 0;
  for (let at = 0; at < source.length; at += LINE_MAX) {
    if (at > 0) {
      wrapped[written] = 0x0d;
      wrapped[written + 1] = 0x0a;
      written += CRLF.length;
    }
    written += source.copy(wrapped, written, at, at + LINE_MAX);
  }
  return wrapped.toString('latin1');
}
