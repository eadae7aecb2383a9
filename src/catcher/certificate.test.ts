import { createPrivateKey, X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeCertificate } from './certificate.js';

const NOON = Date.UTC(2026, 10, 18, 12);

test('a certificate is for this machine alone, for a year, and vouches for nobody else', () => {
  const { key, cert } = makeCertificate(NOON);
  const read = new X509Certificate(cert);
  expect(read.verify(read.publicKey)).toBe(true);
  expect(read.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(read.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
  expect(read.ca).toBe(false);
  expect(Date.parse(read.validFrom)).toBe(Date.UTC(2026, 10, 17, 12));
  expect(Date.parse(read.validTo)).toBe(Date.UTC(2027, 10, 18, 12));
});

test('every one has a number, a key and a signature of its own, of whatever length', () => {
  const read = Array.from({ length: 50 }, () => new X509Certificate(makeCertificate(NOON).cert));
  for (const each of read) expect(each.verify(each.publicKey)).toBe(true);
  expect(new Set(read.map(({ serialNumber }) => serialNumber)).size).toBe(read.length);
});
