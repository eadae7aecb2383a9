import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

/** Where a look left off. */
export interface Mark {
  /** The newest message. */
  readonly newest: number;
  /** When it was looked. */
  readonly at: number;
}

export interface RecentChanges {
  readonly mark: Mark;
  /** Tries that ended, by message and claim: the same one may be seen by two looks. */
  readonly tries: readonly { readonly id: number; readonly lease: number }[];
  readonly added: readonly number[];
}

/** Of each kind: a hint of what moved, not a log of it. */
export const CHANGES_TOLD = 100;

/** New messages and ended tries of one workspace since `mark`; two stretches of two indexes. */
export function* recentChanges(
  { db }: Store,
  workspaceId: number,
  mark: Mark,
  now: number,
): Script<RecentChanges> {
  const added = yield* ask(
    db
      .selectFrom('messages')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', '>', mark.newest)
      .orderBy('id', 'desc')
      .limit(CHANGES_TOLD),
  );
  const tries = yield* ask(
    db
      .selectFrom('channels as c')
      .innerJoin('attempts as a', 'a.channel_id', 'c.id')
      .select(['a.message_id as id', 'a.lease_id as lease'])
      .where('c.workspace_id', '=', workspaceId)
      .where('a.finished_at', '>=', mark.at)
      .limit(CHANGES_TOLD),
  );
  const newest = added[0]?.id ?? mark.newest;
  return { mark: { newest, at: now }, tries, added: added.map(({ id }) => id) };
}

export function* markNow({ db }: Store, workspaceId: number, now: number): Script<Mark> {
  const row = yield* askOne(
    db
      .selectFrom('messages')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .orderBy('id', 'desc')
      .limit(1),
  );
  return { newest: row?.id ?? 0, at: now };
}
