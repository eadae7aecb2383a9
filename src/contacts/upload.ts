import { setImmediate as othersFirst } from 'node:timers/promises';
import { CSV_LIMITS, CsvFault, CsvReader, separatorIn, type CsvRecord, type Separator } from '../core/csv.js';
import { invalidInput } from '../core/errors.js';
import type { ImportColumn, Uploaded } from '../store/scripts/imports.js';
import { decoderFor, type Decoder, type Encoding } from './decode.js';

/** A file, whole or as it comes. */
export type FileSource = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * Records of one piece: what is done in one transaction. On SQLite half as many cost a third more each, because every one
 * lies on another page of an index; twice as many hold others up for too long.
 */
const RECORDS = 2_000;
const CHARACTERS = 1024 * 1024;
/** Pieces that are written together. */
const PIECES = 2;

const MOST_COLUMNS = 200;
const LONGEST_COLUMN = 100;
const SAMPLES = 3;
const LONGEST_SAMPLE = 60;

/** What somebody says of a file; what is not said is found in it. */
export interface HowToRead {
  readonly separator?: Separator | undefined;
  readonly encoding?: Encoding | undefined;
}

/** Where pieces go; the first one is number 0. */
export type KeepPieces = (from: number, pieces: readonly string[]) => Promise<void>;

/** A record of a piece: `[line, cells]`, or `[line, cells, fault]` if it can not be read. */
export type PieceRecord = readonly [line: number, cells: readonly string[], fault?: string];

/**
 * Reads a whole file once, keeps its records in pieces, and learns what is in its columns. Holds a few pieces at a time,
 * however large it is. Throws `invalid_input` if it is no CSV that can be read, and then nothing of it counts.
 */
export async function readUpload(source: FileSource, keep: KeepPieces, how: HowToRead): Promise<Uploaded> {
  const upload = new Upload(keep, how);
  try {
    for await (const bytes of bytesOf(source)) await upload.take(bytes);
    return await upload.end();
  } catch (error) {
    if (error instanceof CsvFault)
      throw invalidInput('file', `line ${thousands(error.line)} ${error.message}`);
    throw error;
  }
}

const thousands = (n: number): string => n.toLocaleString('en-US');

async function* bytesOf(source: FileSource): AsyncGenerator<Buffer> {
  if (typeof source === 'string' || source instanceof Uint8Array) yield* slices(toBuffer(source));
  else for await (const part of source) yield* slices(toBuffer(part));
}

const toBuffer = (part: string | Uint8Array): Buffer =>
  typeof part === 'string' ? Buffer.from(part) : Buffer.from(part.buffer, part.byteOffset, part.byteLength);

const SLICE_BYTES = 64 * 1024;

function* slices(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield bytes.subarray(from, from + SLICE_BYTES);
}

class Upload {
  #bytes = 0;
  #decoder: Decoder | undefined;
  /** Until enough has come to tell what it is. */
  #first: Buffer = Buffer.alloc(0);
  #head = '';
  #reader: CsvReader | undefined;
  #columns: Column[] | undefined;
  #lines = 0;
  #records: PieceRecord[] = [];
  #characters = 0;
  #pieces: string[] = [];
  #kept = 0;
  /** What can not be read, and comes up when all before it is. */
  #fault: string | undefined;

  constructor(
    private readonly keep: KeepPieces,
    private readonly how: HowToRead,
  ) {}

