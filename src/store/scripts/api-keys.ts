import type { Scope } from '../../core/access.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

export interface ApiKey {
  readonly id: number;
  readonly workspaceId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hint: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  /** From then on it is refused. Null: never. */
  readonly expiresAt: number | null;
}

export interface NewApiKey {
  readonly workspaceId: number;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hash: string;
  readonly hint: string;
  readonly expiresAt?: number | null | undefined;
}

const keys = ({ db }: Store) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'workspace_id', 'name', 'scopes', 'hint', 'created_at', 'last_used_at', 'expires_at'])
    .where('revoked_at', 'is', null);

interface KeyRow {
  id: number;
  workspace_id: number;
  name: string;
  scopes: string;
  hint: string;
  created_at: number;
  last_used_at: number | null;
  expires_at: number | null;
}

const toApiKey = (row: KeyRow): ApiKey => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  scopes: row.scopes.split(' ') as Scope[],
  hint: row.hint,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  expiresAt: row.expires_at,
});

/** Undefined: there is no such key, or it was revoked. It may have run out. */
export function* findApiKey(store: Store, hash: string): Script<ApiKey | undefined> {
  const row = yield* askOne(keys(store).where('hash', '=', hash));
  return row && toApiKey(row);
}

/** `workspaceId` undefined: in any of them, for whoever runs the installation. */
export function* findApiKeyById(store: Store, id: number, workspaceId?: number): Script<ApiKey | undefined> {
  const row = yield* askOne(within(keys(store), workspaceId).where('id', '=', id));
  return row && toApiKey(row);
}

/** Newest first; of all workspaces if none is given. */
export function* listApiKeys(
  store: Store,
  workspaceId: number | undefined,
  before: number,
  limit: number,
): Script<readonly ApiKey[]> {
  const rows = yield* ask(
    within(keys(store), workspaceId).where('id', '<', before).orderBy('id', 'desc').limit(limit),
  );
  return rows.map(toApiKey);
}

const within = (query: ReturnType<typeof keys>, workspaceId: number | undefined) =>
  workspaceId === undefined ? query : query.where('workspace_id', '=', workspaceId);

export function* addApiKey({ db }: Store, key: NewApiKey, now: number): Script<ApiKey> {
  const { workspaceId, name, scopes, hash, hint, expiresAt = null } = key;
  const row = yield* askOne(
    db
      .insertInto('api_keys')
      .values({
        ...{ workspace_id: workspaceId, name, scopes: scopes.join(' '), hash, hint },
        ...{ created_at: now, expires_at: expiresAt },
      })
      .returning('id'),
  );
  if (!row) throw new Error('a key was not stored');
  return { id: row.id, workspaceId, name, scopes, hint, createdAt: now, lastUsedAt: null, expiresAt };
}

/** At once, everywhere: the next request with it finds nothing. */
export function* revokeApiKey({ db }: Store, workspaceId: number, id: number, now: number): Script<boolean> {
  const row = yield* askOne(
    db
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .where('revoked_at', 'is', null)
      .returning('id'),
  );
  return row !== undefined;
}

/** The key of the environment: whoever sets another one there means that the old one ends. */
export function* installApiKey(store: Store, key: NewApiKey, now: number): Script<void> {
  yield* ask(
    store.db
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('workspace_id', '=', key.workspaceId)
      .where('name', '=', key.name)
      .where('hash', '<>', key.hash)
      .where('revoked_at', 'is', null),
  );
  yield* ask(
    store.db
      .insertInto('api_keys')
      .values({
        workspace_id: key.workspaceId,
        name: key.name,
        scopes: key.scopes.join(' '),
        hash: key.hash,
        hint: key.hint,
        created_at: now,
      })
      .onConflict((conflict) => conflict.column('hash').doUpdateSet({ revoked_at: null })),
  );
}

export function* noteKeyUse({ db }: Store, id: number, now: number): Script<void> {
  yield* ask(db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', id));
}
