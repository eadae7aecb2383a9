import type { Scope } from '../core/access.js';
import { formatId } from '../core/ids.js';
import { PillarboxError } from '../core/errors.js';
import { ensureWorkspace } from '../store/scripts/accounts.js';
import { findApiKeyById, listApiKeys, revokeApiKey, type ApiKey } from '../store/scripts/api-keys.js';
import { writeAudit } from '../store/scripts/audit.js';
import { findWorkspace, findWorkspaceByName } from '../store/scripts/workspaces.js';
import type { Script } from '../store/script.js';
import type { Store } from '../store/store.js';
import { issueKey } from './keys.js';

/** A key with the name of its workspace, as a list of several shows it. */
export type ListedKey = ApiKey & { readonly workspaceName: string };

interface Wanted {
  readonly workspace: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** When it ends, if it is made now. */
  readonly expires?: ((now: number) => number) | undefined;
}

const ACTOR = 'command line';

/** All keys of the installation, for whoever runs it. What he does stands in the audit log like anybody's actions. */
export class Keyring {
  constructor(private readonly store: Store) {}

  /** The workspace is made if there is none of that name. */
  async issue(wanted: Wanted): Promise<ApiKey & { readonly key: string }> {
    const now = await this.store.now();
    return this.store.transaction(() => this.#issue(wanted, now));
  }

  /** Undefined: there is no such key, or it was revoked before. */
  async revoke(id: number): Promise<ApiKey | undefined> {
    const now = await this.store.now();
    return this.store.transaction(() => this.#revoke(id, now));
  }

  /** Newest first. Throws `not_found` for a workspace that does not exist. */
  list(workspace: string | undefined, before: number, limit: number): Promise<readonly ListedKey[]> {
    return this.store.read(this.#list(workspace, before, limit));
  }

  *#issue(
    { workspace, name, scopes, expires }: Wanted,
    now: number,
  ): Script<ApiKey & { readonly key: string }> {
    const workspaceId = yield* ensureWorkspace(this.store, workspace, now);
    const expiresAt = expires?.(now);
    const issued = yield* issueKey(this.store, { workspaceId, name, scopes, expiresAt }, now);
    yield* this.#note(issued, 'key.create', now);
    return issued;
  }

  *#revoke(id: number, now: number): Script<ApiKey | undefined> {
    const key = yield* findApiKeyById(this.store, id);
    if (!key || !(yield* revokeApiKey(this.store, key.workspaceId, id, now))) return undefined;
    yield* this.#note(key, 'key.delete', now);
    return key;
  }

  *#note({ id, workspaceId, name, scopes, expiresAt }: ApiKey, action: string, now: number): Script<void> {
    const target = formatId('key', id);
    const until = expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() };
    const details = { body: { name, scopes, ...until } };
    yield* writeAudit(this.store, { workspaceId, actor: ACTOR, action, target, details }, now);
  }

  *#list(name: string | undefined, before: number, limit: number): Script<readonly ListedKey[]> {
    const only =
      name === undefined ? undefined : ((yield* findWorkspaceByName(this.store, name)) ?? none(name));
    const names = new Map(only && [[only.id, only.name]]);
    const listed: ListedKey[] = [];
    for (const key of yield* listApiKeys(this.store, only?.id, before, limit)) {
      const { workspaceId } = key;
      const known = names.get(workspaceId) ?? (yield* findWorkspace(this.store, workspaceId))?.name ?? '';
      names.set(workspaceId, known);
      listed.push({ ...key, workspaceName: known });
    }
    return listed;
  }
}

function none(name: string): never {
  throw new PillarboxError('not_found', `there is no workspace ${name.slice(0, 100)}`);
}
