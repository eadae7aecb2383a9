import { describe, expect, test } from 'vitest';

import { PillarboxError } from '../../core/errors.js';
import { parseSmtpUrl } from './url.js';

const messageOf = (url: string): string => {
  try {
    parseSmtpUrl(url);
  } catch (fault) {
    expect(fault).toBeInstanceOf(PillarboxError);
    expect(fault).toMatchObject({ code: 'invalid_input', field: 'url' });
    expect(fault).not.toHaveProperty('cause');
    return (fault as Error).message;
  }
  throw new Error(`was taken: ${url}`);
};

describe('an SMTP URL', () => {
  test.each([
    ['smtp://mail.example.org', { host: 'mail.example.org', port: 587, tls: 'starttls' }],
    ['smtp://mail.example.org:2525', { port: 2525, tls: 'starttls' }],
    ['smtps://mail.example.org', { port: 465, tls: 'implicit' }],
    ['smtps://localhost', { port: 465, tls: 'implicit' }],
    ['smtp://mail.example.org?tls=none', { port: 25, tls: 'none' }],
    ['smtp://mail.example.org/?tls=none', { port: 25, tls: 'none' }],
    ['smtp://localhost', { host: 'localhost', port: 25, tls: 'none' }],
    ['smtp://localhost:1025', { port: 1025, tls: 'none' }],
    ['smtp://127.0.0.1', { host: '127.0.0.1', tls: 'none' }],
    ['smtp://127.8.8.8', { tls: 'none' }],
    ['smtp://[::1]:25', { host: '::1', port: 25, tls: 'none' }],
    ['smtp://localhost?tls=starttls', { port: 587, tls: 'starttls' }],
    ['smtp://localhost.example.org', { tls: 'starttls' }],
    ['smtp://10.0.0.1', { tls: 'starttls' }],
    ['smtp://127.1', { host: '127.1', tls: 'starttls' }],
    ['smtp://MÜLLER.example', { host: 'xn--mller-kva.example', tls: 'starttls' }],
    ['SMTP://mail.example.org', { tls: 'starttls' }],
    ['smtp://mail.example.org?name=out.example.org', { name: 'out.example.org' }],
    ['smtp://mail.example.org?name=[192.0.2.1]', { name: '[192.0.2.1]' }],
  ])('%s is understood', (url, expected) => expect(parseSmtpUrl(url)).toMatchObject(expected));

  test('has user and password percent-encoded', () => {
    const { credentials } = parseSmtpUrl(
      'smtp://ada%40example.org:p%40ss%3A%2F%3F%23%25w%C3%B6rd@mail.example.org',
    );
    expect(credentials).toEqual({ user: 'ada@example.org', password: 'p@ss:/?#%wörd' });
  });

  test('may hold a token in place of the password', () => {
    expect(parseSmtpUrl('smtp://ada:ya29.x@mail.example.org?auth=xoauth2').credentials).toEqual({
      user: 'ada',
      accessToken: 'ya29.x',
    });
  });

  test('allows a log-in in clear only where it says that nothing is encrypted', () => {
    expect(parseSmtpUrl('smtp://a:b@mail.example.org').authInClear).toBe(false);
    expect(parseSmtpUrl('smtps://a:b@mail.example.org').authInClear).toBe(false);
    expect(parseSmtpUrl('smtp://a:b@mail.example.org?tls=none').authInClear).toBe(true);
    expect(parseSmtpUrl('smtp://a:b@127.0.0.1').authInClear).toBe(true);
    expect(parseSmtpUrl('smtp://mail.example.org')).not.toHaveProperty('credentials');
  });

  test('may name a file of authorities', () => {
    expect(parseSmtpUrl('smtps://mail.example.org?ca=%2Fetc%2Four%20ca.pem').caFile).toBe('/etc/our ca.pem');
    expect(parseSmtpUrl('smtps://mail.example.org')).not.toHaveProperty('caFile');
  });

  test('always has a name for EHLO', () => {
    expect(parseSmtpUrl('smtp://mail.example.org').name).toMatch(/^(\[127\.0\.0\.1\]|[\w-]+(\.[\w-]+)+)$/);
  });
});

describe('a wrong SMTP URL is refused with what is wrong and without the password', () => {
  test.each([
    ['', /give smtp:/],
    ['mail.example.org', /give smtp:/],
    ['ada:hunter2@mail.example.org', /give smtp:/],
    ['http://ada:hunter2@mail.example.org', /give smtp:/],
    ['smtp://', /host is missing/],
    ['smtp:ada:hunter2@mail.example.org', /nothing may follow|host is missing/],
    ['smtp://ada:hunter2@', /give smtp:|host is missing/],
    ['smtp://ada:hunter2@mail.example.org:70000', /give smtp:/],
    ['smtp://ada:hunter2@mail.example.org:0', /port is not between/],
    ['smtp://ada:hunter2@mail.example.org:smtp', /give smtp:/],
    ['smtp://ada:hunter2@mail.example.org/path', /nothing may follow/],
    ['smtp://ada:hunter2@mail.example.org#x', /nothing may follow/],
    ['smtp://ada:12/hunter2@mail.example.org', /nothing may follow/],
    ['smtp://ada:#hunter2@mail.example.org', /give smtp:|nothing may follow/],
    ['smtp://ada:12?hunter2@mail.example.org', /a parameter other than tls, name, auth, ca/],
    ['smtp://ada:hunter2%@mail.example.org', /the password has a %/],
    ['smtp://ada:hunter2%ff@mail.example.org', /the password has a %/],
    ['smtp://ada:hunter2%00@mail.example.org', /the password has a control character/],
    ['smtp://ada%0d%0a:hunter2@mail.example.org', /the user has a control character/],
    ['smtp://ada@mail.example.org', /a user but no password/],
    ['smtp://:hunter2@mail.example.org', /a password but no user/],
    ['smtp://ada:hunter2@mail.example.org?tls=maybe', /tls= is none or starttls/],
    ['smtp://ada:hunter2@mail.example.org?tls=none&tls=starttls', /tls is given twice/],
    ['smtp://ada:hunter2@mail.example.org?TLS=none', /a parameter other than/],
    ['smtps://ada:hunter2@mail.example.org?tls=none', /smtps:.. is TLS from the first byte/],
    ['smtp://ada:hunter2@mail.example.org?name=a%0d%0ab', /name= is not a host name/],
    ['smtp://ada:hunter2@mail.example.org?name=', /name= is not a host name/],
    ['smtp://ada:hunter2@mail.example.org?auth=ntlm', /auth= is xoauth2/],
    ['smtp://mail.example.org?auth=xoauth2', /auth= needs a user/],
    ['smtps://ada:hunter2@mail.example.org?ca=', /ca= names no file/],
    ['smtp://ada:hunter2@mail.example.org?tls=none&ca=/a.pem', /ca= is for TLS/],
    ['smtp://ada:hunter2@mail%20example.org', /host is missing or is not/],
    ['smtp://ada:hunter2@mail%0aexample.org', /the host has a control character/],
  ])('%s', (url, expected) => {
    const message = messageOf(url);
    expect(message).toMatch(expected);
    expect(message).not.toContain('hunter2');
  });
});
