import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINK_PURPOSES, linkKeys, readLink, signLink, type LinkKey } from './link-token.js';

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 16, 14);
const keysOf = (...secrets: string[]) => linkKeys(secrets, 'abc');
const first = (keys: readonly LinkKey[]): LinkKey => keys[0] as LinkKey;
const OLD = keysOf('an old secret, long enough to be one');
const NEW = keysOf('a new secret, long enough to be one', 'an old secret, long enough to be one');
const LINK = { purpose: 'unsubscribe', workspaceId: 3, subject: 1_234_567, matter: 89 } as const;

describe('[T15] a link', () => {
  test('says again what it was made of', () => {
    const id = fc.integer({ min: 0, max: 2 ** 45 });
    const link = fc.record({
      purpose: fc.constantFrom(...LINK_PURPOSES),
      workspaceId: id,
      subject: id,
      matter: id,
    });
    fc.assert(
      fc.property(link, (any) => {
        expect(readLink(NEW, signLink(first(NEW), any), NOW)).toEqual(any);
      }),
    );
  });

  test('is short, the same every time, and holds no address', () => {
    expect(signLink(first(NEW), LINK)).toBe(signLink(first(NEW), LINK));
    expect(signLink(first(NEW), LINK).length).toBeLessThan(40);
  });

  test('is known by a former secret, and not by one that has gone, or by another installation', () => {
    const token = signLink(first(OLD), LINK);
    expect(readLink(NEW, token, NOW)).toEqual(LINK);
    expect(readLink(NEW.slice(0, 1), token, NOW)).toBeUndefined();
    expect(readLink(linkKeys(['an old secret, long enough to be one'], 'abd'), token, NOW)).toBeUndefined();
    expect(readLink([], token, NOW)).toBeUndefined();
  });

  test('ends when it was to, and not before', () => {
    const token = signLink(first(NEW), LINK, NOW + HOUR);
    expect(readLink(NEW, token, NOW + HOUR)).toEqual(LINK);
    expect(readLink(NEW, token, NOW + 2 * HOUR + 1)).toBeUndefined();
    expect(readLink(NEW, signLink(first(NEW), LINK), NOW + 100 * 365 * 24 * HOUR)).toEqual(LINK);
  });

  test('with a single bit changed is none', () => {
    const bytes = Buffer.from(signLink(first(NEW), LINK), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const forged = Buffer.from(bytes);
      forged.writeUInt8(forged.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(readLink(NEW, forged.toString('base64url'), NOW)).toBeUndefined();
    }
  });

  test('of another shape is none', () => {
    const token = signLink(first(NEW), LINK);
    const others = [
      '',
      'a',
      token.slice(0, -1),
      `${token}A`,
      `${token}=`,
      token.toUpperCase(),
      'A'.repeat(10_000),
    ];
    for (const other of [
      ...others,
      '../../x',
      `${token}\u0000`,
      `${token} `,
      encodeURIComponent(`${token}/`),
    ])
      expect(readLink(NEW, other, NOW)).toBeUndefined();
    fc.assert(
      fc.property(fc.string(), (any) => {
        expect(readLink(NEW, any, NOW)).toBeUndefined();
      }),
    );
  });
});
