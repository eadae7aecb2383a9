/**
 * Ids are ascending numbers inside and strings outside: a prefix that says what it is, and the number in
 * Crockford's base32, lower-case. They hold no `:`, so keys can be made of them.
 */
export const ID_PREFIXES = {
  message: 'msg',
  account: 'acc',
  workspace: 'wsp',
  caught: 'cgt',
  user: 'usr',
  key: 'key',
  session: 'ses',
  audit: 'aud',
  contact: 'con',
  sequence: 'seq',
  campaign: 'cmp',
  import: 'imp',
  event: 'evt',
  subscription: 'sub',
  happening: 'hap',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const SHAPE = /^[1-9a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{0,10}$/;

export function formatId(kind: IdKind, id: number): string {
  let text = '';
  for (let rest = id; rest > 0; rest = Math.floor(rest / 32)) text = DIGITS.charAt(rest % 32) + text;
  return `${ID_PREFIXES[kind]}_${text}`;
}

/** The number behind a public id; undefined for whatever `formatId` could not have made. */
export function parseId(kind: IdKind, text: string): number | undefined {
  const prefix = `${ID_PREFIXES[kind]}_`;
  const digits = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !SHAPE.test(digits)) return undefined;
  let id = 0;
  for (const digit of digits) id = id * 32 + DIGITS.indexOf(digit);
  return Number.isSafeInteger(id) ? id : undefined;
}

/**
 * Message-IDs are derived, not stored: the same on every try, and different in
 * every installation, so that two of them sending for one domain never make the same one.
 */
export const formatMessageId = (id: number, installation: string, domain: string): string =>
  messageIdOf(formatId('message', id), installation, domain);

/** Of a message whose public id is at hand. */
export const messageIdOf = (id: string, installation: string, domain: string): string =>
  `<${id}.${installation}@${domain}>`;

/** The message that a Message-ID of this installation names, with or without its angle brackets. */
export function parseMessageId(text: string, installation: string): number | undefined {
  const [, id, made] = /^<?(msg_[0-9a-z]{1,11})\.([0-9a-f]+)@[^\s<>]+>?$/.exec(text) ?? [];
  return id === undefined || made !== installation ? undefined : parseId('message', id);
}
