import { invalidInput } from './errors.js';

/** A part of a list, and where the next one begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

const LARGEST_PAGE = 200;
const USUAL_PAGE = 50;

export function readLimit(limit = USUAL_PAGE): number {
  if (Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_PAGE) return limit;
  throw invalidInput('limit', `should be a whole number from 1 to ${String(LARGEST_PAGE)}`);
}
