import type { SqliteHandle } from './handle.js';

export type Row = readonly (string | number | null)[];

/** Half the price of one row a call; longer lists gain nothing more. */
const ROWS_A_CALL = 50;

/**
 * Many rows in few calls, because the driver's cost a call is most of what a row costs. Bound values, not JSON:
 * unpacked in SQL, each column of each row is parsed anew.
 */
export function insertRows(
  handle: SqliteHandle,
  { into, columns }: { readonly into: string; readonly columns: number },
  rows: readonly Row[],
): void {
  const one = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  const insert = (count: number, from: number) =>
    handle
      .prepare(`${into} values ${Array.from({ length: count }, () => one).join(', ')}`)
      .run(...rows.slice(from, from + count).flat());
  let written = 0;
  for (; written + ROWS_A_CALL <= rows.length; written += ROWS_A_CALL) insert(ROWS_A_CALL, written);
  for (; written < rows.length; written += 1) insert(1, written);
}
