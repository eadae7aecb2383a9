type Fields = Readonly<Record<string, unknown>>;

/**
 * What of `after` is not as it was, so deep. Only that is sent: two who change different things at once both get
 * what they asked for.
 */
export function difference(before: Fields, after: Fields, depth = 1): Record<string, unknown> {
  const changed = Object.keys(after).flatMap((name): [string, unknown][] => {
    const [was, is] = [before[name], after[name]];
    if (isSame(was, is)) return [];
    return [[name, depth > 1 && isFields(was) && isFields(is) ? difference(was, is, depth - 1) : is]];
  });
  return Object.fromEntries(changed);
}

/** Both came out of the same JSON, or out of copies of it: their fields stand in the same order. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
