import { stripVTControlCharacters } from 'node:util';

export interface Column<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  /** Who gives way in a narrow terminal: the lowest number first, down to the least width; 0 means it goes. */
  readonly gives?: { readonly order: number; readonly least: number };
}

/** A plain table that fits the width, as far as its columns give way. Colours count as nothing. */
export function table<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  width: number,
  cutMark = '…',
): string {
  const cells = [
    columns.map(({ title }) => title),
    ...rows.map((row) => columns.map(({ text }) => text(row))),
  ];
  const widths = widthsOf(cells, columns, width);
  return cells
    .map((line) =>
      line
        .flatMap((cell, index) => (widths[index] ? [fit(cell, widths[index], cutMark)] : []))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

const GAP = '  ';

function widthsOf(
  cells: readonly (readonly string[])[],
  columns: readonly Column<never>[],
  width: number,
): number[] {
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => widthOf(line[index] ?? ''))));
  const yielding = columns
    .flatMap(({ gives }, index) => (gives ? [{ ...gives, index }] : []))
    .sort((a, b) => a.order - b.order);
  for (const { index, least } of yielding) {
    const excess = sum(widths) + GAP.length * (widths.filter(Boolean).length - 1) - width;
    if (excess <= 0) break;
    const present = widths[index] ?? 0;
    widths[index] = least === 0 ? 0 : Math.min(present, Math.max(least, present - excess));
  }
  return widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const charactersOf = (text: string): string[] =>
  Array.from(graphemes.segment(text), ({ segment }) => segment);
/** Han, kana, Hangul, full-width forms and emoji take two places in a terminal. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}])/u;
const placesOf = (character: string): number => (WIDE.test(character) ? 2 : 1);

/** How many places a text takes on a screen. */
export const widthOf = (text: string): number =>
  sum(charactersOf(stripVTControlCharacters(text)).map(placesOf));

function fit(text: string, width: number, cutMark: string): string {
  const length = widthOf(text);
  if (length <= width) return text + ' '.repeat(width - length);
  let kept = '';
  let places = 0;
  for (const character of charactersOf(text)) {
    places += placesOf(character);
    if (places > width - 1) break;
    kept += character;
  }
  return kept + cutMark + ' '.repeat(width - 1 - widthOf(kept));
}
