import { rotateSecrets, type Rotation } from '../access/sealed.js';
import type { SecretBox } from '../access/secret-box.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { rotatePersonKey } from './person-hash.js';

/** Everything that is sealed: the credentials of accounts, which are counted, and the key of hashes. All, or nothing. */
export function* rotateEverything(store: Store, secrets: SecretBox): Script<Rotation> {
  yield* rotatePersonKey(store, secrets);
  return yield* rotateSecrets(store, secrets);
}
