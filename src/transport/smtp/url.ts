import { hostname } from 'node:os';
import { BlockList, isIP, isIPv4 } from 'node:net';
import { domainToASCII } from 'node:url';

import { invalidInput, type PillarboxError } from '../../core/errors.js';
import { isEhloName, type Credentials, type SetUp, type TlsMode } from './setup.js';

/** Where and how an account connects. */
export interface SmtpEndpoint extends SetUp {
  readonly host: string;
  readonly port: number;
  /** A file of certificate authorities to trust instead of the system's. */
  readonly caFile?: string;
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const DEFAULT_PORT: Record<TlsMode, number> = { implicit: 465, starttls: 587, none: 25 };
const PARAMETERS = ['tls', 'name', 'auth', 'ca'];

/**
 * Reads `smtp://user:password@host:port` (STARTTLS required, except on loopback) or `smtps://…` (TLS from the first
 * byte), user and password percent-encoded, with these parameters:
 *
 * - `tls=none`: plain text, log-in included; `tls=starttls`: also on loopback;
 * - `name=…`: how to introduce ourselves in EHLO;
 * - `auth=xoauth2`: the password is an OAuth access token;
 * - `ca=/etc/ssl/ours.pem`: a file of certificate authorities to trust instead of the system's.
 *
 * Throws `invalid_input`. Its texts repeat no part of the URL: any part of it may be a piece of a password that was
 * not percent-encoded.
 */
export function parseSmtpUrl(text: string): SmtpEndpoint {
  const url = toUrl(text);
  const tls = tlsMode(url);
  const port = url.port === '' ? DEFAULT_PORT[tls] : Number(url.port);
  if (port === 0) throw fault('the port is not between 1 and 65535');
  const credentials = readCredentials(url);
  return {
    host: hostOf(url),
    port,
    tls,
    name: ehloName(url),
    ...caFileOf(url, tls),
    ...(credentials ? { credentials, authInClear: tls === 'none' } : {}),
  };
}

function toUrl(text: string): URL {
  // The error of URL carries its input along, password and all: it goes no further than this.
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'smtp:' && url?.protocol !== 'smtps:') {
    throw fault(
      'give smtp://user:password@host:port or smtps://…; write : / ? # @ % in a password as %3A and so on',
    );
  }
  if ((url.pathname !== '' && url.pathname !== '/') || url.hash !== '') {
    throw fault(
      'nothing may follow the port but ?tls=, &name=, &auth= and &ca=; write / ? # @ in a password as %2F and so on',
    );
  }
  for (const parameter of new Set(url.searchParams.keys())) {
    if (!PARAMETERS.includes(parameter))
      throw fault(`it has a parameter other than ${PARAMETERS.join(', ')}`);
    if (url.searchParams.getAll(parameter).length > 1)
      throw fault(`the parameter ${parameter} is given twice`);
  }
  return url;
}

function tlsMode(url: URL): TlsMode {
  const asked = url.searchParams.get('tls');
  if (url.protocol === 'smtps:') {
    if (asked !== null) throw fault('smtps:// is TLS from the first byte; tls= is for smtp://');
    return 'implicit';
  }
  if (asked !== null && asked !== 'none' && asked !== 'starttls') throw fault('tls= is none or starttls');
  return asked ?? (isLoopback(hostOf(url)) ? 'none' : 'starttls');
}

function hostOf(url: URL): string {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return host;
  const name = domainToASCII(decode(host, 'the host'));
  if (name === '') throw fault('the host is missing or is not a host name');
  // 127.1 and its like are left as they were written: the address check wants to see them.
  return isIPv4(name) ? host : name;
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return host === 'localhost';
  return loopback.check(host, isIPv4(host) ? 'ipv4' : 'ipv6');
}

function readCredentials(url: URL): Credentials | undefined {
  const user = decode(url.username, 'the user');
  const password = decode(url.password, 'the password');
  const auth = url.searchParams.get('auth');
  if (auth !== null && auth !== 'xoauth2') throw fault('auth= is xoauth2, or left out for a password');
  if (user === '' && password === '') {
    if (auth !== null) throw fault('auth= needs a user and a token');
    return undefined;
  }
  if (user === '') throw fault('it has a password but no user');
  if (password === '') throw fault('it has a user but no password');
  return auth === null ? { user, password } : { user, accessToken: password };
}

function decode(text: string, what: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(text);
  } catch {
    throw fault(`${what} has a % that is not followed by two hexadecimal digits of UTF-8; write % as %25`);
  }
  // NUL and SOH separate user from password on the wire.
  if (/\p{Cc}/u.test(decoded)) throw fault(`${what} has a control character`);
  return decoded;
}

function ehloName(url: URL): string {
  const asked = url.searchParams.get('name');
  if (asked !== null) {
    if (!isEhloName(asked)) throw fault('name= is not a host name');
    return asked;
  }
  // Servers frown at a bare word; an address literal is what RFC 5321 has for those without a name.
  const own = hostname();
  return own.includes('.') && isEhloName(own) ? own : '[127.0.0.1]';
}

function caFileOf(url: URL, tls: TlsMode): Pick<SmtpEndpoint, 'caFile'> {
  const caFile = url.searchParams.get('ca');
  if (caFile === null) return {};
  if (caFile === '') throw fault('ca= names no file');
  if (tls === 'none') throw fault('ca= is for TLS, and this connection has none');
  return { caFile };
}

const fault = (message: string): PillarboxError => invalidInput('url', message);
