import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * What stands behind a link in a mail: short, signed, without an address in it. It tells what may be done, in which
 * workspace and for whom; the same link is made again on every try. `sample`: of a mail that is only a look at it, whose
 * links do nothing.
 */
export const LINK_PURPOSES = ['unsubscribe', 'manage', 'confirm', 'sample'] as const;
export type LinkPurpose = (typeof LINK_PURPOSES)[number];

export interface Link {
  readonly purpose: LinkPurpose;
  readonly workspaceId: number;
  /** Whom it is about, and in which matter: the contact and the campaign; the subscription and nothing. */
  readonly subject: number;
  readonly matter: number;
}

export interface LinkKey {
  /** Follows from the key and says nothing of it. */
  readonly id: number;
  readonly bytes: Buffer;
}

const MAC_BYTES = 16;
const LONGEST_TOKEN = 100;
const HOUR_MS = 3_600_000;
const EPOCH = Date.UTC(2020, 0, 1);
const VARINT_MAX = 2 ** 49;

/** One key a secret, of this installation and for links alone. The first signs; former ones only verify. */
export const linkKeys = (secrets: readonly string[], installation: string): readonly LinkKey[] =>
  secrets.map((secret) => {
    const bytes = Buffer.from(
      hkdfSync('sha256', secret.normalize('NFKC'), installation, 'pillarbox links v1', 32),
    );
    const id = createHash('sha256').update('link key id').update(bytes).digest()[0] ?? 0;
    return { id, bytes };
  });

/** `expiresAt`: to the hour, later rather than sooner; null: it does not. */
export function signLink(key: LinkKey, link: Link, expiresAt: number | null = null): string {
  const hours = expiresAt === null ? 0 : Math.max(1, Math.ceil((expiresAt - EPOCH) / HOUR_MS));
  const body = Buffer.from([
    key.id,
    LINK_PURPOSES.indexOf(link.purpose),
    ...[link.workspaceId, link.subject, link.matter, hours].flatMap(varint),
  ]);
  return Buffer.concat([body, macOf(key, body)]).toString('base64url');
}

/**
 * Undefined for whatever `signLink` did not make, and for what is too old. Nothing in it is believed, and nobody is asked
 * about it, before its signature has been compared; that takes as long for one that is nearly right.
 */
export function readLink(keys: readonly LinkKey[], token: string, now: number): Link | undefined {
  if (token.length > LONGEST_TOKEN || !/^[\w-]+$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== token) return undefined;
  const body = bytes.subarray(0, -MAC_BYTES);
  const mac = bytes.subarray(-MAC_BYTES);
  let isOurs = false;
  for (const key of keys) {
    const isSame = timingSafeEqual(macOf(key, body), mac);
    if (isSame && key.id === body[0]) isOurs = true;
  }
  return isOurs ? fieldsOf(body, now) : undefined;
}

function fieldsOf(body: Buffer, now: number): Link | undefined {
  const purpose = LINK_PURPOSES[body[1] ?? -1];
  const numbers: number[] = [];
  let at = 2;
  while (at < body.length && numbers.length < 4) {
    const read = readVarint(body, at);
    if (!read) return undefined;
    numbers.push(read.number);
    at = read.next;
  }
  const [workspaceId, subject, matter, hours] = numbers;
  if (purpose === undefined || workspaceId === undefined || subject === undefined) return undefined;
  if (matter === undefined || hours === undefined || at !== body.length) return undefined;
  if (hours > 0 && now > EPOCH + hours * HOUR_MS) return undefined;
  return { purpose, workspaceId, subject, matter };
}

const macOf = (key: LinkKey, body: Buffer): Buffer =>
  createHmac('sha256', key.bytes).update(body).digest().subarray(0, MAC_BYTES);

function varint(number: number): number[] {
  const bytes: number[] = [];
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return [...bytes, rest];
}

function readVarint(body: Buffer, from: number): { number: number; next: number } | undefined {
  let number = 0;
  let unit = 1;
  for (let at = from; at < body.length && unit <= VARINT_MAX; at += 1, unit *= 128) {
    const byte = body[at] ?? 0;
    number += (byte & 127) * unit;
    if (byte < 128) return { number, next: at + 1 };
  }
  return undefined;
}
