import type { SecretBox } from './secret-box.js';

/** How an account signs its mail, as people see it. */
export interface DkimView {
  readonly domain: string;
  readonly selector: string;
  readonly algorithm: 'rsa-sha256' | 'ed25519-sha256';
  /** The TXT record by which receivers know the signature. */
  readonly record: { readonly name: string; readonly value: string };
}

interface StoredDkim extends DkimView {
  readonly sealed: string;
}

interface Row {
  readonly id: number;
  /** JSON. Null: its mail is not signed here. */
  readonly dkim: string | null;
}

const placeOf = (accountId: number): string => `accounts.dkim ${String(accountId)}`;

const parse = ({ dkim }: Pick<Row, 'dkim'>): StoredDkim | undefined =>
  dkim === null ? undefined : (JSON.parse(dkim) as StoredDkim);

/** Throws `invalid_config` if there is no secret to seal with. */
export function sealDkim(box: SecretBox, accountId: number, view: DkimView, pem: string): string {
  return JSON.stringify({ ...view, sealed: box.seal(pem, placeOf(accountId)) } satisfies StoredDkim);
}

/** As it may be shown. Needs no key. */
export function shownDkim(row: Pick<Row, 'dkim'>): DkimView | null {
  const stored = parse(row);
  if (!stored) return null;
  const { domain, selector, algorithm, record } = stored;
  return { domain, selector, algorithm, record };
}

export const sealOfDkim = (row: Pick<Row, 'dkim'>): string | undefined => parse(row)?.sealed;

/** The private key in PEM; undefined: there is none. Throws `invalid_config` if it can't be opened. */
export function openDkim(box: SecretBox, row: Row): string | undefined {
  const sealed = sealOfDkim(row);
  return sealed === undefined ? undefined : box.open(sealed, placeOf(row.id));
}

/** The same key, sealed with the first secret. */
export function resealDkim(box: SecretBox, row: Row): string | null {
  const view = shownDkim(row);
  const pem = openDkim(box, row);
  return view && pem !== undefined ? sealDkim(box, row.id, view, pem) : null;
}
