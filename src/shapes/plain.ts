/** Deeper than anybody writes, and shallow enough for whatever walks over it by calling itself. */
export const DEEPEST = 32;
export const TOO_DEEP = `is nested deeper than ${String(DEEPEST)} levels`;

export type Path = readonly (string | number)[];

export interface PlainFault {
  readonly path: Path;
  /** Goes on where the name of the field ends: "is …". */
  readonly text: string;
}

export type Plain = { readonly value: unknown } | { readonly fault: PlainFault };

/** What no text may hold, wherever it stands: neither database keeps it as it came. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'holds a NUL character';
  return text.isWellFormed() ? undefined : 'holds half of a surrogate pair';
}

/**
 * What a program hands in, as it would have come over the wire: a copy of plain values, each read once. What JSON can't
 * say, or would say as something else, is a fault and not a surprise later: a circle, NaN, a bigint, a getter that
 * throws. `most`: characters of JSON, at the least; a few lists that name each other can stand for any number.
 */
export function plainCopy(given: unknown, most: number): Plain {
  const path: (string | number)[] = [];
  let left = most;
  try {
    return { value: copy(given) };
  } catch (error) {
    return { fault: { path, text: error instanceof Unfit ? error.message : UNREADABLE } };
  }

  function copy(part: unknown): unknown {
    spend(1);
    if (part === null || typeof part === 'boolean') return part;
    if (typeof part === 'string') return copyText(part);
    if (typeof part === 'number' && Number.isFinite(part)) return part;
    if (typeof part !== 'object') throw new Unfit(`is ${nameOf(part)}, which JSON can not say`);
    if (path.length >= DEEPEST) throw new Unfit(TOO_DEEP);
    const { toJSON } = part as { toJSON?: unknown };
    if (typeof toJSON === 'function') return copyMember('toJSON()', toJSON.call(part));
    if (Array.isArray(part)) return Array.from(part, (child, index) => copyMember(index, child));
    const kind = Object.prototype.toString.call(part).slice(8, -1);
    if (kind !== 'Object') throw new Unfit(`is a ${kind}, which JSON can not say`);
    return Object.fromEntries(members(part));
  }

  function* members(part: object): Generator<[string, unknown]> {
    for (const name of Object.keys(part)) {
      if (name === '__proto__') throw new Unfit('has a field __proto__');
      const child = (part as Record<string, unknown>)[name];
      if (child !== undefined) yield [copyText(name), copyMember(name, child)];
    }
  }

  /** If it throws, the path stays where it was. */
  function copyMember(name: string | number, child: unknown): unknown {
    path.push(name);
    const copied = copy(child);
    path.pop();
    return copied;
  }

  function copyText(text: string): string {
    spend(text.length);
    const fault = textFault(text);
    if (fault !== undefined) throw new Unfit(fault);
    return text;
  }

  function spend(characters: number): void {
    left -= characters;
    if (left >= 0) return;
    path.splice(1);
    throw new Unfit(`is longer than ${most.toLocaleString('en')} characters as JSON`);
  }
}

/** The path as people and `field` name it. */
export const fieldOf = (path: Path, whole: string): string => path.slice(0, 4).join('.') || whole;

class Unfit extends Error {}

const UNREADABLE = 'can not be read: a getter of it, or its toJSON, throws';

const nameOf = (part: unknown): string =>
  typeof part === 'number' || part === undefined ? String(part) : `a ${typeof part}`;
