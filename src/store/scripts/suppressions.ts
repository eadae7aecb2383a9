import { canonicalAddress } from '../../core/address.js';
import type { Lane } from '../../core/message.js';
import { suppressedAgain, type Suppression, type SuppressionReason } from '../../core/suppression.js';
import { ask, askCompiled, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { lockSuppression, suppressionColumns } from './suppression-list.js';

/** So many soft bounces of one address within the window are as good as a hard one. */
const SOFT_BOUNCES = 3;
const SOFT_BOUNCE_WINDOW_MS = 7 * 24 * 3_600_000;

interface Circumstances {
  /** Null: all. */
  readonly lanes?: readonly Lane[] | null | undefined;
  readonly messageId?: number | undefined;
  readonly note?: string | null | undefined;
  readonly actor?: string | null | undefined;
}

/** Whatever the spelling. Answers what holds now: of one that was suppressed before, what `suppressedAgain` says. */
export function* suppress(
  store: Store,
  workspaceId: number,
  given: string,
  reason: SuppressionReason,
  now: number,
  { lanes = null, messageId, note = null, actor = null }: Circumstances = {},
): Script<Suppression> {
  const address = canonicalAddress(given);
  const added = { address, reason, lanes, createdAt: now, messageId: messageId ?? null, note, actor };
  // Twice, because it may be taken off the list between two statements.
  for (let tries = 0; tries < 2; tries += 1) {
    if (yield* insertNew(store, workspaceId, added)) return added;
    const known = yield* lockSuppression(store, workspaceId, address);
    if (known) return yield* joinKnown(store, workspaceId, known, added);
  }
  return added;
}

function* insertNew({ db }: Store, workspaceId: number, added: Suppression): Script<boolean> {
  const inserted = yield* askOne(
    db
      .insertInto('suppressions')
      .values({ workspace_id: workspaceId, address: added.address, ...suppressionColumns(added) })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'address']).doNothing())
      .returning('address'),
  );
  return inserted !== undefined;
}

function* joinKnown(
  { db }: Store,
  workspaceId: number,
  known: Suppression,
  added: Suppression,
): Script<Suppression> {
  const joined = suppressedAgain(known, added);
  yield* ask(
    db
      .updateTable('suppressions')
      .set(suppressionColumns(joined))
      .where('workspace_id', '=', workspaceId)
      .where('address', '=', known.address),
  );
  return joined;
}

/** Answers what was taken off the list; undefined: it was not on it, or is a complaint that is to stay. */
export function* unsuppress(
  store: Store,
  workspaceId: number,
  given: string,
  { evenComplaints }: { readonly evenComplaints: boolean },
): Script<Suppression | undefined> {
  const known = yield* lockSuppression(store, workspaceId, canonicalAddress(given));
  if (!known || (known.reason === 'complaint' && !evenComplaints)) return undefined;
  yield* ask(
    store.db
      .deleteFrom('suppressions')
      .where('workspace_id', '=', workspaceId)
      .where('address', '=', known.address),
  );
  return known;
}

/**
 * Notes that an address refused a message for now: once a message, however often that one is tried. One at a time for
 * each address: of two that count at once, each would miss the other's.
 */
export function* noteSoftBounce(
  store: Store,
  workspaceId: number,
  given: string,
  messageId: number,
  now: number,
): Script<void> {
  const address = canonicalAddress(given);
  const { db } = store;
  yield* oneAtATime(store, workspaceId, address);
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
  if (recent.length >= SOFT_BOUNCES)
    yield* suppress(store, workspaceId, address, 'soft_bounces', now, { messageId });
}

/** Until the end of the transaction. On SQLite the transaction itself is the lock. */
function* oneAtATime({ dialect }: Store, workspaceId: number, address: string): Script<void> {
  if (dialect === 'sqlite') return;
  yield* askCompiled({
    sql: 'select pg_advisory_xact_lock(hashtextextended($1, $2))',
    parameters: [`pillarbox soft bounce ${address}`, workspaceId],
  });
}
