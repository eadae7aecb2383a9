import { createServer, type AddressInfo } from 'node:net';
import { createServer as createTlsServer, rootCertificates, TLSSocket } from 'node:tls';
import type { SMTPServerOptions } from 'smtp-server';
import { describe, expect, test } from 'vitest';

import { SmtpConnection, type ConnectionOptions } from '#pillarbox/transport/smtp/connection';
import { ACCESS_TOKEN, cert, key, PASSWORD, useAdaServers } from './ada-server.js';
import { brief, ENVELOPE, MAIL, optionsFor, pass, SHORT_MS, verdict } from './client.js';

/** Trusted by all the world, but it did not sign the server's certificate. */
const OTHER_AUTHORITY = rootCertificates[0] ?? '';
const password = { user: 'ada', password: PASSWORD };
const token = { user: 'ada', accessToken: ACCESS_TOKEN };
const startServer = useAdaServers();

const tlsOptions = (port: number, overrides: Partial<ConnectionOptions>): ConnectionOptions =>
  optionsFor(port, {
    host: 'mail.example.test',
    hosts: { allowPrivate: true, resolver: () => Promise.resolve(['127.0.0.1']) },
    tls: 'starttls',
    ca: cert,
    limits: { tlsMs: 5_000, replyMs: 5_000 },
    ...overrides,
  });

async function attempt(
  port: number,
  overrides: Partial<ConnectionOptions>,
  mail: Buffer = MAIL,
  to = ENVELOPE.to,
): Promise<string> {
  const connection = new SmtpConnection(tlsOptions(port, overrides));
  const failure = await connection.open();
  if (failure) return brief(failure);
  const dispatch = await connection.send({ ...ENVELOPE, to }, mail, pass);
  connection.quit();
  return verdict(dispatch);
}

describe('a mail travels encrypted and logged in', () => {
  test.each([
    ['STARTTLS and PLAIN', { authMethods: ['PLAIN'] }, { credentials: password }],
    ['STARTTLS and LOGIN', { authMethods: ['LOGIN'] }, { credentials: password }],
    ['STARTTLS and XOAUTH2', { authMethods: ['XOAUTH2'] }, { credentials: token }],
    [
      'TLS from the first byte',
      { authMethods: ['PLAIN'], secure: true },
      { credentials: password, tls: 'implicit' },
    ],
    [
      'an address in place of a name',
      { authMethods: ['PLAIN'] },
      { credentials: password, host: '127.0.0.1' },
    ],
  ] as const)('with %s', async (_how, serverOptions, options) => {
    const { port, taken } = await startServer({
      ...serverOptions,
      authMethods: [...serverOptions.authMethods],
    });
    expect(await attempt(port, options)).toBe('yes/reply/250');
    expect(taken).toEqual([{ bytes: MAIL.length, secure: true, user: 'ada', from: 'ada@example.org' }]);
  });

  test('with PLAIN before LOGIN, and with the token only where the token is asked for', async () => {
    const { port, tried } = await startServer({ authMethods: ['LOGIN', 'XOAUTH2', 'PLAIN'] });
    await attempt(port, { credentials: password });
    await attempt(port, { credentials: token });
    expect(tried).toEqual(['PLAIN', 'XOAUTH2']);
  });

  test('also when it is large', async () => {
    const { port, taken } = await startServer({ size: 5_000_000 });
    const mail = Buffer.from(`Subject: big\r\n\r\n${`${'y'.repeat(70)}\r\n`.repeat(40_000)}`);
    expect(await attempt(port, { credentials: password }, mail)).toBe('yes/reply/250');
    expect(taken[0]?.bytes).toBe(mail.length);
  });
});

