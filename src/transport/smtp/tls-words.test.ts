import { describe, expect, test } from 'vitest';
import { tlsWords } from './tls-words.js';

const fault = (code: string, message: string, more: object = {}) =>
  Object.assign(new Error(message), { code, ...more });
const openssl = (thread: string, said: string, line: number, alert: number) =>
  `${thread}:error:0A000438:SSL routines:ssl3_read_bytes:${said}:../deps/ssl/rec_layer_s3.c:${line}:SSL alert number ${alert}`;

describe('a fault of TLS is told in the same words each time', () => {
  const said = 'tlsv1 alert internal error';
  test.each([
    fault('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', openssl('80BC8CF5CB7F0000', said, 1601, 80), {
      reason: said,
    }),
    fault('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', openssl('C0473A1F2B7F0000', said, 1588, 80), {
      reason: said,
    }),
    fault('EPROTO', `write EPROTO ${openssl('80BC8CF5CB7F0000', said, 1601, 80)}`),
  ])('%s', (cause) => {
    expect(tlsWords(cause)).toBe('tlsv1 alert internal error (alert 80)');
  });
});

test.each([
  [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'self-signed certificate in certificate chain',
    /chain: nobody .* NODE_EXTRA_CA/,
  ],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate', /certificate: nobody/],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'Hostname/IP does not match: Host: a. is not b.',
    /b: connect to the name/,
  ],
  ['CERT_HAS_EXPIRED', 'certificate has expired', /expired: the server needs a new certificate/],
  ['CERT_NOT_YET_VALID', 'certificate is not yet valid', /look at the clocks/],
])('%s comes with what to do about it', (code, message, expected) => {
  expect(tlsWords(fault(code, message))).toMatch(expected);
});

test('what is no fault of TLS is left as it is', () => {
  expect(tlsWords(fault('ECONNRESET', 'read ECONNRESET'))).toBeUndefined();
  expect(tlsWords(new Error('whatever'))).toBeUndefined();
});
