import { invalidInput } from '../core/errors.js';
import { parseId, type IdKind } from '../core/ids.js';

/** Where a list goes on, as it said itself; undefined: at its beginning. */
export function cursorNumber(kind: IdKind, cursor: string | undefined): number | undefined {
  const number = cursor === undefined ? undefined : parseId(kind, cursor);
  if (cursor !== undefined && number === undefined)
    throw invalidInput('cursor', 'is not a cursor that a list gave');
  return number;
}