  async take(bytes: Buffer): Promise<void> {
    this.#bytes += bytes.length;
    if (!this.#decoder) {
      this.#first = Buffer.concat([this.#first, bytes]);
      if (this.#first.length < LEAST_BYTES) return;
      this.#decoder = decoderFor(this.#first, this.how.encoding);
      return this.#decode(this.#first);
    }
    return this.#decode(bytes);
  }

  async end(): Promise<Uploaded> {
    if (!this.#decoder) {
      this.#decoder = decoderFor(this.#first, this.how.encoding);
      await this.#decode(this.#first);
    }
    const { text, fault } = this.#decoder.end();
    await this.#read(text, fault);
    if (!this.#reader) await this.#begin();
    await this.#all(this.#reader?.end() ?? []);
    if (!this.#columns) throw invalidInput('file', 'is empty; its first line should name the columns');
    this.#cut();
    await this.#flush();
    return {
      bytes: this.#bytes,
      encoding: this.#decoder.encoding,
      separator: this.#reader?.separator ?? ',',
      columns: this.#columns.map(({ name, samples, filled }) => ({ name, samples, filled })),
      lines: this.#lines,
      pieces: this.#kept,
    };
  }

  async #decode(bytes: Buffer): Promise<void> {
    const { text, fault } = this.#decoder?.decode(bytes) ?? { text: '' };
    await this.#read(text, fault);
  }

  async #read(text: string, fault: string | undefined): Promise<void> {
    this.#fault = fault;
    if (!this.#reader) {
      this.#head += text;
      // The first line tells what separates cells.
      if (fault === undefined && this.#head.length <= CSV_LIMITS.record && !/[\r\n]./s.test(this.#head))
        return;
      await this.#begin();
    } else await this.#all(this.#reader.push(text));
    if (this.#fault !== undefined) throw new CsvFault(this.#reader?.line ?? 1, this.#fault);
  }

  async #begin(): Promise<void> {
    const [, said] = /^sep=(.)\r?\n?/.exec(this.#head) ?? [];
    this.#reader = new CsvReader(this.how.separator ?? said ?? separatorIn(this.#head));
    const head = this.#head;
    this.#head = '';
    await this.#all(this.#reader.push(head));
  }

  async #all(records: Iterable<CsvRecord>): Promise<void> {
    for (const record of records) {
      if (!this.#columns) {
        // Some programs say there what separates cells.
        if (record.cells[0]?.startsWith('sep=')) continue;
        this.#columns = columnsOf(record);
        continue;
      }
      this.#add(record, this.#columns);
      if (this.#pieces.length >= PIECES) await this.#flush();
    }
  }

  #add({ line, cells, fault }: CsvRecord, columns: readonly Column[]): void {
    this.#lines += 1;
    this.#records.push(fault === undefined ? [line, cells] : [line, cells, fault]);
    if (fault === undefined) columns.forEach((column, place) => column.see(cells[place] ?? ''));
    for (const cell of cells) this.#characters += cell.length + 3;
    if (this.#records.length >= RECORDS || this.#characters >= CHARACTERS) this.#cut();
  }

  #cut(): void {
    if (this.#records.length === 0) return;
    this.#pieces.push(JSON.stringify(this.#records));
    this.#records = [];
    this.#characters = 0;
  }

  async #flush(): Promise<void> {
    if (this.#pieces.length === 0) return;
    const pieces = this.#pieces;
    this.#pieces = [];
    await this.keep(this.#kept, pieces);
    this.#kept += pieces.length;
    await othersFirst();
  }
}

/** A byte order mark, and a line of something. */
const LEAST_BYTES = 4;

class Column implements ImportColumn {
  readonly samples: string[] = [];
  filled = 0;

  constructor(readonly name: string) {}

  see(cell: string): void {
    const text = cell.trim();
    if (text === '') return;
    this.filled += 1;
    if (this.samples.length >= SAMPLES) return;
    const sample = text.slice(0, LONGEST_SAMPLE).toWellFormed();
    if (!this.samples.includes(sample)) this.samples.push(sample);
  }
}

function columnsOf({ line, cells, fault }: CsvRecord): Column[] {
  if (fault !== undefined) throw new CsvFault(line, fault);
  const names = cells.map((cell) => cell.trim());
  while (names.at(-1) === '') names.pop();
  if (names.length > MOST_COLUMNS)
    throw new CsvFault(line, `names ${thousands(names.length)} columns; ${String(MOST_COLUMNS)} is the most`);
  const nameless = names.indexOf('');
  if (nameless >= 0) throw new CsvFault(line, `has no name for column ${String(nameless + 1)}`);
  const long = names.find((name) => name.length > LONGEST_COLUMN);
  if (long !== undefined)
    throw new CsvFault(line, `names a column by more than ${String(LONGEST_COLUMN)} characters`);
  if (names.some((name) => name.includes('\0'))) throw new CsvFault(line, 'holds a NUL character');
  const twice = names.find((name, place) => names.indexOf(name) < place);
  if (twice !== undefined) throw new CsvFault(line, `names the column ${twice} twice`);
  return names.map((name) => new Column(name));
}
