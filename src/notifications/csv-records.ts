import { CsvFault, CsvReader, separatorIn, type CsvRecord } from '../core/csv.js';
import { decoderFor, type Decoder } from '../contacts/decode.js';

/** Enough to tell the encoding, and to see how columns are separated. */
const HEAD_BYTES = 4_096;

/** The records of a file, as they come; never more of it in memory than one piece. Throws `CsvFault`. */
export async function* csvRecords(source: AsyncIterable<string | Uint8Array>): AsyncGenerator<CsvRecord> {
  const open = new OpenFile();
  let head = Buffer.alloc(0);
  for await (const piece of source) {
    const bytes = Buffer.from(piece);
    if (open.isBegun) {
      yield* open.read(bytes);
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.length >= HEAD_BYTES) yield* open.read(head);
  }
  if (!open.isBegun) yield* open.read(head);
  yield* open.end();
}

class OpenFile {
  #decoder: Decoder | undefined;
  #reader: CsvReader | undefined;

  get isBegun(): boolean {
    return this.#decoder !== undefined;
  }

  *read(bytes: Buffer): Generator<CsvRecord> {
    this.#decoder ??= decoderFor(bytes);
    yield* this.#take(this.#decoder.decode(bytes));
  }

  *end(): Generator<CsvRecord> {
    const last = this.#decoder?.end() ?? { text: '' };
    yield* this.#take({ text: last.text });
    yield* this.#reader?.end() ?? [];
    yield* this.#take({ ...last, text: '' });
  }

  *#take({ text, fault }: ReturnType<Decoder['decode']>): Generator<CsvRecord> {
    this.#reader ??= new CsvReader(separatorIn(text));
    if (text !== '') yield* this.#reader.push(text);
    if (fault !== undefined) throw new CsvFault(this.#reader.line, fault);
  }
}