describe('nothing travels [F16]', () => {
  test.each([
    ['with a wrong password', {}, { credentials: { user: 'ada', password: 'wrong' } }, 'auth/535'],
    [
      'with a wrong password and LOGIN',
      { authMethods: ['LOGIN'] },
      { credentials: { user: 'ada', password: 'wrong' } },
      'auth/535',
    ],
    [
      'with a wrong token',
      { authMethods: ['XOAUTH2'] },
      { credentials: { user: 'ada', accessToken: 'old' } },
      'auth/535',
    ],
    [
      'to a certificate that nobody vouches for',
      {},
      { credentials: password, ca: OTHER_AUTHORITY },
      'tls/DEPTH_ZERO_SELF_SIGNED_CERT',
    ],
    [
      'to a certificate of another name',
      {},
      { credentials: password, host: 'other.example.test' },
      'tls/ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    [
      'to a certificate of another name, from the first byte',
      { secure: true },
      { tls: 'implicit', host: 'other.example.test' },
      'tls/ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    ['with TLS to a port in clear', {}, { tls: 'implicit' }, 'tls/ERR_SSL_WRONG_VERSION_NUMBER'],
    [
      'in clear to a port with TLS',
      { secure: true },
      { limits: { greetingMs: SHORT_MS } },
      'greeting/ETIMEDOUT',
    ],
    [
      'to a server that hides STARTTLS',
      { hideSTARTTLS: true },
      { credentials: password },
      'tls/ETLS_NOT_OFFERED',
    ],
  ] as const)('%s', async (_how, serverOptions, options, expected) => {
    const { port, taken, tried } = await startServer(serverOptions as SMTPServerOptions);
    const { ca, ...rest } = { ca: cert, ...options };
    expect(await attempt(port, { ...rest, ...(ca === '' ? { ca: OTHER_AUTHORITY } : { ca }) })).toBe(
      expected,
    );
    expect(taken).toEqual([]);
    expect(tried.length).toBe(expected.startsWith('auth') ? 1 : 0);
  });

  test('over a protocol older than TLS 1.2', async () => {
    const server = createTlsServer({
      key,
      cert,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const outcome = await attempt((server.address() as AddressInfo).port, { tls: 'implicit' });
    server.close();
    expect(outcome).toMatch(/^tls\/ERR_SSL_/);
  });

  test.each([
    ['larger than the server takes', { mail: Buffer.alloc(60_000, 'a\r\n') }, 'no/mail/ESIZE'],
    [
      'with 8-bit bytes to a server of 7 bits',
      { mail: Buffer.from('Subject: ä\r\n\r\n'), hide8BITMIME: true },
      'no/mail/E8BITMIME',
    ],
    [
      'to an address that the server cannot spell',
      { to: ['jõ@example.org'], hideSMTPUTF8: true },
      'no/mail/ESMTPUTF8',
    ],
    [
      'with a bare line feed',
      { mail: Buffer.from('Subject: x\r\n\r\na\n.\r\nMAIL FROM:<b@c.d>\r\n') },
      'no/mail/ECOMPOSE',
    ],
    ['to an address with a second command', { to: ['a@b.c>\r\nRCPT TO:<d@e.f'] }, 'no/mail/EADDRESS'],
    ['to nobody', { to: [] }, 'no/mail/EADDRESS'],
  ])(
    'when it is %s',
    async (
      _why,
      { mail, to, ...serverOptions }: { mail?: Buffer; to?: string[] } & SMTPServerOptions,
      expected,
    ) => {
      const { port, taken } = await startServer(serverOptions);
      expect(await attempt(port, { credentials: password }, mail, to)).toBe(expected);
      expect(taken).toEqual([]);
    },
  );
});

test('an address outside ASCII and 8-bit bytes go to a server that knows them', async () => {
  const { port, taken } = await startServer({ hideSMTPUTF8: false });
  const mail = Buffer.from('Subject: jõ\r\n\r\njõ\r\n');
  expect(await attempt(port, { credentials: password }, mail, ['jõ@example.org'])).toBe('yes/reply/250');
  expect(taken).toHaveLength(1);
});

test('what the server offered in clear is forgotten: anyone on the way could have said it', async () => {
  const heard: string[] = [];
  const server = createServer((clear) => {
    clear.on('error', () => undefined);
    clear.write('220 two faces\r\n');
    clear.once('data', () => {
      clear.write('250-x\r\n250-STARTTLS\r\n250-PIPELINING\r\n250 AUTH LOGIN\r\n');
      clear.once('data', () => {
        clear.write('220 go\r\n');
        const secure = new TLSSocket(clear, { isServer: true, key, cert });
        secure.on('error', () => undefined);
        secure.on('data', (chunk: Buffer) => {
          heard.push(chunk.toString());
          const ehlo = heard.length === 1;
          secure.write(
            ehlo ? '250-x\r\n250 AUTH PLAIN\r\n' : heard.length === 2 ? '235 ok\r\n' : '550 no\r\n',
          );
        });
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await attempt(port, { credentials: password })).toBe('no/mail/550');
  server.close();
  const [ehlo, auth, mail] = heard;
  expect(ehlo).toBe('EHLO client.example.test\r\n');
  expect(auth).toMatch(/^AUTH PLAIN /);
  expect(mail).toBe('MAIL FROM:<ada@example.org>\r\n');
});
