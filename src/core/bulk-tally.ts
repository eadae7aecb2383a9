/** What became of a decision about many. */
export interface BulkTally {
  readonly done: number;
  /** Those that did not allow it, or are not there. */
  readonly conflicts: number;
  /** The first of them. */
  readonly refused: readonly string[];
}

export const REFUSED_SHOWN = 100;

/** `numbers`: those that were named, and which number each stands for, if any. */
export function bulkTally(
  numbers: ReadonlyMap<string, number | undefined>,
  done: ReadonlySet<number>,
): BulkTally {
  const refused = [...numbers].filter(([, number]) => number === undefined || !done.has(number));
  return {
    done: done.size,
    conflicts: refused.length,
    refused: refused.slice(0, REFUSED_SHOWN).map(([id]) => id),
  };
}
