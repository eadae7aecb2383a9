/** What to do about a certificate that is not taken, by what OpenSSL or Node call the fault. */
const REMEDIES: readonly [code: RegExp, remedy: string][] = [
  [
    /SELF_SIGNED|UNABLE_TO_GET_ISSUER|UNABLE_TO_VERIFY|CERT_UNTRUSTED|UNKNOWN_CA/,
    'nobody whom this machine trusts has signed it; for an authority of your own give ca, or NODE_EXTRA_CA_CERTS',
  ],
  [/ALTNAME|HOSTNAME_MISMATCH/, 'connect to the name that the certificate is for'],
  [/EXPIRED/, 'the server needs a new certificate'],
  [/NOT_YET_VALID/, 'it is not valid yet; look at the clocks of both machines'],
];

/**
 * What went wrong between two TLS layers, in the same words each time: OpenSSL's message begins with the address of a
 * thread and ends with a line of its source, so that no two are alike. Undefined: it is no such fault.
 */
export function tlsWords(cause: Error): string | undefined {
  const { code, reason } = cause as { code?: unknown; reason?: unknown };
  if (typeof code !== 'string') return undefined;
  const alert = /SSL alert number (\d+)/.exec(cause.message)?.[1];
  const openssl = /^(?:write EPROTO )?[0-9A-F]+:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(
    cause.message,
  )?.[1];
  const said = code.startsWith('ERR_SSL_') && typeof reason === 'string' ? reason : openssl;
  const words = said === undefined ? undefined : said + (alert === undefined ? '' : ` (alert ${alert})`);
  const remedy = REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
  if (remedy === undefined) return words;
  return `${(words ?? cause.message).trim().replace(/\.$/, '')}: ${remedy}`;
}
