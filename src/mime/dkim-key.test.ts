import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { readDkimKey } from './dkim-key.js';

const place = { domain: 'example.org', selector: 'mail' };
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = rsa.privateKey.export(pkcs8).toString();

test('RSA keys in both of their forms and Ed25519 keys are read', () => {
  expect(readDkimKey(pem, place)).toMatchObject({ algorithm: 'rsa-sha256', ...place });
  const pkcs1 = rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();
  expect(readDkimKey(pkcs1, place).algorithm).toBe('rsa-sha256');
  const ed = generateKeyPairSync('ed25519').privateKey.export(pkcs8).toString();
  expect(readDkimKey(ed, { domain: 'Bücher.example', selector: 'a.b_c-1' })).toMatchObject({
    algorithm: 'ed25519-sha256',
    domain: 'xn--bcher-kva.example',
  });
});

/** A key whose parts were changed after it was made: still a key to every parser. */
function damaged(): string {
  const jwk = rsa.privateKey.export({ format: 'jwk' });
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
  const der = rsa.privateKey.export({ type: 'pkcs1', format: 'der' });
  const at = der.indexOf(Buffer.from(jwk.d ?? '', 'base64url'));
  for (const [part, value] of [
    ['d', other.d],
    ['dp', other.dp],
  ] as const) {
    const from = Buffer.from(jwk[part] ?? '', 'base64url');
    Buffer.from(value ?? '', 'base64url').copy(der, part === 'd' ? at : der.indexOf(from), 0, from.length);
  }
  return `-----BEGIN RSA PRIVATE KEY-----\n${der.toString('base64')}\n-----END RSA PRIVATE KEY-----\n`;
}

test.each([
  ['nothing', ''],
  ['text', 'not a key'],
  ['a key cut short', pem.slice(0, 500)],
  ['a public key', rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()],
  ['a small key', generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey.export(pkcs8).toString()],
  [
    'a key of another kind',
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pkcs8).toString(),
  ],
  [
    'an encrypted key',
    rsa.privateKey.export({ ...pkcs8, cipher: 'aes-128-cbc', passphrase: 'x' }).toString(),
  ],
  ['a damaged key', damaged()],
])('%s is refused at once, and the text does not hold it', (_what, text) => {
  expect(() => readDkimKey(text, place)).toThrow(
    expect.objectContaining({ code: 'invalid_input', field: 'dkim.privateKey' }),
  );
  expect(() => readDkimKey(text, place)).not.toThrow(/BEGIN|not a key/);
});

test.each([
  ['dkim.domain', { domain: 'a b', selector: 'mail' }],
  ['dkim.domain', { domain: 'example.org; x=y', selector: 'mail' }],
  ['dkim.selector', { domain: 'example.org', selector: 'mail; d=evil.example' }],
  ['dkim.selector', { domain: 'example.org', selector: '' }],
  ['dkim.selector', { domain: 'example.org', selector: 'a\r\nBcc' }],
])('a bad %s is refused', (field, bad) => {
  expect(() => readDkimKey(pem, bad)).toThrow(expect.objectContaining({ field }));
});
