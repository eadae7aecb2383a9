const LONGEST = 60;

/** What of the known words may have been meant: the one that is the fewest letters away, if those are few. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  if (given.length > LONGEST) return undefined;
  let best: { word: string; away: number } | undefined;
  for (const word of known) {
    const away = distance(given.toLowerCase(), word.toLowerCase());
    if (away <= Math.max(1, Math.floor(word.length / 3)) && away < (best?.away ?? Infinity))
      best = { word, away };
  }
  return best?.word;
}

/** Letters to be changed, left out, put in or swapped with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwapped ? at(before, j - 2) + 1 : Infinity;
      next.push(Math.min(change, at(row, j) + 1, at(next, j - 1) + 1, swap));
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

const at = (row: readonly number[], index: number): number => row[index] ?? Infinity;
