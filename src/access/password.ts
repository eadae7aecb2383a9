import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { SHORTEST_PASSWORD } from '../core/access.js';
import { invalidInput } from '../core/errors.js';
import { Line } from './line.js';

/** 64 MB for some tenths of a second: enough to make guessing dear, little enough for a small server. */
const COST = { N: 2 ** 16, r: 8, p: 1 };
const MOST_MEMORY = 128 * 1024 * 1024;
const KEY_BYTES = 32;
/**
 * Of the whole process, as its threads are: Node has four of them, on which it also resolves names and reads files. Two
 * passwords at once leave the other two to the mail, however many log in or pretend to.
 */
const line = new Line({ atOnce: 2, waiting: 64 });

/** Throws `invalid_input` for one that is too short to be new. */
export function checkPassword(password: string): string {
  if (Array.from(password).length >= SHORTEST_PASSWORD) return password;
  throw invalidInput('password', `should have at least ${SHORTEST_PASSWORD} characters`);
}

type Cost = typeof COST;

/** Turns passwords into what is stored of them, at a cost. */
export class Passwords {
  constructor(private readonly cost: Cost = COST) {}

  /** `scrypt$N$r$p$salt$hash`: what it cost stands with it, so that the cost may grow. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    return stored(this.cost, salt, await derive(password, salt, this.cost));
  }

  /** Takes as long for someone who does not exist (`known` undefined) as for a wrong password. */
  async verify(password: string, known: string | null | undefined): Promise<boolean> {
    const [, N, r, p, salt = '', hash = ''] = (known ?? this.#nobody()).split('$');
    const cost = { N: Number(N), r: Number(r), p: Number(p) };
    const expected = Buffer.from(hash, 'base64url');
    const found = await derive(password, Buffer.from(salt, 'base64url'), cost);
    return timingSafeEqual(found, expected) && known !== null && known !== undefined;
  }

  #nobody(): string {
    return stored(this.cost, Buffer.alloc(16), Buffer.alloc(KEY_BYTES));
  }
}

const stored = ({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string =>
  ['scrypt', N, r, p, salt.toString('base64url'), hash.toString('base64url')].join('$');

/** Throws `busy` if too many wait for theirs. */
function derive(password: string, salt: Buffer, cost: Cost): Promise<Buffer> {
  return line.run(
    () =>
      new Promise((resolve, reject) => {
        scrypt(
          password.normalize('NFKC'),
          salt,
          KEY_BYTES,
          { ...cost, maxmem: MOST_MEMORY },
          (error, key) => {
            if (error) reject(error);
            else resolve(key);
          },
        );
      }),
  );
}
