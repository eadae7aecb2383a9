import type { Role } from '../../core/access.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

export interface User {
  readonly id: number;
  readonly email: string;
  readonly createdAt: number;
}

/** A person in one workspace. */
export interface Member extends User {
  readonly role: Role;
}

export interface Membership {
  readonly workspaceId: number;
  readonly workspaceName: string;
  readonly role: Role;
}

/** With the hash of the password. */
type KnownUser = User & { readonly password: string | null };

const usersBy = ({ db }: Store, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'created_at as createdAt', 'password'])
    .where('email', '=', email);

export function* findUserByEmail(store: Store, email: string): Script<KnownUser | undefined> {
  return yield* askOne(usersBy(store, email));
}

/**
 * Who joins, leaves, logs in or changes a password at the same moment waits here: nobody is forgotten who has just
 * been added, and no session outlives its password. On SQLite the transaction is the lock.
 */
export function* lockUser(store: Store, email: string): Script<KnownUser | undefined> {
  const user = usersBy(store, email);
  return yield* askOne(store.dialect === 'postgres' ? user.forUpdate() : user);
}

export function* membershipsOf({ db }: Store, userId: number): Script<readonly Membership[]> {
  return yield* ask(
    db
      .selectFrom('memberships as m')
      .innerJoin('workspaces as w', 'w.id', 'm.workspace_id')
      .select(['m.workspace_id as workspaceId', 'w.name as workspaceName', 'm.role'])
      .where('m.user_id', '=', userId)
      .orderBy('m.workspace_id'),
  );
}

const members = ({ db }: Store, workspaceId: number) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.email', 'u.created_at as createdAt', 'm.role'])
    .where('m.workspace_id', '=', workspaceId);

export function* listMembers(
  store: Store,
  workspaceId: number,
  before: number,
  limit: number,
): Script<readonly Member[]> {
  return yield* ask(
    members(store, workspaceId).where('u.id', '<', before).orderBy('u.id', 'desc').limit(limit),
  );
}

export function* findMember(store: Store, workspaceId: number, userId: number): Script<Member | undefined> {
  return yield* askOne(members(store, workspaceId).where('u.id', '=', userId));
}

/** Makes the person known, if needed, and a member. Undefined: is a member already. */
export function* addMember(
  store: Store,
  workspaceId: number,
  person: { readonly email: string; readonly password: string | null; readonly role: Role },
  now: number,
): Script<Member | undefined> {
  const { db } = store;
  yield* ask(
    db
      .insertInto('users')
      .values({ email: person.email, password: person.password, created_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing()),
  );
  const user = yield* lockUser(store, person.email);
  // Removed by someone else between the two statements.
  if (!user) return undefined;
  const added = yield* askOne(
    db
      .insertInto('memberships')
      .values({ workspace_id: workspaceId, user_id: user.id, role: person.role })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doNothing())
      .returning('user_id'),
  );
  return added && { id: user.id, email: user.email, createdAt: user.createdAt, role: person.role };
}

export function* changeRole({ db }: Store, workspaceId: number, userId: number, role: Role): Script<boolean> {
  const row = yield* askOne(
    db
      .updateTable('memberships')
      .set({ role })
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .returning('user_id'),
  );
  return row !== undefined;
}

/** Ends all sessions of that person, but the one that is to be kept: whoever had the old password is out. */
export function* changePassword(
  { db }: Store,
  userId: number,
  password: string,
  keptSession = '',
): Script<void> {
  yield* ask(db.updateTable('users').set({ password }).where('id', '=', userId));
  yield* ask(db.deleteFrom('sessions').where('user_id', '=', userId).where('hash', '!=', keptSession));
}

/** Someone without any workspace is forgotten altogether. */
export function* removeMember(store: Store, workspaceId: number, userId: number): Script<boolean> {
  const { db } = store;
  const member = yield* findMember(store, workspaceId, userId);
  if (!member) return false;
  yield* lockUser(store, member.email);
  const row = yield* askOne(
    db
      .deleteFrom('memberships')
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .returning('user_id'),
  );
  if (!row) return false;
  const other = yield* askOne(
    db.selectFrom('memberships').select('user_id').where('user_id', '=', userId).limit(1),
  );
  if (!other) {
    yield* ask(db.deleteFrom('sessions').where('user_id', '=', userId));
    yield* ask(db.deleteFrom('users').where('id', '=', userId));
  }
  return true;
}

/** How many people can administer a workspace: the last one must stay. */
export function* countAdmins({ db }: Store, workspaceId: number): Script<number> {
  const rows = yield* ask(
    db
      .selectFrom('memberships')
      .select('user_id')
      .where('workspace_id', '=', workspaceId)
      .where('role', '=', 'admin'),
  );
  return rows.length;
}
