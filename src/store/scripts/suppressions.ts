import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

export type SuppressionReason = 'hard_bounce' | 'soft_bounces' | 'complaint' | 'unsubscribe' | 'manual';

/** So many soft bounces of one address within the window are as good as a hard one. */
const SOFT_BOUNCES = 3;
const SOFT_BOUNCE_WINDOW_MS = 7 * 24 * 3_600_000;

/** The first reason stays: it is the one that people ask about. */
export function* suppress(
  { db }: Store,
  workspaceId: number,
  address: string,
  reason: SuppressionReason,
  now: number,
): Script<void> {
  yield* ask(
    db
      .insertInto('suppressions')
      .values({ workspace_id: workspaceId, address, reason, created_at: now })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'address']).doNothing()),
  );
}

export function* unsuppress({ db }: Store, workspaceId: number, address: string): Script<boolean> {
  const removed = yield* ask(
    db
      .deleteFrom('suppressions')
      .where('workspace_id', '=', workspaceId)
      .where('address', '=', address)
      .returning('address'),
  );
  return removed.length > 0;
}

/** Notes that an address refused a message for now: once a message, however often that one is tried. */
export function* noteSoftBounce(
  store: Store,
  workspaceId: number,
  address: string,
  messageId: number,
  now: number,
): Script<void> {
  const { db } = store;
  yield* ask(
    db
      .deleteFrom('soft_bounces')
      .where('workspace_id', '=', workspaceId)
      .where('address', '=', address)
      .where('bounced_at', '<=', now - SOFT_BOUNCE_WINDOW_MS),
  );
  yield* ask(
    db
      .insertInto('soft_bounces')
      .values({ workspace_id: workspaceId, address, message_id: messageId, bounced_at: now })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'address', 'message_id']).doNothing()),
  );
  const recent = yield* ask(
    db
      .selectFrom('soft_bounces')
      .select('message_id')
      .where('workspace_id', '=', workspaceId)
      .where('address', '=', address)
      .limit(SOFT_BOUNCES),
  );
  if (recent.length >= SOFT_BOUNCES) yield* suppress(store, workspaceId, address, 'soft_bounces', now);
}
