import { formatId, parseId, type IdKind } from '../core/ids.js';
import { invalidInput } from '../core/errors.js';
import { Type } from '../vendor/typebox.js';

/** What every list takes. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
};

const USUAL_PAGE = 50;

interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** A page of a list that is ordered by id. `fetch` is told where the page before ended; undefined: at the beginning. */
export async function pageById<Row extends { readonly id: number }, Item>(
  kind: IdKind,
  { limit = USUAL_PAGE, cursor }: PageRequest,
  fetch: (last: number | undefined, limit: number) => Promise<readonly Row[]>,
  present: (row: Row) => Item,
): Promise<{ items: Item[]; nextCursor: string | null }> {
  const last = cursor === undefined ? undefined : parseId(kind, cursor);
  if (cursor !== undefined && last === undefined) {
    throw invalidInput('cursor', 'is not a cursor that a list gave');
  }
  const rows = await fetch(last, limit);
  const end = rows.length === limit ? rows.at(-1) : undefined;
  return { items: rows.map(present), nextCursor: end ? formatId(kind, end.id) : null };
}

/** Above every id: where a list begins that has the newest first. */
export const NEWEST = Number.MAX_SAFE_INTEGER;
