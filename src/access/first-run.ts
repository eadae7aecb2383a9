import { SCOPES } from '../core/access.js';
import { PillarboxError } from '../core/errors.js';
import { addFirstAdmin, addFirstKey, standingOfAccess } from '../store/scripts/first-run.js';
import { installApiKey, type NewApiKey } from '../store/scripts/api-keys.js';
import type { Store } from '../store/store.js';
import { Passwords } from './password.js';
import { personOf } from './person.js';
import { hashToken, hintOf, makeApiKey, makeToken } from './token.js';

/** What an operator has set, if anything. */
export interface GivenAccess {
  readonly apiKey: string | undefined;
  readonly adminEmail: string | undefined;
  readonly adminPassword: string | undefined;
}

/** What was made up here and has to be told once, because nobody will ever be able to read it again. */
export interface MadeAccess {
  readonly adminEmail: string;
  readonly adminPassword: string | undefined;
  readonly apiKey: string | undefined;
}

const USUAL_ADMIN = 'admin@localhost';
const PASSWORD_LENGTH = 20;

/** Makes sure that there is someone who can log in, and a key. Several processes may do so at once. */
export async function prepareAccess(
  store: Store,
  workspaceId: number,
  given: GivenAccess,
): Promise<MadeAccess> {
  const adminEmail = personOf(given.adminEmail ?? USUAL_ADMIN);
  const { hasAdmin, hasKey } = await store.read(standingOfAccess(store, workspaceId));
  return {
    adminEmail,
    adminPassword: hasAdmin
      ? undefined
      : await makeAdmin(store, workspaceId, adminEmail, given.adminPassword),
    apiKey: await prepareKey(store, workspaceId, given.apiKey, hasKey),
  };
}

/** Throws unless whoever reaches this service over a network would have to show something that is not a default. */
export async function refuseWithoutAccess(
  store: Store,
  workspaceId: number,
  given: GivenAccess,
  host: string,
): Promise<void> {
  const { hasAdmin, hasKey } = await store.read(standingOfAccess(store, workspaceId));
  const missing = [
    ...(hasAdmin || given.adminPassword !== undefined ? [] : ['PILLARBOX_ADMIN_PASSWORD']),
    ...(hasKey || given.apiKey !== undefined ? [] : ['PILLARBOX_API_KEY']),
  ];
  if (missing.length === 0) return;
  throw new PillarboxError(
    'invalid_config',
    `HOST: ${host} can be reached from other machines; set ${missing.join(' and ')} first, or start once on 127.0.0.1`,
  );
}

async function makeAdmin(
  store: Store,
  workspaceId: number,
  email: string,
  given: string | undefined,
): Promise<string | undefined> {
  const password = given ?? makeToken().slice(0, PASSWORD_LENGTH);
  const hash = await new Passwords().hash(password);
  const now = await store.now();
  const made = await store.transaction(() => addFirstAdmin(store, workspaceId, email, hash, now));
  return made && given === undefined ? password : undefined;
}

async function prepareKey(
  store: Store,
  workspaceId: number,
  given: string | undefined,
  hasKey: boolean,
): Promise<string | undefined> {
  const now = await store.now();
  if (given !== undefined) {
    await store.transaction(() => installApiKey(store, fullKey(workspaceId, 'environment', given), now));
    return undefined;
  }
  if (hasKey) return undefined;
  const key = makeApiKey();
  const made = await store.transaction(() => addFirstKey(store, fullKey(workspaceId, 'first', key), now));
  return made ? key : undefined;
}

const fullKey = (workspaceId: number, name: string, key: string): NewApiKey => ({
  workspaceId,
  name,
  scopes: SCOPES,
  hash: hashToken(key),
  hint: hintOf(key),
});
