import { invalidInput } from './errors.js';

/** How an account sends, as a person sets it up. */
export type AccountTransport =
  | {
      readonly kind: 'smtp';
      readonly url: string;
      /** Certificate authorities to trust instead of the system's, in PEM. */
      readonly ca?: string;
    }
  | {
      readonly kind: 'gmail';
      readonly clientId: string;
      readonly clientSecret: string;
      readonly refreshToken: string;
      readonly baseUrl?: string;
    }
  | {
      readonly kind: 'unipile';
      readonly baseUrl: string;
      readonly apiKey: string;
      readonly accountId: string;
    }
  | { readonly kind: 'http'; readonly baseUrl: string; readonly apiKey: string }
  | { readonly kind: 'file'; readonly directory: string };

export type TransportKind = AccountTransport['kind'];

/** The fields of each kind: `*` is a secret, `?` may be missing. The password of an SMTP URL is one too. */
const FIELDS: Record<TransportKind, readonly string[]> = {
  smtp: ['url', 'ca?'],
  gmail: ['clientId', 'clientSecret*', 'refreshToken*', 'baseUrl?'],
  unipile: ['baseUrl', 'apiKey*', 'accountId'],
  http: ['baseUrl', 'apiKey*'],
  file: ['directory'],
};

export const TRANSPORT_KINDS = Object.keys(FIELDS) as TransportKind[];

/** What is shown in place of a secret. Given back, it means: the one that is stored. */
export const MASK = '********';

type Given = { readonly kind: string } & Readonly<Record<string, unknown>>;
type Texts = Record<string, string>;

/** The fields of this kind in one order, and no others. Throws `invalid_input` for a missing or a foreign one. */
export function readAccountTransport(given: Given): AccountTransport {
  const kind = TRANSPORT_KINDS.find((each) => each === given.kind);
  if (kind === undefined)
    throw invalidInput('transport.kind', `should be one of ${TRANSPORT_KINDS.join(', ')}`);
  const read: Texts = { kind };
  for (const field of FIELDS[kind]) {
    const name = field.replace(/[*?]$/, '');
    const value = given[name];
    if (typeof value === 'string') read[name] = value;
    else if (!field.endsWith('?')) throw invalidInput(`transport.${name}`, 'is missing');
  }
  const foreign = Object.keys(given).find((name) => given[name] !== undefined && !(name in read));
  if (foreign !== undefined) {
    throw invalidInput(`transport.${foreign}`, `is not a field of a transport of kind ${kind}`);
  }
  return read as unknown as AccountTransport;
}

const secretsOf = (kind: TransportKind): readonly string[] =>
  FIELDS[kind].filter((field) => field.endsWith('*')).map((field) => field.slice(0, -1));

/** As it may be shown: every secret is a mask. */
export function masked(transport: AccountTransport): AccountTransport {
  if (transport.kind === 'smtp') return { ...transport, url: withPassword(transport.url, MASK) };
  const masks = secretsOf(transport.kind).map((name) => [name, MASK]);
  return { ...transport, ...(Object.fromEntries(masks) as object) };
}

export const hasSecret = (transport: AccountTransport): boolean => !isSame(masked(transport), transport);

/**
 * Puts the stored secrets where only masks came back. They stay with the server that they were given for: if
 * anything else has changed, they must be given again, or whoever may edit an account could have them sent anywhere.
 */
export function unmasked(
  given: AccountTransport,
  open: () => AccountTransport | undefined,
): AccountTransport {
  const masks = masksIn(given);
  const [first] = masks;
  // Whoever gives everything anew needs nothing of what is stored, also if nobody can open that any more.
  if (first === undefined) return given;
  const stored = open();
  if (!stored || !isSame(masked(given), masked(stored))) {
    throw invalidInput(`transport.${first}`, 'holds a mask; give the secret itself, because the rest is new');
  }
  if (given.kind === 'smtp') return stored;
  const kept = masks.map((name) => [name, (stored as unknown as Texts)[name]]);
  return { ...given, ...(Object.fromEntries(kept) as object) };
}

function masksIn(transport: AccountTransport): readonly string[] {
  if (transport.kind === 'smtp') return passwordOf(transport.url) === MASK ? ['url'] : [];
  return secretsOf(transport.kind).filter((name) => (transport as unknown as Texts)[name] === MASK);
}

/** Both were made by `readAccountTransport`, so their fields stand in the same order. */
const isSame = (a: AccountTransport, b: AccountTransport): boolean => JSON.stringify(a) === JSON.stringify(b);

const passwordOf = (url: string): string => (URL.canParse(url) ? new URL(url).password : '');

/** Without a password it stays as it was written. */
function withPassword(text: string, password: string): string {
  if (passwordOf(text) === '') return text;
  const url = new URL(text);
  url.password = password;
  return url.href;
}

/** For a server that a process was given: where it is, and nothing of who logs in there. */
export function withoutCredentials(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}
