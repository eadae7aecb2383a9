import { InvalidArgumentError } from 'commander';

const LARGEST_PAGE = 200;

/** How many of a list to show. */
export function parseLimit(text: string): number {
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > LARGEST_PAGE) {
    throw new InvalidArgumentError(`Give a whole number from 1 to ${LARGEST_PAGE}.`);
  }
  return limit;
}
