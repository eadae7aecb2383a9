/** What a stranger's file may ask of us. Longer records are refused by line, wider files as a whole. */
export const CSV_LIMITS = {
  /** Characters of one record, line breaks inside of quotes included. */
  record: 65_536,
  /** Characters that were read in vain, looking for the end of quotes that were never closed. */
  wasted: 16_777_216,
} as const;

export interface CsvRecord {
  /** Where it begins; the first line of a file is 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Why it can not be read; its cells are then what stands there, as far as it matters. */
  readonly fault?: string;
}

/** The file as a whole can not be read any further. */
export class CsvFault extends Error {
  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

const SHOWN = 200;
const TOO_LONG = `is longer than ${CSV_LIMITS.record.toLocaleString('en-US')} characters`;
const NOT_CLOSED = 'a quote is not closed';

/**
 * Reads CSV piece by piece, as RFC 4180 has it and as programs write it: cells with or without quotes, line ends of
 * every kind (the first one decides), blank lines in between. A quote in the middle of an unquoted cell is itself. Never
 * keeps more than one record and the piece it was given; a record that can not be read is told by its line, and the
 * next line is a new record.
 */
export class CsvReader {
  #text = '';
  #pos = 0;
  #line = 1;
  #newline: '\n' | '\r' | undefined;
  /** The rest of a line that is too long runs into nothing. */
  #skipping = false;
  #wasted = 0;
  /** Where the next ones stand in `#text`, so that nothing is looked for twice. */
  #separatorAt = -1;
  #newlineAt = -1;
  #quoteAt = -1;

  constructor(readonly separator: string) {}

  /** The line that the next record begins in. */
  get line(): number {
    return this.#line;
  }

  /** The records that are complete with this piece. */
  *push(piece: string): Generator<CsvRecord> {
    this.#text = this.#text.slice(this.#pos) + piece;
    this.#pos = 0;
    yield* this.#read(false);
  }

  /** What is left when there is no more. */
  *end(): Generator<CsvRecord> {
    yield* this.#read(true);
  }

