const BACKSLASH = 92;
const COLON = 58;
/** The largest of the four that JSON calls white space. */
const BLANK = 32;

/**
 * The first key that stands twice in one object of a JSON text: whoever reads it must take one and drop the other, and
 * not everybody takes the same. `value` is what the text was read as. Linear in the length of the text, and nearly free
 * where no key is repeated: then there are as many keys in the text as in the value, and nothing but quotes is looked at.
 */
export function repeatedKey(text: string, value: unknown): string | undefined {
  return keysIn(text) === keysOf(value) ? undefined : firstRepeated(text);
}

function keysIn(text: string): number {
  let keys = 0;
  for (let start = text.indexOf('"'); start !== -1;) {
    const end = endOfString(text, start);
    if (isBeforeColon(text, end)) keys += 1;
    start = text.indexOf('"', end);
  }
  return keys;
}

/** Without recursion: a value may be deeper than a stack. */
function keysOf(value: unknown): number {
  let keys = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each !== 'object' || each === null) continue;
    const isList = Array.isArray(each);
    const parts: readonly unknown[] = isList ? each : Object.values(each);
    if (!isList) keys += parts.length;
    for (const part of parts) if (typeof part === 'object' && part !== null) open.push(part);
  }
  return keys;
}

function firstRepeated(text: string): string | undefined {
  const marks = /["{}]/g;
  const open: Set<string>[] = [];
  for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
    if (mark[0] === '{') open.push(new Set());
    else if (mark[0] === '}') open.pop();
    else {
      const end = endOfString(text, mark.index);
      marks.lastIndex = end;
      if (!isBeforeColon(text, end)) continue;
      const key = JSON.parse(text.slice(mark.index, end)) as string;
      const keys = open.at(-1);
      if (keys?.has(key)) return key;
      keys?.add(key);
    }
  }
  return undefined;
}

/** The place behind its closing quote. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (text.charCodeAt(quote - 1 - slashes) === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
  }
  return text.length;
}

function isBeforeColon(text: string, place: number): boolean {
  let next = place;
  while (text.charCodeAt(next) <= BLANK) next += 1;
  return text.charCodeAt(next) === COLON;
}
