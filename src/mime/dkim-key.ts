import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { parseAddress, domainOf } from '../core/address.js';
import { invalidInput } from '../core/errors.js';

/** A private key that was read and tried once. Whoever holds one can sign. */
export interface DkimKey {
  readonly algorithm: 'rsa-sha256' | 'ed25519-sha256';
  /** The `d=` tag, in lower-case A-labels. */
  readonly domain: string;
  readonly selector: string;
  readonly privateKey: KeyObject;
}

const SELECTOR =
  /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?){0,3}$/;
/** RFC 8301: receivers take no signature of a smaller key for one. */
const RSA_BITS_MIN = 1024;

/**
 * Reads a key once, when it is saved or when the program starts: a key that cannot sign is an error then and
 * there, and never a reason to let a mail go unsigned.
 */
export function readDkimKey(pem: string, place: { domain: string; selector: string }): DkimKey {
  const parsed = parseAddress(`x@${place.domain}`);
  if ('fault' in parsed) throw invalidInput('dkim.domain', 'is not a domain name');
  if (!SELECTOR.test(place.selector))
    throw invalidInput('dkim.selector', 'is not a selector such as mail2026');
  const privateKey = readPrivateKey(pem);
  const key: DkimKey = {
    algorithm: algorithmOf(privateKey),
    domain: domainOf(parsed.address),
    selector: place.selector,
    privateKey,
  };
  tryOut(key);
  return key;
}

function readPrivateKey(pem: string): KeyObject {
  if (pem.includes('ENCRYPTED'))
    throw invalidInput('dkim.privateKey', 'is encrypted; store it without a passphrase');
  try {
    return createPrivateKey(pem);
  } catch {
    // The cause is left out: OpenSSL's words say nothing to people, and a key does not belong into a log.
    throw invalidInput('dkim.privateKey', 'is not a private key in PEM form');
  }
}

function algorithmOf(key: KeyObject): DkimKey['algorithm'] {
  if (key.asymmetricKeyType === 'ed25519') return 'ed25519-sha256';
  if (key.asymmetricKeyType !== 'rsa')
    throw invalidInput('dkim.privateKey', 'is neither an RSA nor an Ed25519 key');
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < RSA_BITS_MIN) {
    throw invalidInput('dkim.privateKey', `is an RSA key of less than ${String(RSA_BITS_MIN)} bits`);
  }
  return 'rsa-sha256';
}

/** A damaged key can be well-formed; its signatures are then wrong, which only receivers would notice. */
function tryOut(key: DkimKey): void {
  const sample = Buffer.from('pillarbox');
  const digest = key.algorithm === 'rsa-sha256' ? 'sha256' : null;
  let works: boolean;
  try {
    works = verify(digest, sample, createPublicKey(key.privateKey), sign(digest, sample, key.privateKey));
  } catch {
    works = false;
  }
  if (!works) throw invalidInput('dkim.privateKey', 'is damaged: it cannot sign');
}
