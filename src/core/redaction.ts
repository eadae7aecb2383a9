/** What stands where a secret was. */
export const REDACTED = '[redacted]';

const LONGEST_TEXT = 500;
/** More of a text is never looked at: whoever sends a megabyte must not be paid for with a second of everybody's. */
const READ_AT_MOST = 4_000;
const LONGEST_LIST = 50;
const MOST_FIELDS = 100;
const DEEPEST = 12;

/** Fields that are called so, or whose name contains it, hold a secret: `refreshToken`, `smtp_password`. */
const SECRET_PARTS = [
  'password',
  'passwd',
  'passphrase',
  'secret',
  'token',
  'apikey',
  'accesskey',
  'privatekey',
  'credential',
  'authorization',
  'cookie',
];
/** These only as the whole name: an `idempotencyKey` is none, and a `passage` neither. `current`: a password. */
const SECRET_NAMES = new Set(['key', 'pass', 'pwd', 'auth', 'pin', 'signature', 'current']);

function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  return SECRET_NAMES.has(plain) || SECRET_PARTS.some((part) => plain.includes(part));
}

/**
 * A copy that may be kept and shown: without secrets, and no longer than a person reads. Secrets are known by the
 * name of their field, and in addresses (`smtp://user:password@host`) and keys of our own by their shape.
 */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shorten(withoutCredentials(beginning(value)));
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) {
    const kept = value.slice(0, LONGEST_LIST).map((each) => redact(each, depth + 1));
    return value.length > LONGEST_LIST ? [...kept, `… ${value.length - LONGEST_LIST} more`] : kept;
  }
  // From entries: a field called `__proto__` stays a field.
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_FIELDS)
      .map(([name, child]) => [shorten(name), redactField(name, child, depth)]),
  );
}

/** That there was none is no secret. */
const redactField = (name: string, child: unknown, depth: number): unknown =>
  isSecretName(name) && child !== null && child !== undefined ? REDACTED : redact(child, depth + 1);

const shorten = (text: string): string =>
  text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT).toWellFormed()}…` : text;

/** Cut between two words: half an address would no longer show that it holds a password. */
function beginning(text: string): string {
  if (text.length <= READ_AT_MOST) return text;
  const cut = text.slice(0, READ_AT_MOST);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'), 0))}…`;
}

function withoutCredentials(text: string): string {
  return text
    .replace(/\bpbx_[\w-]{8,}/g, REDACTED)
    .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#]*@/gi, '$1')
    .replace(/([?&])([\w.-]+)=([^&#\s]*)/g, (whole, mark: string, name: string) =>
      isSecretName(name) ? `${mark}${name}=${REDACTED}` : whole,
    );
}
