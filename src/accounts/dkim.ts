import { openDkim, sealDkim, shownDkim, type DkimView } from '../access/sealed-dkim.js';
import type { SecretBox } from '../access/secret-box.js';
import { domainOf } from '../core/address.js';
import { invalidInput } from '../core/errors.js';
import { readDkimKey, type DkimKey } from '../mime/dkim-key.js';
import { dkimRecord, makeDkimKey } from '../mime/dkim-record.js';
import type { Account } from '../store/scripts/accounts.js';

/** As a person gives it. Without a key one is made; what is left out is as it was, else as usual. */
export interface DkimInput {
  readonly domain?: string | undefined;
  readonly selector?: string | undefined;
  /** PEM, without a passphrase. */
  readonly privateKey?: string | undefined;
}

/** What becomes of an account's signature: `keep`, none at all, or a key that is still to be sealed for its row. */
export type DkimChange = 'keep' | null | { readonly key: DkimKey; readonly pem: string };

const USUAL_SELECTOR = 'pillarbox';

/**
 * What it answers may come back, and changes nothing: the same domain and selector without a key mean the key that is
 * stored. A new key under an old selector must be given: receivers know the old one for as long as DNS remembers it.
 */
export async function readDkim(
  given: DkimInput | null | undefined,
  emailAddress: string,
  present: DkimView | null,
): Promise<DkimChange> {
  if (given === undefined) return 'keep';
  if (given === null) return null;
  const domain = given.domain ?? present?.domain ?? domainOf(emailAddress);
  const selector = given.selector ?? present?.selector ?? USUAL_SELECTOR;
  if (!domain.includes('.'))
    throw invalidInput('dkim.domain', 'is no domain that records can be published for; give one');
  const isPresent = present?.domain === domain && present.selector === selector;
  if (given.privateKey === undefined && isPresent) return 'keep';
  const pem = given.privateKey ?? (await makeDkimKey());
  return { key: readDkimKey(pem, { domain, selector }), pem };
}

/** As it is stored in the row of this account. */
export function sealedDkim(
  box: SecretBox,
  accountId: number,
  change: DkimChange,
  present: string | null,
): string | null {
  if (change === 'keep') return present;
  if (change === null) return null;
  const { domain, selector, algorithm } = change.key;
  return sealDkim(
    box,
    accountId,
    { domain, selector, algorithm, record: dkimRecord(change.key) },
    change.pem,
  );
}

/** Undefined: its mail is not signed here. Throws `invalid_config` if the key can't be opened. */
export function dkimKeyOf(box: SecretBox, account: Pick<Account, 'id' | 'dkim'>): DkimKey | undefined {
  const view = shownDkim(account);
  const pem = openDkim(box, account);
  return view && pem !== undefined ? readDkimKey(pem, view) : undefined;
}
