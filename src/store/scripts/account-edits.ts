import { PillarboxError } from '../../core/errors.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { accounts, lockAccount, pauseAccount, type Account } from './accounts.js';
import { Question } from './question.js';
import { lockWorkspace } from './workspaces.js';

/** What a person may write into an account's row. */
export interface AccountRow {
  readonly name: string;
  readonly type: 'email' | 'linkedin';
  readonly emailAddress: string;
  readonly displayName: string | null;
  /** JSON. */
  readonly transport: string;
  /** JSON. */
  readonly sending: string;
  /** JSON; null: its mail is not signed here. */
  readonly dkim: string | null;
}

/** Columns that hold credentials. */
export type Sealed = Pick<AccountRow, 'transport' | 'dkim'>;

export function* findOwnAccount(store: Store, workspaceId: number, id: number): Script<Account | undefined> {
  return yield* askOne(
    accounts(store)
      .where('id', '=', id)
      .where('workspace_id', '=', workspaceId)
      .where('removed_at', 'is', null),
  );
}

/** The oldest first. */
export function* listAccounts(
  store: Store,
  workspaceId: number,
  after: number,
  limit: number,
): Script<readonly Account[]> {
  return yield* ask(
    accounts(store)
      .where('workspace_id', '=', workspaceId)
      .where('id', '>', after)
      .where('removed_at', 'is', null)
      .orderBy('id')
      .limit(limit),
  );
}

/** Credentials are sealed for their row, so they are written when the row has its number. */
export function* addAccount(
  store: Store,
  workspaceId: number,
  row: Omit<AccountRow, keyof Sealed>,
  sealedFor: (id: number) => Sealed,
  now: number,
): Script<number> {
  const { name, type, emailAddress, displayName, sending } = row;
  yield* refuseTakenName(store, workspaceId, name);
  const made = yield* askOne(
    store.db
      .insertInto('accounts')
      .values({
        workspace_id: workspaceId,
        name,
        type,
        email_address: emailAddress,
        display_name: displayName,
        sending,
        transport: '{}',
        created_at: now,
        updated_at: now,
      })
      .returning('id'),
  );
  if (!made) throw new Error('an account was not stored');
  yield* replaceSealed(store, made.id, sealedFor(made.id));
  return made.id;
}

/** Of an account that is locked. Workers reconnect when they see the new time, so it always moves on. */
export function* editAccount(store: Store, account: Account, row: AccountRow, now: number): Script<void> {
  const { name, type, emailAddress, displayName, transport, sending, dkim } = row;
  if (name !== account.name) yield* refuseTakenName(store, account.workspaceId, name);
  yield* ask(
    store.db
      .updateTable('accounts')
      .set({
        name,
        type,
        email_address: emailAddress,
        display_name: displayName,
        transport,
        sending,
        dkim,
        updated_at: Math.max(now, account.updatedAt + 1),
      })
      .where('id', '=', account.id),
  );
}

export function* changePauseReason({ db }: Store, id: number, reason: string): Script<void> {
  yield* ask(
    db
      .updateTable('accounts')
      .set({ pause_reason: reason })
      .where('id', '=', id)
      .where('paused_at', 'is not', null),
  );
}

/** Its credentials go at once. It stays paused, so that whatever still slips in waits in plain sight. */
export function* removeAccount(
  store: Store,
  { id, updatedAt }: Account,
  left: { readonly name: string; readonly transport: string },
  now: number,
): Script<void> {
  yield* pauseAccount(store, id, 'the account was removed', now);
  yield* ask(
    store.db
      .updateTable('accounts')
      .set({ ...left, dkim: null, removed_at: now, updated_at: Math.max(now, updatedAt + 1) })
      .where('id', '=', id),
  );
}

/** On SQLite the transaction itself is the lock. */
export function* lockOwnAccount(store: Store, workspaceId: number, id: number): Script<Account | undefined> {
  yield* lockWorkspace(store, workspaceId);
  yield* lockAccount(store, id);
  return yield* findOwnAccount(store, workspaceId, id);
}

/** Waits, is on its way, is held or dead: is there a message of this account that somebody still has to deal with? */
export function* hasUnfinished(store: Store, { id, workspaceId }: Account): Script<boolean> {
  const { db } = store;
  const channels = (yield* ask(db.selectFrom('channels').select('id').where('account_id', '=', id))).map(
    (channel) => channel.id,
  );
  if (channels.length === 0) return false;
  const waiting = yield* askOne(
    db
      .selectFrom('due')
      .select('message_id')
      .where((eb) => among(store, eb.ref('channel_id'), channels))
      .limit(1),
  );
  if (waiting) return true;
  const open = yield* askOne(
    db
      .selectFrom('outcomes as o')
      .innerJoin('messages as m', 'm.id', 'o.message_id')
      .select('m.id')
      .where('o.workspace_id', '=', workspaceId)
      .where('o.state', 'in', ['dead', 'held'])
      .where((eb) => among(store, eb.ref('m.channel_id'), channels))
      .limit(1),
  );
  return open !== undefined || (yield* isSending(store, channels));
}

function* isSending(store: Store, channels: readonly number[]): Script<boolean> {
  const question = new Question(store);
  const ids = yield* question.ids(
    store.dialect === 'postgres'
      ? `select leased.id from ${store.at('leases')} l cross join lateral unnest(l.ids) as leased(id)
         join ${store.at('messages')} m on m.id = leased.id
         where ${question.among('m.channel_id', channels)} limit 1`
      : `select leased.value as id from leases l, json_each(l.ids) leased join messages m on m.id = leased.value
         where ${question.among('m.channel_id', channels)} limit 1`,
  );
  return ids.length > 0;
}

/** Of all workspaces: a secret is the installation's. */
export function* listSealed(
  { db, dialect }: Store,
  { lock }: { readonly lock: boolean } = { lock: false },
): Script<readonly ({ readonly id: number } & Sealed)[]> {
  const sealed = db
    .selectFrom('accounts')
    .select(['id', 'transport', 'dkim'])
    .where((eb) => eb.or([eb('transport', 'like', '%"sealed":%'), eb('dkim', 'is not', null)]))
    .orderBy('id');
  return yield* ask(lock && dialect === 'postgres' ? sealed.forUpdate() : sealed);
}

export function* replaceSealed({ db }: Store, id: number, sealed: Sealed): Script<void> {
  yield* ask(db.updateTable('accounts').set(sealed).where('id', '=', id));
}

/** Under the lock of the workspace, so that of two who choose the same name the second is told. */
function* refuseTakenName(store: Store, workspaceId: number, name: string): Script<void> {
  yield* lockWorkspace(store, workspaceId);
  const taken = yield* askOne(
    store.db
      .selectFrom('accounts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('name', '=', name),
  );
  if (taken)
    throw new PillarboxError('conflict', 'name: another account of this workspace has it', { field: 'name' });
}
