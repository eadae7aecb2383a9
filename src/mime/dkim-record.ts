import { createPublicKey, generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import type { DkimKey } from './dkim-key.js';

/** What DNS must say for receivers to believe a signature. */
export interface DkimRecord {
  /** Of the TXT record: `pillarbox._domainkey.example.org`. */
  readonly name: string;
  readonly value: string;
}

/** RFC 8301 asks for 2048 at least; longer ones fit into no single string of a record. */
const RSA_BITS = 2048;
/** An Ed25519 key is the last 32 bytes of its SPKI form, and RFC 8463 wants nothing else of it. */
const ED25519_BYTES = 32;

const generate = promisify(generateKeyPair);

/** In PEM. RSA, because many receivers take no Ed25519 signature for one. Made in libuv's threads. */
export async function makeDkimKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: RSA_BITS });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

export function dkimRecord({ algorithm, domain, selector, privateKey }: DkimKey): DkimRecord {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const [kind, bytes] =
    algorithm === 'rsa-sha256' ? ['rsa', spki] : ['ed25519', spki.subarray(-ED25519_BYTES)];
  return {
    name: `${selector}._domainkey.${domain}`,
    value: `v=DKIM1; k=${kind}; p=${bytes.toString('base64')}`,
  };
}
