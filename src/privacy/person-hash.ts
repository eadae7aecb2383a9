import { createHmac, randomBytes } from 'node:crypto';
import type { SecretBox } from '../access/secret-box.js';
import { canonicalAddress } from '../core/address.js';
import { PillarboxError } from '../core/errors.js';
import type { Script } from '../store/script.js';
import { agreeOnFact, readFact, writeFact } from '../store/scripts/facts.js';
import type { Store } from '../store/store.js';

const FACT = 'person_key';
const PLACE = `facts ${FACT}`;
const HASH_CHARACTERS = 22;

/** Makes one text of an address, the same for everyone of this installation, from which nobody can read it back. */
export type HashOf = (text: string) => string;

/**
 * The keyed hash by which somebody is known again whose address is not kept. Its key is made once and kept with the
 * data, sealed with PILLARBOX_SECRET where there is one: whoever steals the database alone can't try out addresses.
 */
export class PersonHash {
  #known: HashOf | undefined;

  constructor(
    private readonly store: Store,
    private readonly secrets: SecretBox,
  ) {}

  /** Throws `invalid_config` if the key was sealed with a secret that this process was not given. */
  async make(): Promise<HashOf> {
    this.#known ??= hashWith(await this.#key());
    return this.#known;
  }

  /** Undefined: this process can't make it. */
  async tryMake(): Promise<HashOf | undefined> {
    try {
      return await this.make();
    } catch (error) {
      if (error instanceof PillarboxError && error.code === 'invalid_config') return undefined;
      throw error;
    }
  }

  async #key(): Promise<string> {
    const { store, secrets } = this;
    const kept =
      (await store.read(readFact(store, FACT))) ??
      (await store.transaction(() => agreeOnFact(store, FACT, this.#newKey())));
    return isSealed(kept) ? secrets.open(kept, PLACE) : kept;
  }

  #newKey(): string {
    const key = randomBytes(32).toString('base64url');
    return this.secrets.canSeal ? this.secrets.seal(key, PLACE) : key;
  }
}

const isSealed = (value: string): boolean => value.startsWith('v1.');

const hashWith =
  (key: string): HashOf =>
  (text) =>
    createHmac('sha256', key).update(canonicalAddress(text)).digest('base64url').slice(0, HASH_CHARACTERS);

/** Seals the key with the secret that is set now. */
export function* rotatePersonKey(store: Store, secrets: SecretBox): Script<void> {
  const kept = yield* readFact(store, FACT);
  if (kept === undefined || (isSealed(kept) && secrets.isCurrent(kept))) return;
  const key = isSealed(kept) ? secrets.open(kept, PLACE) : kept;
  yield* writeFact(store, FACT, secrets.seal(key, PLACE));
}

/** How the audit log names somebody. */
export const personToken = (hash: string): string => `person:${hash}`;
