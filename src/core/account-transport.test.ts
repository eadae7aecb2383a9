import { describe, expect, test } from 'vitest';
import {
  hasSecret,
  MASK,
  masked,
  readAccountTransport,
  unmasked,
  withoutCredentials,
  type AccountTransport,
} from './account-transport.js';

const SMTP: AccountTransport = { kind: 'smtp', url: 'smtps://ada%40example.org:p%40ss@mail.example.org:465' };
const GMAIL: AccountTransport = {
  kind: 'gmail',
  clientId: 'id',
  clientSecret: 'cs-secret',
  refreshToken: 'rt-secret',
};
const UNIPILE: AccountTransport = {
  kind: 'unipile',
  baseUrl: 'https://api.example.org',
  apiKey: 'ak-secret',
  accountId: 'a1',
};
const HTTP: AccountTransport = { kind: 'http', baseUrl: 'https://api.example.org', apiKey: 'ak-secret' };
const FILE: AccountTransport = { kind: 'file', directory: '/var/mail' };

describe('a transport as it is shown', () => {
  test.each([SMTP, GMAIL, UNIPILE, HTTP])('has no secret of $kind', (transport) => {
    const shown = JSON.stringify(masked(transport));
    expect(shown).not.toMatch(/secret|p%40ss|p@ss/);
    expect(shown).toContain(MASK);
    expect(hasSecret(transport)).toBe(true);
  });

  test('without a secret it is as it was', () => {
    const open: AccountTransport = { kind: 'smtp', url: 'smtp://127.0.0.1:1025?tls=none' };
    for (const transport of [open, FILE]) {
      expect(masked(transport)).toEqual(transport);
      expect(hasSecret(transport)).toBe(false);
    }
  });

  test('of a process names the server and nobody who logs in', () => {
    expect(withoutCredentials('smtp://ada:hunter2@mail.example.org:587')).toBe('smtp://mail.example.org:587');
  });
});

describe('a transport that comes back', () => {
  test.each([SMTP, GMAIL, UNIPILE, HTTP, FILE])('as $kind was shown is the stored one', (transport) => {
    expect(unmasked(masked(transport), () => transport)).toEqual(transport);
  });

  test('with a new secret has that one, beside those that stay', () => {
    const given = { ...masked(GMAIL), clientSecret: 'newer' } as AccountTransport;
    expect(unmasked(given, () => GMAIL)).toEqual({ ...GMAIL, clientSecret: 'newer' });
    const other: AccountTransport = { kind: 'smtp', url: 'smtps://eve:other@mail.example.org:465' };
    expect(unmasked(other, () => SMTP)).toEqual(other);
  });

  test.each<[string, AccountTransport, AccountTransport | undefined]>([
    ['another host', { kind: 'smtp', url: `smtps://ada%40example.org:${MASK}@evil.example:465` }, SMTP],
    ['another user', { kind: 'smtp', url: `smtps://eve:${MASK}@mail.example.org:465` }, SMTP],
    ['no TLS', { kind: 'smtp', url: `smtp://ada%40example.org:${MASK}@mail.example.org:465?tls=none` }, SMTP],
    ['another base', { ...HTTP, baseUrl: 'https://evil.example', apiKey: MASK }, HTTP],
    ['another kind', { ...HTTP, apiKey: MASK }, UNIPILE],
    ['nothing stored', { ...HTTP, apiKey: MASK }, undefined],
  ])('with a mask and %s is refused', (_, given, stored) => {
    expect(() => unmasked(given, () => stored)).toThrow(expect.objectContaining({ code: 'invalid_input' }));
  });
});

describe('the fields of a transport', () => {
  test('stand in one order, whatever was given', () => {
    const { kind, ...rest } = UNIPILE;
    const turned = { ...Object.fromEntries(Object.entries(rest).reverse()), kind };
    expect(JSON.stringify(readAccountTransport(turned))).toBe(JSON.stringify(UNIPILE));
  });

  test.each([
    [{ kind: 'smtp' } as const, 'transport.url'],
    [{ kind: 'http', baseUrl: 'https://a.example', apiKey: 'k', url: 'x' } as const, 'transport.url'],
    [{ kind: 'gmail', clientId: 'a', clientSecret: 'b' } as const, 'transport.refreshToken'],
  ])('are all there and no others: %j', (given, field) => {
    expect(() => readAccountTransport(given)).toThrow(expect.objectContaining({ field }));
  });
});
