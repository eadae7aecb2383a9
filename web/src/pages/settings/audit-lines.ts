/** One field of an entry: what it was, what it is; undefined where there was nothing. */
export interface AuditLine {
  readonly name: string;
  readonly from?: string;
  readonly to?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The details of an entry, field by field. A change tells from what to what; something made, what was given; something
 * removed, what stood there.
 */
export function auditLines(details: unknown): readonly AuditLine[] {
  if (!isFields(details)) return [];
  const { body, was, changed } = details;
  if (isFields(changed)) {
    return Object.entries(changed).flatMap(([name, change]) =>
      isFields(change) ? changeLines(name, change['from'], change['to']) : [],
    );
  }
  if (isFields(was)) return leavesOf(was).map(([name, value]) => ({ name, from: wordsOf(value) }));
  if (!isFields(body)) return [];
  return leavesOf(body)
    .filter(([, value]) => value !== REDACTED)
    .map(([name, value]) => ({ name, to: wordsOf(value) }));
}

/** That a secret was given goes without saying. */
const REDACTED = '[redacted]';

const leavesOf = (fields: Fields): readonly [string, unknown][] =>
  Object.entries(fields).flatMap(([name, value]): readonly [string, unknown][] =>
    isFields(value)
      ? leavesOf(value).map(([inner, leaf]): [string, unknown] => [`${name}.${inner}`, leaf])
      : [[name, value]],
  );

/** Down to the field that differs: of settings with fifty fields, one was changed. */
function changeLines(name: string, from: unknown, to: unknown): readonly AuditLine[] {
  if (!isFields(from) || !isFields(to)) return [{ name, from: wordsOf(from), to: wordsOf(to) }];
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names
    .filter((each) => JSON.stringify(from[each]) !== JSON.stringify(to[each]))
    .flatMap((each) => changeLines(`${name}.${each}`, from[each], to[each]));
}

const wordsOf = (value: unknown): string =>
  value === undefined || value === null
    ? 'none'
    : typeof value === 'string'
      ? value.replace(HASHED, hashWords)
      : JSON.stringify(value);

/** Addresses and free texts are not kept; by the beginning of the hash equal ones are known. */
const HASHED = /\b(person|text):([\w-]{22}|…)/g;
const SHOWN_OF_HASH = 6;

const hashWords = (_: string, kind: string, hash: string): string =>
  `${kind === 'person' ? 'an address' : 'a text'} (${hash.slice(0, SHOWN_OF_HASH)})`;

/** Whom or what it was done to. */
export const targetWords = (target: string): string => target.replace(HASHED, hashWords);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
