import { coolDown } from '../../core/cooldown.js';
import type { Mailbox } from '../../core/mail.js';
import type { Action, Lane } from '../../core/message.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

export interface Account {
  readonly id: number;
  readonly workspaceId: number;
  readonly name: string;
  readonly emailAddress: string;
  readonly displayName: string | null;
  readonly type: 'email' | 'linkedin';
  /** How it sends, as JSON. */
  readonly transport: string;
  /** Limits, window and spacing of its own, as JSON. */
  readonly sending: string;
  /** How it signs its mail, as JSON, the key sealed. */
  readonly dkim: string | null;
  readonly pausedAt: number | null;
  readonly pauseReason: string | null;
  readonly cooldownUntil: number;
  readonly cooldownReason: string | null;
  readonly cooldowns: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface NewAccount {
  readonly name: string;
  readonly emailAddress: string;
  readonly displayName: string | null;
  readonly transport: string;
}

/** Names are unique: the second caller gets the first one's workspace. */
export function* ensureWorkspace({ db }: Store, name: string, now: number): Script<number> {
  yield* ask(
    db
      .insertInto('workspaces')
      .values({ name, created_at: now })
      .onConflict((conflict) => conflict.column('name').doNothing()),
  );
  const row = yield* askOne(db.selectFrom('workspaces').select('id').where('name', '=', name));
  if (!row) throw new Error(`workspace ${name} was neither made nor found`);
  return row.id;
}

/** Makes the account unless there is one of that name. Its pauses, cool-downs and settings stay. */
export function* ensureAccount(
  store: Store,
  workspaceId: number,
  account: NewAccount,
  now: number,
): Script<Account> {
  yield* ask(
    store.db
      .insertInto('accounts')
      .values({
        workspace_id: workspaceId,
        name: account.name,
        email_address: account.emailAddress,
        display_name: account.displayName,
        transport: account.transport,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'name']).doNothing()),
  );
  const present = yield* askOne(
    accounts(store).where('workspace_id', '=', workspaceId).where('name', '=', account.name),
  );
  if (!present) throw new Error(`account ${account.name} was neither made nor found`);
  return present;
}

/** Changes who an account writes as. Touches nothing if it is so already: workers reconnect when it changes. */
export function* renameSender(store: Store, account: Account, from: Mailbox, now: number): Script<Account> {
  const displayName = from.name ?? null;
  if (account.emailAddress === from.email && account.displayName === displayName) return account;
  yield* ask(
    store.db
      .updateTable('accounts')
      .set({ email_address: from.email, display_name: displayName, updated_at: now })
      .where('id', '=', account.id),
  );
  return { ...account, emailAddress: from.email, displayName, updatedAt: now };
}

/** A new channel inherits what its account is under: paused or cooling. The lock orders it against both. */
export function* ensureChannel(store: Store, accountId: number, action: Action, lane: Lane): Script<number> {
  const { db } = store;
  yield* lockAccount(store, accountId);
  yield* ask(
    db
      .insertInto('channels')
      .columns([
        'workspace_id',
        'account_id',
        'action',
        'lane',
        'blocked_until',
        'blocked_reason',
        'paused_at',
      ])
      .expression((eb) =>
        eb
          .selectFrom('accounts')
          .select((select) => [
            'workspace_id',
            'id',
            select.val(action).as('action'),
            select.val(lane).as('lane'),
            'cooldown_until',
            'cooldown_reason',
            'paused_at',
          ])
          .where('id', '=', accountId),
      )
      .onConflict((conflict) => conflict.columns(['account_id', 'action', 'lane']).doNothing()),
  );
  const row = yield* askOne(
    db
      .selectFrom('channels')
      .select('id')
      .where('account_id', '=', accountId)
      .where('action', '=', action)
      .where('lane', '=', lane),
  );
  if (!row) throw new Error('a channel was neither made nor found');
  return row.id;
}