  *#read(final: boolean): Generator<CsvRecord> {
    this.#separatorAt = this.#newlineAt = this.#quoteAt = -1;
    if (!this.#knowsNewline(final)) return;
    while (this.#pos < this.#text.length) {
      if (this.#skipping && !this.#skip()) return;
      if (this.#pos >= this.#text.length) return;
      const record = this.#next(final);
      if (record === undefined) return;
      if (record !== BLANK) yield record;
    }
  }

  #knowsNewline(final: boolean): boolean {
    if (this.#newline) return true;
    const { [0]: end, index } = /\r\n?|\n/.exec(this.#text) ?? {};
    // Whether a line feed follows is not known yet.
    const open = end === undefined || (end === '\r' && index === this.#text.length - 1);
    if (open && !final && this.#text.length <= CSV_LIMITS.record) return false;
    this.#newline = end === '\r' ? '\r' : '\n';
    return true;
  }

  /** True: the line is over, and what follows is read again. */
  #skip(): boolean {
    const end = this.#nextNewline(this.#pos);
    this.#pos = Math.min(end + 1, this.#text.length);
    if (end === Infinity) return false;
    this.#skipping = false;
    this.#line += 1;
    return true;
  }

  /** Undefined: its end has not come yet. */
  #next(final: boolean): CsvRecord | typeof BLANK | undefined {
    const start = this.#pos;
    const end = this.#nextNewline(start);
    if (this.#quoteAt < start) this.#quoteAt = placeOf(this.#text, '"', start);
    return this.#quoteAt > Math.min(end, this.#text.length)
      ? this.#plain(start, end, final)
      : this.#quoted(start, final);
  }

  /** A line without any quote: nearly all there are. */
  #plain(start: number, end: number, final: boolean): CsvRecord | typeof BLANK | undefined {
    const { line } = this;
    if (end === Infinity && !final) {
      return this.#text.length - start > CSV_LIMITS.record ? this.#giveUp(start, TOO_LONG, false) : undefined;
    }
    const stop = Math.min(end, this.#text.length);
    if (stop - start > CSV_LIMITS.record) return this.#giveUp(start, TOO_LONG, true);
    const text = this.#text.slice(start, this.#withoutReturn(start, stop));
    this.#pos = Math.min(end + 1, this.#text.length);
    this.#line += 1;
    return text.trim() === '' ? BLANK : { line, cells: text.split(this.separator) };
  }

  #quoted(start: number, final: boolean): CsvRecord | undefined {
    const { line } = this;
    const text = this.#text;
    const cells: string[] = [];
    let breaks = 1;
    for (let pos = start; ;) {
      if (pos - start > CSV_LIMITS.record) return this.#giveUp(start, TOO_LONG, true);
      let after: number;
      if (text[pos] === '"') {
        const close = closingQuote(text, pos);
        // A quote at the very end may be the first of two.
        const isOpen = close === undefined || close + 1 >= text.length;
        if (isOpen && !final && text.length - start <= CSV_LIMITS.record) return undefined;
        if (close === undefined) return this.#giveUp(start, NOT_CLOSED, true);
        const inside = text.slice(pos + 1, close);
        cells.push(inside.includes('"') ? inside.replaceAll('""', '"') : inside);
        breaks += this.#breaksIn(inside);
        after = close + 1;
        // The line feed behind it has not come yet.
        if (text[after] === '\r' && this.#newline === '\n') {
          if (after + 1 >= text.length && !final) return undefined;
          after += 1;
        }
        if (after < text.length && text[after] !== this.separator && text[after] !== this.#newline) {
          const isWhole = final || this.#nextNewline(start) < Infinity;
          if (!isWhole && text.length - start <= CSV_LIMITS.record) return undefined;
          return this.#giveUp(start, NOT_CLOSED, true);
        }
      } else {
        after = Math.min(this.#nextSeparator(pos), this.#nextNewline(pos));
        if (after === Infinity && !final) {
          return text.length - start > CSV_LIMITS.record ? this.#giveUp(start, TOO_LONG, true) : undefined;
        }
        after = Math.min(after, text.length);
        const isLast = after >= text.length || text[after] === this.#newline;
        cells.push(text.slice(pos, isLast ? this.#withoutReturn(pos, after) : after));
      }
      if (after < text.length && text[after] === this.separator) {
        pos = after + 1;
        continue;
      }
      if (after - start > CSV_LIMITS.record) return this.#giveUp(start, TOO_LONG, true);
      this.#pos = Math.min(after + 1, text.length);
      this.#line += breaks;
      return { line, cells };
    }
  }

  /** This line is not read; `whole`: it is all there, or its end may be looked for. The next one is a new record. */
  #giveUp(start: number, fault: string, whole: boolean): CsvRecord {
    const { line } = this;
    const end = this.#nextNewline(start);
    this.#wasted += whole ? Math.min(this.#text.length - start, CSV_LIMITS.record) : 0;
    if (this.#wasted > CSV_LIMITS.wasted)
      throw new CsvFault(line, 'too many quotes are not closed; is this a CSV file?');
    const head = this.#text.slice(start, Math.min(end, start + SHOWN));
    this.#pos = Math.min(end, this.#text.length);
    this.#skipping = true;
    return { line, cells: [head], fault };
  }

  #withoutReturn(start: number, end: number): number {
    return this.#newline === '\n' && end > start && this.#text[end - 1] === '\r' ? end - 1 : end;
  }

  #breaksIn(text: string): number {
    let breaks = 0;
    const newline = this.#newline ?? '\n';
    for (let at = text.indexOf(newline); at >= 0; at = text.indexOf(newline, at + 1)) breaks += 1;
    return breaks;
  }

  #nextSeparator(from: number): number {
    if (this.#separatorAt < from) this.#separatorAt = placeOf(this.#text, this.separator, from);
    return this.#separatorAt;
  }

  #nextNewline(from: number): number {
    if (this.#newlineAt < from) this.#newlineAt = placeOf(this.#text, this.#newline ?? '\n', from);
    return this.#newlineAt;
  }
}

const BLANK = Symbol('a blank line');

const placeOf = (text: string, sign: string, from: number): number => {
  const at = text.indexOf(sign, from);
  return at < 0 ? Infinity : at;
};

/** Of the quote that stands at `open`: where it is closed; two in a row are one that is meant. */
function closingQuote(text: string, open: number): number | undefined {
  for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return undefined;
}

/** Those that programs write. */
export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

/** The one that stands in the first line most often. */
export function separatorIn(head: string): string {
  const [line = ''] = head.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1);
  const counts = SEPARATORS.map((sign) => line.split(sign).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/**
 * A line of CSV. A cell that a spreadsheet would take for a formula gets an apostrophe, by which it is text: it came
 * from a stranger, and somebody will open this file.
 */
export const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)).join(',')}\r\n`;

const quoted = (cell: string): string =>
  /[",\r\n;\t]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
