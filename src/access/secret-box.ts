import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from 'node:crypto';
import { PillarboxError } from '../core/errors.js';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** 16 MB for a moment, once a process: a secret that a person made up must be dear to guess as well. */
const COST = { N: 2 ** 14, r: 8, p: 1, maxmem: 32 * 1024 * 1024 };
/** `v1.<key id>.<nonce and ciphertext and tag>` */
const SHAPE = /^v1\.([\w-]{8})\.([\w-]{38,})$/;

interface Key {
  /** Follows from the key and says nothing of it. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** By salt and secret. */
const KEYS = new Map<string, Key>();

/**
 * Keeps credentials at rest. Every text is sealed for its place (which row and column), so that one that is copied
 * elsewhere does not open there. The first secret seals; those behind it, the former ones, only open.
 */
export class SecretBox {
  /** `salt`: of this installation, so that two with the same secret have different keys. */
  constructor(
    private readonly secrets: readonly string[],
    private readonly salt: string,
  ) {}

  get canSeal(): boolean {
    return this.secrets.length > 0;
  }

  /** Throws `invalid_config` if there is no secret. */
  seal(text: string, place: string): string {
    const [current] = this.secrets;
    if (current === undefined) throw new PillarboxError('invalid_config', NO_SECRET);
    const { id, bytes } = this.#keyOf(current);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(place));
    const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return `v1.${id}.${sealed.toString('base64url')}`;
  }

  /** Throws `invalid_config` if no secret here has sealed it, or if it was changed or moved since. */
  open(sealed: string, place: string): string {
    const key = this.#keyFor(sealed);
    const bytes = Buffer.from(SHAPE.exec(sealed)?.[2] ?? '', 'base64url');
    const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    } catch {
      throw new PillarboxError('invalid_config', DAMAGED);
    }
  }

  /** Throws `invalid_config` unless one of the secrets has sealed it. */
  checkKey(sealed: string): void {
    this.#keyFor(sealed);
  }

  /** Was it sealed with the first secret? Then there is nothing to rotate. */
  isCurrent(sealed: string): boolean {
    const [current] = this.secrets;
    return current !== undefined && this.#keyOf(current).id === SHAPE.exec(sealed)?.[1];
  }

  #keyFor(sealed: string): Key {
    const id = SHAPE.exec(sealed)?.[1];
    for (const secret of id === undefined ? [] : this.secrets) {
      const key = this.#keyOf(secret);
      if (key.id === id) return key;
    }
    throw new PillarboxError('invalid_config', this.secrets.length > 0 ? OTHER_SECRET : NO_SECRET);
  }

  /** Derived when it is first needed: most commands never need it. */
  #keyOf(secret: string): Key {
    const name = JSON.stringify([this.salt, secret]);
    const known = KEYS.get(name);
    if (known) return known;
    const bytes = scryptSync(secret.normalize('NFKC'), `pillarbox credentials ${this.salt}`, KEY_BYTES, COST);
    const id = createHash('sha256').update('key id').update(bytes).digest('base64url').slice(0, 8);
    const key = { id, bytes };
    KEYS.set(name, key);
    return key;
  }
}

const NO_SECRET = 'PILLARBOX_SECRET: is needed to keep credentials; should be a long random text';
const OTHER_SECRET =
  'PILLARBOX_SECRET: is not the one that stored credentials were encrypted with; ' +
  'give that one as PILLARBOX_SECRET_FORMER and run: pillarbox secrets rotate. ' +
  'If it is lost, start with: pillarbox serve --no-worker, and enter the credentials of the accounts again';
const DAMAGED = 'stored credentials were changed, or belong to another account; enter them again';
