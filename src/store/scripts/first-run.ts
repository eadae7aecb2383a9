import { askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { addApiKey, type NewApiKey } from './api-keys.js';
import { addMember, lockUser, setPassword } from './users.js';

export interface AccessStanding {
  readonly hasAdmin: boolean;
  /** Also one that was revoked: whoever revoked it does not want another to be made behind his back. */
  readonly hasKey: boolean;
}

export function* standingOfAccess({ db }: Store, workspaceId: number): Script<AccessStanding> {
  const admin = yield* askOne(
    db
      .selectFrom('memberships')
      .select('user_id')
      .where('workspace_id', '=', workspaceId)
      .where('role', '=', 'admin')
      .limit(1),
  );
  const key = yield* askOne(
    db.selectFrom('api_keys').select('id').where('workspace_id', '=', workspaceId).limit(1),
  );
  return { hasAdmin: admin !== undefined, hasKey: key !== undefined };
}

/**
 * False: another process was first, or this person has a password already for which the installation vouches. One
 * that an administrator of some workspace could know does not open the first one.
 */
export function* addFirstAdmin(
  store: Store,
  workspaceId: number,
  email: string,
  password: string,
  now: number,
): Script<boolean> {
  yield* lockWorkspace(store, workspaceId);
  if ((yield* standingOfAccess(store, workspaceId)).hasAdmin) return false;
  yield* addMember(store, workspaceId, { email, password: null, role: 'admin' }, now);
  const user = yield* lockUser(store, email);
  if (!user || (user.password !== null && user.password === user.vouchedPassword)) return false;
  yield* setPassword(store, user.id, password, { own: true, vouched: true });
  return true;
}

/** False: another process was first. */
export function* addFirstKey(store: Store, key: NewApiKey, now: number): Script<boolean> {
  yield* lockWorkspace(store, key.workspaceId);
  if ((yield* standingOfAccess(store, key.workspaceId)).hasKey) return false;
  yield* addApiKey(store, key, now);
  return true;
}

/** SQLite lets one write at a time anyway. */
function* lockWorkspace({ db, dialect }: Store, id: number): Script<void> {
  const workspace = db.selectFrom('workspaces').select('id').where('id', '=', id);
  yield* askOne(dialect === 'postgres' ? workspace.forUpdate() : workspace);
}
