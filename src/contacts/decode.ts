import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { CsvFault } from '../core/csv.js';

/** How files of contacts may be encoded. Nothing tells the last one from others of its kind, so somebody has to say it. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The text of a file, piece by piece. A fault comes after all that stands before it. */
export interface Decoder {
  readonly encoding: Encoding;
  /** `fault`: from here on it is no text. */
  decode(bytes: Buffer): { readonly text: string; readonly fault?: string };
  end(): { readonly text: string; readonly fault?: string };
}

const NOT_UTF8 =
  'is not UTF-8: save the file as UTF-8 (in a spreadsheet: "CSV UTF-8"), or say how it is encoded; older programs write windows-1252';

/** By its first bytes, of which at least three are needed if there are so many, unless somebody says how it is encoded. */
export function decoderFor(head: Buffer, said?: Encoding): Decoder {
  const encoding = said ?? encodingOf(head);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return new Utf16Decoder(encoding);
  if (head.subarray(0, HEAD).includes(0))
    throw new CsvFault(
      1,
      'is not text: it holds NUL bytes. A file in UTF-16 needs a byte order mark, or somebody to say so',
    );
  return encoding === 'utf-8' ? new Utf8Decoder() : new Windows1252Decoder();
}

function encodingOf(head: Buffer): Encoding {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}

const HEAD = 4_096;

class Utf8Decoder implements Decoder {
  readonly encoding = 'utf-8';
  /** The beginning of a character that is cut off. */
  #rest = Buffer.alloc(0);
  #first = true;

  decode(bytes: Buffer): { text: string; fault?: string } {
    const all = this.#rest.length > 0 ? Buffer.concat([this.#rest, bytes]) : bytes;
    const whole = all.subarray(0, all.length - cutOff(all));
    this.#rest = Buffer.from(all.subarray(whole.length));
    if (isUtf8(whole)) return { text: this.#withoutMark(whole.toString('utf8')) };
    return { text: this.#withoutMark(goodLines(whole).toString('utf8')), fault: NOT_UTF8 };
  }

  end(): { text: string; fault?: string } {
    return this.#rest.length > 0 ? { text: '', fault: NOT_UTF8 } : { text: '' };
  }

  #withoutMark(text: string): string {
    const isFirst = this.#first;
    this.#first = false;
    return isFirst && text.startsWith('\ufeff') ? text.slice(1) : text;
  }
}

/** How many bytes at the end begin a character that is not there yet. */
function cutOff(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < lengthFrom(byte) ? back : 0;
  }
  return 0;
}

const lengthFrom = (byte: number): number => (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2);

/** Up to the last line end before the first byte that does not fit. */
function goodLines(bytes: Buffer): Buffer {
  let good = 0;
  for (let end = bytes.indexOf(LINE_FEED) + 1; end > 0; end = bytes.indexOf(LINE_FEED, good) + 1) {
    if (!isUtf8(bytes.subarray(good, end))) break;
    good = end;
  }
  return bytes.subarray(0, good);
}

const LINE_FEED = 0x0a;

/** What western programs wrote before UTF-8. Every byte is a character, so nothing can be wrong with it. */
class Windows1252Decoder implements Decoder {
  readonly encoding = 'windows-1252';

  decode(bytes: Buffer): { text: string } {
    return {
      text: bytes
        .toString('latin1')
        .replace(/[\x80-\x9f]/g, (sign) => BETWEEN[sign.charCodeAt(0) - 0x80] ?? sign),
    };
  }

  end(): { text: string } {
    return { text: '' };
  }
}

/** 0x80 to 0x9f, where it differs from Latin 1. */
const BETWEEN = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

class Utf16Decoder implements Decoder {
  readonly #decoder: TextDecoder;

  constructor(readonly encoding: 'utf-16le' | 'utf-16be') {
    this.#decoder = new TextDecoder(encoding, { fatal: true });
  }

  decode(bytes: Buffer): { text: string; fault?: string } {
    try {
      return { text: this.#decoder.decode(bytes, { stream: true }) };
    } catch {
      return { text: '', fault: 'is not UTF-16, although the file begins with its byte order mark' };
    }
  }

  end(): { text: string; fault?: string } {
    try {
      return { text: this.#decoder.decode() };
    } catch {
      return { text: '', fault: 'ends in the middle of a character' };
    }
  }
}
