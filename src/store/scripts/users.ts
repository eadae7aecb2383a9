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

/** With the way in that he has. */
export interface ListedMember extends Member {
  readonly hasPassword: boolean;
  /** Until when his invitation is good, or was. Null: he has none. */
  readonly invitedUntil: number | null;
}

export interface Membership {
  readonly workspaceId: number;
  readonly workspaceName: string;
  readonly role: Role;
}

/** With the hash of the password, and with what is known of it: see the table. */
export interface KnownUser extends User {
  readonly password: string | null;
  readonly ownPassword: string | null;
  readonly vouchedPassword: string | null;
}

const usersBy = ({ db }: Store, email: string) =>
  db
    .selectFrom('users')
    .select(['id', 'email', 'created_at as createdAt', 'password'])
    .select(['own_password as ownPassword', 'vouched_password as vouchedPassword'])
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
    .leftJoin('invitations as i', 'i.user_id', 'm.user_id')
    .select(['u.id', 'u.email', 'u.created_at as createdAt', 'm.role'])
    .select(['u.password', 'i.expires_at as invitedUntil'])
    .where('m.workspace_id', '=', workspaceId);

const toListed = <Row extends { password: string | null }>({ password, ...row }: Row) => ({
  ...row,
  hasPassword: password !== null,
});

export function* listMembers(
  store: Store,
  workspaceId: number,
  before: number,
  limit: number,
): Script<readonly ListedMember[]> {
  const rows = yield* ask(
    members(store, workspaceId).where('u.id', '<', before).orderBy('u.id', 'desc').limit(limit),
  );
  return rows.map(toListed);
}

export function* findMember(
  store: Store,
  workspaceId: number,
  userId: number,
): Script<ListedMember | undefined> {
  const row = yield* askOne(members(store, workspaceId).where('u.id', '=', userId));
  return row && toListed(row);
}

/**
 * Makes the person known, if needed, and waits for whoever changes him. Undefined: removed by someone else between
 * the two statements.
 */
export function* ensureUser(
  store: Store,
  email: string,
  now: number,
): Script<{ readonly user: KnownUser; readonly made: boolean } | undefined> {
  const made = yield* askOne(
    store.db
      .insertInto('users')
      .values({ email, created_at: now })
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returning('id'),
  );
  const user = yield* lockUser(store, email);
  return user && { user, made: made !== undefined };
}

/** Undefined: is a member already. */
export function* joinWorkspace(
  { db }: Store,
  workspaceId: number,
  { id, email, createdAt }: User,
  role: Role,
): Script<Member | undefined> {
  const added = yield* askOne(
    db
      .insertInto('memberships')
      .values({ workspace_id: workspaceId, user_id: id, role })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id']).doNothing())
      .returning('user_id'),
  );
  return added && { id, email, createdAt, role };
}

/** Both at once. The password is only that of somebody who was not known. */
export function* addMember(
  store: Store,
  workspaceId: number,
  person: { readonly email: string; readonly password: string | null; readonly role: Role },
  now: number,
): Script<Member | undefined> {
  const known = yield* ensureUser(store, person.email, now);
  if (!known) return undefined;
  if (known.made) yield* setPassword(store, known.user.id, person.password, { own: false, vouched: false });
  return yield* joinWorkspace(store, workspaceId, known.user, person.role);
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

/** By himself. Whoever vouched for him still does, and no further. All his sessions end but the one that is kept. */
export function* changePassword(
  store: Store,
  userId: number,
  password: string,
  keptSession = '',
): Script<void> {
  yield* ask(
    store.db
      .updateTable('users')
      .set((eb) => ({
        password,
        own_password: password,
        vouched_password: eb
          .case()
          .when('vouched_password', '=', eb.ref('password'))
          .then(password)
          .else(null)
          .end(),
      }))
      .where('id', '=', userId),
  );
  yield* endOldWays(store, userId, keptSession);
}

/** By others, or by whoever came with an invitation. Null: he has none any more. All his sessions end. */
export function* setPassword(
  store: Store,
  userId: number,
  password: string | null,
  { own, vouched }: { readonly own: boolean; readonly vouched: boolean },
): Script<void> {
  const known = { own_password: own ? password : null, vouched_password: vouched ? password : null };
  yield* ask(
    store.db
      .updateTable('users')
      .set({ password, ...known })
      .where('id', '=', userId),
  );
  yield* endOldWays(store, userId);
}

/** Whoever came in with the old password is out, and no invitation leads past the new one. */
function* endOldWays({ db }: Store, userId: number, keptSession = ''): Script<void> {
  yield* ask(db.deleteFrom('sessions').where('user_id', '=', userId).where('hash', '!=', keptSession));
  yield* ask(db.deleteFrom('invitations').where('user_id', '=', userId));
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
    yield* endOldWays(store, userId);
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
