import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

export interface WorkspaceRow {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
}

const workspaces = ({ db }: Store) =>
  db.selectFrom('workspaces').select(['id', 'name', 'created_at as createdAt']);

/** Undefined: the name is taken. */
export function* addWorkspace({ db }: Store, name: string, now: number): Script<WorkspaceRow | undefined> {
  const row = yield* askOne(
    db
      .insertInto('workspaces')
      .values({ name, created_at: now })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('id'),
  );
  return row && { id: row.id, name, createdAt: now };
}

export function* findWorkspace(store: Store, id: number): Script<WorkspaceRow | undefined> {
  return yield* askOne(workspaces(store).where('id', '=', id));
}

export function* findWorkspaceByName(store: Store, name: string): Script<WorkspaceRow | undefined> {
  return yield* askOne(workspaces(store).where('name', '=', name));
}

/** The oldest first. `only` undefined: all there are. */
export function* listWorkspaces(
  store: Store,
  { only, after, limit }: { only?: readonly number[] | undefined; after: number; limit: number },
): Script<readonly WorkspaceRow[]> {
  if (only?.length === 0) return [];
  const page = workspaces(store).where('id', '>', after).orderBy('id').limit(limit);
  return yield* ask(only ? page.where((eb) => among(store, eb.ref('id'), only)) : page);
}

export function* listWorkspaceIds({ db }: Store): Script<readonly number[]> {
  return (yield* ask(db.selectFrom('workspaces').select('id').orderBy('id'))).map(({ id }) => id);
}

/** Whoever changes who administers a workspace waits here for the others. On SQLite the transaction is the lock. */
export function* lockWorkspace(store: Store, id: number): Script<void> {
  if (store.dialect === 'postgres') yield* ask(workspaces(store).where('id', '=', id).forUpdate());
}
