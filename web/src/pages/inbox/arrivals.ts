interface Item {
  readonly id: string;
}

/** What came in above the mail that stood first: shown only when nobody's pointer is there. */
export function splitArrivals<T extends Item>(
  items: readonly T[],
  top: string | undefined,
): { readonly shown: readonly T[]; readonly arrived: number } {
  const at = top === undefined ? 0 : items.findIndex(({ id }) => id === top);
  // The one that stood first is gone, or so much came in that it is no longer on this page.
  return at <= 0 ? { shown: items, arrived: 0 } : { shown: items.slice(at), arrived: at };
}
