import { createPublicKey, generateKeyPairSync, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { describe, expect, test } from 'vitest';
import type { Mail } from '#pillarbox/core/mail';
import { compose, toBytes } from '#pillarbox/mime/compose';
import { sign } from '#pillarbox/mime/dkim';
import { readDkimKey } from '#pillarbox/mime/dkim-key';
import type { DkimKey } from '#pillarbox/mime/dkim-key';
import { anyMail, anyStamp } from './mails.js';

const rsaPem = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});
const edPem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
const rsa = readDkimKey(rsaPem.toString(), { domain: 'Send.Example.org', selector: 'mail2026' });
const ed = readDkimKey(edPem.toString(), { domain: 'send.example.org', selector: 'ed' });

const stamp = { messageId: '<m1@send.example.org>', date: Date.UTC(2026, 10, 16, 14) };
const mail: Mail = {
  from: { email: 'news@send.example.org', name: 'Zoë' },
  to: { email: 'ada@example.org' },
  subject: 'Hello',
  text: 'Hello  world \n\n\n',
  unsubscribeUrl: `https://example.org/u/${'t'.repeat(60)}`,
};

const derive = promisify(pbkdf2);
/** Of libuv, for whatever must not keep the event loop. */
const THREADS = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);

/** The DNS as the receiver sees it. */
function recordOf(key: DkimKey): string {
  const der = createPublicKey(key.privateKey).export({ type: 'spki', format: 'der' });
  // RFC 8463 publishes the 32 bytes of an Ed25519 key alone.
  const bytes = key.algorithm === 'rsa-sha256' ? der : der.subarray(-32);
  return `v=DKIM1; k=${key.algorithm.split('-')[0] ?? ''}; p=${bytes.toString('base64')}`;
}

const RECORDS = new Map([rsa, ed].map((key) => [`${key.selector}._domainkey.${key.domain}`, recordOf(key)]));

async function verdicts(raw: Buffer | string): Promise<string[]> {
  const { results } = await dkimVerify(Buffer.from(raw), {
    resolver: (name: string) => Promise.resolve([[RECORDS.get(name) ?? '']]),
  });
  return results.map((result) => result.status.result);
}

describe.each([
  ['RSA', rsa],
  ['Ed25519', ed],
])('a signature by %s', (_name, key) => {
  test('passes for 200 mails of every shape', async () => {
    await fc.assert(
      fc.asyncProperty(anyMail, anyStamp, async (any, anyDate) => {
        const bytes = toBytes(await sign(compose(any, anyDate), key));
        expect(await verdicts(bytes)).toEqual(['pass']);
        const long = bytes
          .toString('latin1')
          .split('\r\n')
          .filter((line) => line.length > 78 && !line.startsWith('List-Unsubscribe: '));
        expect(long).toEqual([]);
      }),
      { numRuns: 200, seed: 42 },
    );
  });

  test('passes for an empty body and for one that ends in empty lines', async () => {
    for (const text of ['', '\n\n\n', 'a\n\n\n', ' \n', 'a  b\tc \n']) {
      expect(await verdicts(toBytes(await sign(compose({ ...mail, text }, stamp), key)))).toEqual(['pass']);
    }
  });

  test('is the same on every call', async () => {
    const [once, again] = await Promise.all([
      sign(compose(mail, stamp), key),
      sign(compose(mail, stamp), key),
    ]);
    expect(again).toEqual(once);
  });

  test('breaks when a second From, another Subject, another link or another word comes in', async () => {
    const raw = toBytes(await sign(compose(mail, stamp), key)).toString();
    expect(await verdicts(raw)).toEqual(['pass']);
    for (const forged of [
      raw.replace('\r\nFrom: ', '\r\nFrom: eve@evil.example\r\nFrom: '),
      raw.replace('\r\nSubject: Hello', '\r\nSubject: Hullo'),
      raw.replace('https://example.org', 'https://example.net'),
      raw.replace('=One-Click', '=Two-Click'),
      raw.replace('world', 'sword'),
    ]) {
      expect(forged).not.toBe(raw);
      expect(await verdicts(forged)).toEqual([expect.not.stringMatching('pass')]);
    }
  });
});

test('From is covered twice, both unsubscribe headers once', async () => {
  const { head } = await sign(compose(mail, stamp), rsa);
  const tags = head.split('\r\nMessage-ID', 1).join().replace(/\s/g, '');
  const covered = /;h=([^;]*);/.exec(tags)?.[1]?.split(':') ?? [];
  expect(covered.filter((name) => name === 'from')).toHaveLength(2);
  expect(covered).toContain('list-unsubscribe');
  expect(covered).toContain('list-unsubscribe-post');
  expect(tags).toContain('d=send.example.org;s=mail2026;');
});

test('two signatures stand side by side', async () => {
  const both = await sign(await sign(compose(mail, stamp), rsa), ed);
  expect(await verdicts(toBytes(both))).toEqual(['pass', 'pass']);
});

test('an address in UTF-8 is signed as the bytes that travel', async () => {
  const composed = compose({ ...mail, to: { email: 'zoë@example.org', name: 'Zoë' } }, stamp);
  expect(composed.needsSmtpUtf8).toBe(true);
  expect(await verdicts(toBytes(await sign(composed, rsa)))).toEqual(['pass']);
});

test('a signature that cannot be made is an error, not an unsigned mail', async () => {
  const useless: DkimKey = { ...rsa, privateKey: createPublicKey(rsa.privateKey) };
  await expect(sign(compose(mail, stamp), useless)).rejects.toThrow();
});

test('RSA signs in the threads beside the event loop, once they have done what they were given before', async () => {
  const composed = compose(mail, stamp);
  const done: string[] = [];
  const before = Array.from({ length: THREADS }, async () => {
    await derive('a password', 'salt', 20_000, 64, 'sha512');
    done.push('other work');
  });
  await sign(composed, rsa);
  done.push('signature');
  await Promise.all(before);
  expect(done.indexOf('signature')).toBeGreaterThan(0);
});
