import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { SHORTEST_PASSWORD } from '../core/access.js';
import { invalidInput } from '../errors.js';

/** 64 MB for some tenths of a second: enough to make guessing dear, little enough for a small server. */
const COST = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };
const KEY_BYTES = 32;

/** Throws `invalid_input` for one that is too short to be new. */
export function checkPassword(password: string): string {
  if (Array.from(password).length >= SHORTEST_PASSWORD) return password;
  throw invalidInput('password', `should have at least ${SHORTEST_PASSWORD} characters`);
}

/** `scrypt$N$r$p$salt$hash`: what it cost stands with it, so that the cost may grow. */
export async function hashPassword(password: string, cost = COST): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Takes as long for someone who does not exist (`stored` undefined) as for a wrong password. */
export async function verifyPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, N, r, p, salt = '', hash = ''] = (stored ?? NOBODY).split('$');
  const cost = { ...COST, N: Number(N), r: Number(r), p: Number(p) };
  const expected = Buffer.from(hash, 'base64url');
  const found = await derive(password, Buffer.from(salt, 'base64url'), cost);
  return timingSafeEqual(found, expected) && stored !== null && stored !== undefined;
}

const NOBODY = [
  'scrypt',
  COST.N,
  COST.r,
  COST.p,
  'AAAAAAAAAAAAAAAAAAAAAA',
  Buffer.alloc(KEY_BYTES).toString('base64url'),
].join('$');

function derive(password: string, salt: Buffer, cost: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, cost, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}
