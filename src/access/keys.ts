import { nameFault, type Scope } from '../core/access.js';
import { invalidInput } from '../core/errors.js';
import { addApiKey, type ApiKey } from '../store/scripts/api-keys.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { hashToken, hintOf, makeApiKey } from './token.js';

export interface WantedKey {
  readonly workspaceId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Undefined: until it is revoked. */
  readonly expiresAt?: number | undefined;
}

/** The only moment at which anybody sees the key itself: what is stored can't be turned back into it. */
export function* issueKey(
  store: Store,
  { workspaceId, name, scopes, expiresAt }: WantedKey,
  now: number,
): Script<ApiKey & { readonly key: string }> {
  const fault = nameFault(name);
  if (fault !== undefined) throw invalidInput('name', fault);
  if (expiresAt !== undefined && expiresAt <= now) throw invalidInput('expiresAt', 'should be in the future');
  const key = makeApiKey();
  const wanted = { workspaceId, name, scopes, expiresAt, hash: hashToken(key), hint: hintOf(key) };
  return { ...(yield* addApiKey(store, wanted, now)), key };
}