export const accounts = ({ db }: Store) =>
  db
    .selectFrom('accounts')
    .select([
      'id',
      'workspace_id as workspaceId',
      'name',
      'email_address as emailAddress',
      'display_name as displayName',
      'type',
      'transport',
      'sending',
      'dkim',
      'paused_at as pausedAt',
      'pause_reason as pauseReason',
      'cooldown_until as cooldownUntil',
      'cooldown_reason as cooldownReason',
      'cooldowns',
      'created_at as createdAt',
      'updated_at as updatedAt',
    ]);

/** All of a workspace, also those that were removed, by age. */
export function* everyAccount(store: Store, workspaceId: number): Script<readonly Account[]> {
  return yield* ask(accounts(store).where('workspace_id', '=', workspaceId).orderBy('id'));
}

/** Those that are there, by age. */
export function* presentAccounts(store: Store, workspaceId: number): Script<readonly Account[]> {
  return yield* ask(
    accounts(store).where('workspace_id', '=', workspaceId).where('removed_at', 'is', null).orderBy('id'),
  );
}

/** On SQLite the transaction itself is the lock. */
export function* lockAccount(store: Store, id: number): Script<Account | undefined> {
  const account = accounts(store).where('id', '=', id);
  return yield* askOne(store.dialect === 'postgres' ? account.forUpdate() : account);
}

export function* findAccount(store: Store, id: number): Script<Account | undefined> {
  return yield* askOne(accounts(store).where('id', '=', id).where('removed_at', 'is', null));
}

export function* accountOfChannel(store: Store, channelId: number): Script<Account | undefined> {
  return yield* askOne(
    accounts(store).where('id', '=', (eb) =>
      eb.selectFrom('channels').select('account_id').where('channels.id', '=', channelId),
    ),
  );
}

/** Stops an account until a person resumes it. Its messages wait, and none of them has burnt a try. */
export function* pauseAccount({ db }: Store, id: number, reason: string, now: number): Script<void> {
  yield* ask(
    db
      .updateTable('accounts')
      .set({ paused_at: now, pause_reason: reason, updated_at: now })
      .where('id', '=', id)
      .where('paused_at', 'is', null),
  );
  yield* ask(
    db
      .updateTable('channels')
      .set({ paused_at: now })
      .where('account_id', '=', id)
      .where('paused_at', 'is', null),
  );
}

/** A cool-down that is still running goes on: it stands apart from the pause. */
export function* resumeAccount({ db }: Store, id: number, now: number): Script<void> {
  yield* ask(
    db
      .updateTable('accounts')
      .set({ paused_at: null, pause_reason: null, updated_at: now })
      .where('id', '=', id),
  );
  yield* ask(db.updateTable('channels').set({ paused_at: null }).where('account_id', '=', id));
}

/** Lets an account rest after a rate-limited answer. One row a channel is blocked; the messages are not touched. */
export function* coolAccount(
  store: Store,
  id: number,
  reason: string,
  now: number,
  retryAfterSeconds: number | undefined,
): Script<number | undefined> {
  const { db } = store;
  const account = yield* lockAccount(store, id);
  if (!account) return undefined;
  const { cooldowns, cooldownUntil } = coolDown(account, now, retryAfterSeconds);
  yield* ask(
    db
      .updateTable('accounts')
      .set({ cooldown_until: cooldownUntil, cooldown_reason: reason, cooldowns })
      .where('id', '=', id),
  );
  yield* ask(
    db
      .updateTable('channels')
      .set({ blocked_until: cooldownUntil, blocked_reason: reason })
      .where('account_id', '=', id)
      .where('blocked_until', '<', cooldownUntil),
  );
  return cooldownUntil;
}

/** A success ends the row of cool-downs, so that the next one starts small again. */
export function* forgetCooldowns({ db }: Store, id: number): Script<void> {
  yield* ask(
    db.updateTable('accounts').set({ cooldowns: 0 }).where('id', '=', id).where('cooldowns', '>', 0),
  );
}

/** By channel. */
export function* accountsOfChannels(
  store: Store,
  channelIds: readonly number[],
): Script<ReadonlyMap<number, Account>> {
  const found = new Map<number, Account>();
  for (const id of channelIds) {
    const account = yield* accountOfChannel(store, id);
    if (account) found.set(id, account);
  }
  return found;
}
