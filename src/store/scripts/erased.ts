import { sql } from '../../vendor/kysely.js';
import { among } from '../among.js';
import type { Lane } from '../../core/message.js';
import type { SuppressionReason } from '../../core/suppression.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { suppress } from './suppressions.js';

/** Who was erased and must not be written to: known by a keyed hash, which only a program can make. */
export interface ErasedPerson {
  readonly hash: string;
  readonly reason: SuppressionReason;
  readonly lanes: readonly Lane[] | null;
}

/** Whether a workspace has any. */
export function* hasErased({ db }: Store, workspaceId: number): Script<boolean> {
  const row = yield* askOne(
    db.selectFrom('erased').select('hash').where('workspace_id', '=', workspaceId).limit(1),
  );
  return row !== undefined;
}

export function* findErased(
  store: Store,
  workspaceId: number,
  hashes: readonly string[],
): Script<readonly ErasedPerson[]> {
  const rows = yield* ask(
    store.db
      .selectFrom('erased')
      .select(['hash', 'reason', 'lanes'])
      .where('workspace_id', '=', workspaceId)
      .where(among(store, sql.ref('hash'), hashes)),
  );
  return rows.map(({ hash, reason, lanes }) => ({
    hash,
    reason: reason as SuppressionReason,
    lanes: lanes === null ? null : (lanes.split(' ') as Lane[]),
  }));
}

/** The reason for which nobody may write to an address, kept without the address. Answers whether there was one. */
export function* keepAsHash(
  { db }: Store,
  workspaceId: number,
  address: string,
  hash: string,
  now: number,
): Script<boolean> {
  const suppression = yield* askOne(
    db
      .selectFrom('suppressions')
      .select(['reason', 'lanes'])
      .where('workspace_id', '=', workspaceId)
      .where('address', '=', address)
      .orderBy('created_at')
      .limit(1),
  );
  if (!suppression) return false;
  yield* ask(
    db
      .insertInto('erased')
      .values({ workspace_id: workspaceId, hash, ...suppression, created_at: now })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'hash']).doNothing()),
  );
  return true;
}

/** In plain text again, so that claim and gate see it: somebody is about to write to them. */
export function* suppressAgain(
  store: Store,
  workspaceId: number,
  people: readonly (Omit<ErasedPerson, 'hash'> & { readonly address: string })[],
  now: number,
): Script<void> {
  for (const { address, reason, lanes } of people) {
    yield* suppress(store, workspaceId, address, reason, now, { lanes });
  }
}

/** Somebody lets them be written to again. */
export function* forgetErased({ db }: Store, workspaceId: number, hash: string): Script<boolean> {
  const removed = yield* ask(
    db
      .deleteFrom('erased')
      .where('workspace_id', '=', workspaceId)
      .where('hash', '=', hash)
      .returning('hash'),
  );
  return removed.length > 0;
}
