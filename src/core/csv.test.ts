import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CSV_LIMITS, CsvFault, csvLine, CsvReader, separatorIn, type CsvRecord } from './csv.js';

/** In pieces of so many characters. */
function read(text: string, size = text.length || 1, separator = ','): CsvRecord[] {
  const reader = new CsvReader(separator);
  const records: CsvRecord[] = [];
  for (let from = 0; from < text.length; from += size)
    records.push(...reader.push(text.slice(from, from + size)));
  records.push(...reader.end());
  return records;
}

const cellsOf = (records: readonly CsvRecord[]) => records.map(({ cells }) => [...cells]);

describe('a CSV file', () => {
  test('is read with its quotes, doubled quotes and line breaks in them', () => {
    const text = 'a,b\r\n"x, y","say ""hi"""\r\n"two\r\nlines",\r\n\r\nlast,line';
    expect(read(text)).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['x, y', 'say "hi"'] },
      { line: 3, cells: ['two\r\nlines', ''] },
      { line: 6, cells: ['last', 'line'] },
    ]);
  });

  test.each(['\n', '\r\n', '\r'])('may end its lines with %j', (end) => {
    const text = ['a,b', '"c"', '', 'd,"e"', ''].join(end);
    const expected = [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['c'] },
      { line: 4, cells: ['d', 'e'] },
    ];
    for (let size = 1; size <= text.length; size += 1) expect(read(text, size)).toEqual(expected);
  });

  test('is the same in whatever pieces it comes, and what another reader makes of it', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', 'é', '😀', ' ', ',', '"', '\n', '\r\n', ';', "'", '='),
      maxLength: 6,
    });
    const line = fc.array(cell, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        (rows, size, all) => {
          const quote = (text: string) =>
            all || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
          const text = rows.map((row) => `${row.map(quote).join(',')}\n`).join('');
          const oracle: string[][] = parse(text, { relax_column_count: true, skip_empty_lines: true });
          const ours = read(text, size);
          expect(ours.every(({ fault }) => fault === undefined)).toBe(true);
          // Lines of nothing but blanks say nothing here.
          const said = (list: string[][]) => list.filter((row) => row.length > 1 || row[0]?.trim() !== '');
          expect(said(cellsOf(ours))).toEqual(said(oracle));
          expect(read(text)).toEqual(ours);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('never fails, never loses a line and never depends on the pieces, whatever is in it', () => {
    const anything = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', 'b', ' '), maxLength: 60 });
    fc.assert(
      fc.property(anything, fc.integer({ min: 1, max: 7 }), (text, size) => {
        const whole = read(text);
        expect(read(text, size)).toEqual(whole);
        const lines = whole.map(({ line }) => line);
        expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b));
      }),
      { numRuns: 3_000 },
    );
  });

  test('with a quote that is not closed loses that line and no other', () => {
    const records = read('a,b\n"Hus, am See;info@x\n"Anna",anna@example.org\nBert,bert@example.org\n');
    expect(records).toEqual([
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['"Hus, am See;info@x'], fault: 'a quote is not closed' },
      { line: 3, cells: ['Anna', 'anna@example.org'] },
      { line: 4, cells: ['Bert', 'bert@example.org'] },
    ]);
    expect(read('a\n"never\nb')).toEqual([
      { line: 1, cells: ['a'] },
      { line: 2, cells: ['"never'], fault: 'a quote is not closed' },
      { line: 3, cells: ['b'] },
    ]);
  });

  test.each(['x', '"x'])('with a line of a megabyte that begins with %s refuses it and goes on', (begin) => {
    const text = `a,b\n${begin}${'y'.repeat(1_000_000)},1\nc,d\n`;
    for (const size of [4_096, 65_536, text.length]) {
      const records = read(text, size);
      expect(records.map(({ line, fault }) => [line, fault !== undefined])).toEqual([
        [1, false],
        [2, true],
        [3, false],
      ]);
      expect(records[1]?.cells[0]?.length).toBe(200);
    }
  });

  test('of quotes that are never closed is given up before it costs more than it is worth', () => {
    const hostile = Array.from({ length: 300 }, () => `"open ${'x'.repeat(CSV_LIMITS.record)}\n`).join('');
    expect(() => read(`a\n${hostile}`, 65_536)).toThrow(CsvFault);
  });
});

test.each([
  ['email,name', ','],
  ['email;name;x', ';'],
  ['"a,b,c";name;x', ';'],
  ['email\tname', '\t'],
  ['email', ','],
])('what separates the cells of %j', (head, separator) => {
  expect(separatorIn(`${head}\nx,y,z`)).toBe(separator);
});

test('a line that is written is read again as it was, and nothing in it is a formula [T19]', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 2, maxLength: 4 }), (cells) => {
      const [record] = read(csvLine(cells));
      expect(record?.cells).toEqual(cells.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)));
    }),
  );
  for (const cell of ['=1+1', '+1', '-1', '@x', '\tx']) expect(csvLine([cell])).toContain(`'${cell[0]}`);
});
