import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** In PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 24 * 3_600_000;
const DAYS = 365;
/** Clocks of clients may be behind ours. */
const DAYS_BEFORE = 1;

const NAME = 'localhost';
/** 127.0.0.1 and ::1. */
const ADDRESSES = ['7f000001', `${'00'.repeat(15)}01`];

const BOOLEAN = 0x01;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT = 0x06;
const TEXT = 0x0c;
const TIME = 0x17;
const SEQUENCE = 0x30;
const SET = 0x31;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const ALTERNATIVE_NAMES = '551d11';
const BASIC_CONSTRAINTS = '551d13';
const KEY_USAGE = '551d0f';
const EXTENDED_KEY_USAGE = '551d25';
const SERVER_AUTHENTICATION = '2b06010505070301';

/**
 * A certificate for this machine's own names, signed by itself, because Node can read certificates and make none. It
 * is no authority: whoever trusts it trusts the process that made it and nothing else.
 */
export function makeCertificate(now: number): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(der(OBJECT, ECDSA_WITH_SHA256));
  const name = sequence(der(SET, sequence(der(OBJECT, COMMON_NAME), der(TEXT, Buffer.from(NAME)))));
  const signed = sequence(
    der(VERSION, der(INTEGER, '02')),
    // Positive, whatever was drawn.
    der(INTEGER, Buffer.concat([Buffer.of(1), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(now - DAYS_BEFORE * DAY_MS), time(now + DAYS * DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(EXTENSIONS, sequence(...extensions())),
  );
  const signature = sign('sha256', signed, privateKey);
  const whole = sequence(signed, algorithm, der(BIT_STRING, Buffer.concat([Buffer.of(0), signature])));
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: pem(whole) };
}

function extensions(): readonly Buffer[] {
  const names = [der(DNS_NAME, Buffer.from(NAME)), ...ADDRESSES.map((each) => der(IP_ADDRESS, each))];
  return [
    extension(BASIC_CONSTRAINTS, sequence(), true),
    // The first bit: signatures.
    extension(KEY_USAGE, der(BIT_STRING, '0780'), true),
    extension(EXTENDED_KEY_USAGE, sequence(der(OBJECT, SERVER_AUTHENTICATION))),
    extension(ALTERNATIVE_NAMES, sequence(...names)),
  ];
}

const extension = (object: string, value: Buffer, critical = false): Buffer =>
  sequence(der(OBJECT, object), ...(critical ? [der(BOOLEAN, 'ff')] : []), der(OCTET_STRING, value));

/** `261118200000Z` */
const time = (at: number): Buffer =>
  der(
    TIME,
    Buffer.from(
      new Date(at)
        .toISOString()
        .replaceAll(/[-:T]|\.\d+/g, '')
        .slice(2),
    ),
  );

const sequence = (...parts: readonly Buffer[]): Buffer => der(SEQUENCE, Buffer.concat(parts));

function der(tag: number, content: Buffer | string): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'hex') : content;
  return Buffer.concat([Buffer.of(tag, ...lengthOf(bytes)), bytes]);
}

/** In as few bytes as it fits into, behind one that says how many: a certificate is far below 64 KB. */
function lengthOf({ length }: Buffer): readonly number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
