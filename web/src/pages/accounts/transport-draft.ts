/** What a person types about how an account sends. Secrets go in, and never come out. */

export type Kind = 'smtp' | 'gmail' | 'unipile' | 'http' | 'file';

export interface TransportField {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly secret?: boolean;
  readonly optional?: boolean;
  readonly placeholder?: string;
  /** Of several lines. */
  readonly lines?: boolean;
}

const API_KEY = { name: 'apiKey', label: 'API key', secret: true };

export const KINDS: Record<Kind, { readonly label: string; readonly fields: readonly TransportField[] }> = {
  smtp: {
    label: 'SMTP',
    fields: [
      {
        name: 'server',
        label: 'Server',
        placeholder: 'smtp://user@mail.example.org:587',
        hint: 'smtp:// requires STARTTLS, smtps:// begins with TLS. The user stands before the @.',
      },
      { name: 'password', label: 'Password', secret: true, optional: true },
      {
        name: 'ca',
        label: 'Certificate authority',
        optional: true,
        lines: true,
        hint: 'In PEM form, for a server whose certificate is signed by an authority of your own.',
      },
    ],
  },
  gmail: {
    label: 'Gmail',
    fields: [
      { name: 'clientId', label: 'Client ID' },
      { name: 'clientSecret', label: 'Client secret', secret: true },
      { name: 'refreshToken', label: 'Refresh token', secret: true },
      { name: 'baseUrl', label: 'Base URL', optional: true, hint: 'Only for a server other than Google’s.' },
    ],
  },
  unipile: {
    label: 'Unipile',
    fields: [
      { name: 'baseUrl', label: 'Base URL', placeholder: 'https://api1.unipile.com:13111' },
      API_KEY,
      { name: 'accountId', label: 'Account ID there' },
    ],
  },
  http: {
    label: 'HTTP API',
    fields: [{ name: 'baseUrl', label: 'Base URL', placeholder: 'https://api.example.org' }, API_KEY],
  },
  file: {
    label: 'Files',
    fields: [
      {
        name: 'directory',
        label: 'Directory',
        placeholder: '/var/mail/out',
        hint: 'On the server. Mail is written there as .eml files and does not leave.',
      },
    ],
  },
};

export const isKind = (kind: string): kind is Kind => kind in KINDS;
export const kindLabel = (kind: string): string =>
  isKind(kind) ? KINDS[kind].label : kind === 'process' ? 'Not set up' : kind;

export interface TransportDraft {
  readonly kind: Kind;
  /** By the names of the fields. A secret is empty until one is typed. */
  readonly values: Readonly<Record<string, string>>;
}

/** The server's word for a secret that stays as it is stored. */
const MASK = '********';

/** As an account shows it: each kind has details of its own. */
export type Transport = Readonly<Record<string, string | undefined>> & { readonly kind: string };

export function draftOf(transport: Transport): TransportDraft {
  if (!isKind(transport.kind)) return { kind: 'smtp', values: {} };
  if (transport.kind === 'smtp')
    return {
      kind: 'smtp',
      values: { server: withoutPassword(transport['url'] ?? ''), ca: transport['ca'] ?? '' },
    };
  const fields = KINDS[transport.kind].fields.filter(({ secret }) => secret !== true);
  return {
    kind: transport.kind,
    values: Object.fromEntries(fields.map(({ name }) => [name, transport[name] ?? ''])),
  };
}

/** Is there a secret that may stay as it is? */
export const isStored = (transport: Transport | undefined, kind: Kind, field: string): boolean =>
  transport?.kind === kind &&
  (kind === 'smtp' ? passwordOf(transport['url'] ?? '') !== '' : transport[field] === MASK);

/** As the API takes it. A secret that is left empty stays as it is stored, if one is. */
export function transportOf({ kind, values }: TransportDraft, stored: Transport | undefined): object {
  const secret = (name: string) => {
    const typed = values[name] ?? '';
    return typed === '' && isStored(stored, kind, name) ? MASK : typed;
  };
  if (kind === 'smtp')
    return {
      ...{ kind, url: withPassword((values['server'] ?? '').trim(), secret('password')) },
      ...((values['ca'] ?? '').trim() !== '' && { ca: values['ca'] }),
    };
  const given = KINDS[kind].fields
    .map((field) => [
      field.name,
      field.secret === true ? secret(field.name) : (values[field.name] ?? '').trim(),
    ])
    .filter(([, value]) => value !== '');
  return { kind, ...(Object.fromEntries(given) as object) };
}

/** The field of the form that a field of the API stands in. */
export const apiField = (kind: Kind, field: string): string =>
  `transport.${kind === 'smtp' && field === 'server' ? 'url' : field}`;

const passwordOf = (url: string): string => (URL.canParse(url) ? new URL(url).password : '');

function withoutPassword(text: string): string {
  if (passwordOf(text) === '') return text;
  const url = new URL(text);
  url.password = '';
  return url.href;
}

/** What cannot be read is sent as it is: the server says what is wrong with it. */
function withPassword(text: string, password: string): string {
  if (password === '' || !URL.canParse(text)) return text;
  const url = new URL(text);
  // The setter leaves a percent sign as it is, which would then begin an escape.
  url.password = encodeURIComponent(password);
  return url.href;
}
