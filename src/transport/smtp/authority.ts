import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PillarboxError } from '../../core/errors.js';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;
const MOST = 50;

/** What is wrong with a text of certificate authorities, in words that follow the name of the field. */
export function authorityFault(pem: string): string | undefined {
  const certificates = pem.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) return 'holds no certificate in PEM form';
  if (certificates.length > MOST) return `holds more than ${String(MOST)} certificates`;
  return certificates.every(isCertificate) ? undefined : 'holds a certificate that cannot be read';
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== '';
  } catch {
    return false;
  }
}

/** Read once, when a process makes its way to send. Throws `invalid_config` that names the file. */
export function readAuthority(path: string): string {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unknown' } = error as { code?: string };
    throw new PillarboxError('invalid_config', `smtpUrl: ca= names ${path}, which cannot be read (${code})`);
  }
  const fault = authorityFault(pem);
  if (fault !== undefined)
    throw new PillarboxError('invalid_config', `smtpUrl: ca= names ${path}, which ${fault}`);
  return pem;
}
