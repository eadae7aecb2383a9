import { parseAddress } from './address.js';

/** Makes something of a text by which equal ones are known, and which nobody can read. Undefined: it can't. */
export type Mask = ((text: string) => string) | undefined;

const LONGEST_TEXT = 500;
const LONGEST_DETAILS = 16_384;
const DEEPEST = 12;

/** Of these the value is one of few, or names a thing and not a person. */
const PLAIN = new Set([
  ...['role', 'status', 'type', 'kind', 'lane', 'lanes', 'action', 'state', 'as', 'scopes', 'mode', 'rest'],
  ...['timezone', 'retryPolicy', 'onDoubt', 'defaultLocale', 'hours', 'holidays', 'period', 'deal'],
  ...['url', 'baseUrl', 'directory', 'hint', 'fingerprint', 'workspace', 'workspaceName'],
]);
/** Ids of ours, instants, days, times of day: known by their shape, whatever their field is called. */
const SHAPES = [/^[a-z]{2,5}_[0-9a-z]{1,30}$/, /^\d{4}-\d\d-\d\d(?:T[\d:.]{5,15}Z)?$/, /^\d\d:\d\d$/];
/** What `redact` puts there. */
const MARKS = /^(?:\[redacted\]|\*{8}|…(?: \d+ more)?)$/;

/** Cuts texts before anybody reads them: what is longer, no person reads. */
export function cutTexts(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return value.length > LONGEST_TEXT ? value.slice(0, LONGEST_TEXT).toWellFormed() : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) return value.map((each) => cutTexts(each, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, cutTexts(child, depth + 1)]));
}

/**
 * What the audit log keeps of something that was said: which fields, and all values that name nobody. Numbers, choices
 * and settings stay as they are. An address, and any text that people write freely, becomes a keyed hash: that two are
 * the same can be seen, and nothing is left that a person would have to be erased from.
 */
export function anonymous(value: unknown, mask: Mask, name = '', depth = 0): unknown {
  if (typeof value === 'string')
    return isPlain(value, name, depth) ? plainText(value, mask) : hidden(value, mask);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => anonymous(each, mask, name, depth));
  return Object.fromEntries(
    Object.entries(value).map(([field, child]) => [field, anonymous(child, mask, field, depth + 1)]),
  );
}

/** The name of a thing is told; what is called so further down may be a person's. */
const isPlain = (text: string, name: string, depth: number): boolean =>
  PLAIN.has(name) ||
  (name === 'name' && depth <= 1) ||
  MARKS.test(text) ||
  SHAPES.some((shape) => shape.test(text));

/** Word by word: an address may stand in a name, too. */
const plainText = (text: string, mask: Mask): string =>
  text.includes('@')
    ? text.replace(/[^\s<>()[\],;:"']+/g, (word) => (word.includes('@') ? hidden(word, mask) : word))
    : text;

function hidden(text: string, mask: Mask): string {
  if (text === '') return text;
  const kind = 'address' in parseAddress(text) ? 'person' : 'text';
  return `${kind}:${mask ? mask(text) : '…'}`;
}

/** Whom or what it was done to: an id stays, an address does not. */
export const anonymousTarget = (target: string, mask: Mask): string =>
  target.includes('@') ? hidden(target, mask) : target;

/** A row that nobody would read is not kept: only which fields it had. */
export function bounded(details: Readonly<Record<string, unknown>>): unknown {
  if (JSON.stringify(details).length <= LONGEST_DETAILS) return details;
  const fields = Object.fromEntries(
    Object.entries(details).map(([part, value]) => [
      part,
      typeof value === 'object' && value !== null
        ? Object.keys(value)
            .slice(0, 50)
            .map((name) => name.slice(0, 50))
        : '…',
    ]),
  );
  return { cut: true, fields };
}
