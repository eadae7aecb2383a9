/** A line of a template in its parts: what is Liquid is shown apart. */
export interface Piece {
  readonly text: string;
  readonly liquid: boolean;
}

const ENDS: Readonly<Record<string, string>> = { '{{': '}}', '{%': '%}' };

/** What is opened and not closed goes to the end of the line. */
export function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { index, 0: opening } of line.matchAll(/\{[{%]/g)) {
    if (index < at) continue;
    if (index > at) pieces.push({ text: line.slice(at, index), liquid: false });
    const closing = line.indexOf(ENDS[opening] ?? '', index + opening.length);
    at = closing < 0 ? line.length : closing + 2;
    pieces.push({ text: line.slice(index, at), liquid: true });
  }
  if (at < line.length) pieces.push({ text: line.slice(at), liquid: false });
  return pieces;
}

/** What turns text around or has no width: in a template it is a trap for whoever reads it. */
const UNSEEN =
  /[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB]/gu;

export const withoutUnseen = (line: string): string => line.replaceAll(UNSEEN, '');

/** Where they are, by their lines. */
export function unseenIn(text: string): readonly { readonly line: number; readonly codes: string }[] {
  return text.split('\n').flatMap((line, n) => {
    const found = [...new Set(line.match(UNSEEN) ?? [])];
    const codes = found.map((sign) => `U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);
    return codes.length === 0 ? [] : [{ line: n + 1, codes: codes.join(', ') }];
  });
}

/** Where a line begins and ends in its text, for whoever is led there. */
export function lineRange(text: string, line: number): readonly [from: number, to: number] {
  const lines = text.split('\n');
  const from = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  return [Math.min(from, text.length), Math.min(from + (lines[line - 1]?.length ?? 0), text.length)];
}
