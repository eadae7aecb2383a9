import type { InboundKind } from '../../core/inbound.js';
import { LINES } from '../../core/lines.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

/** What is known of a message that something came back for. */
export interface ReturnedMessage {
  readonly id: number;
  readonly accountId: number;
  /** Empty: it was forgotten. */
  readonly recipient: string;
  readonly contactId: number | null;
}

export function* findReturned(
  { db }: Store,
  workspaceId: number,
  id: number,
): Script<ReturnedMessage | undefined> {
  return yield* askOne(
    db
      .selectFrom('messages as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .select(['m.id', 'c.account_id as accountId', 'm.recipient', 'm.contact_id as contactId'])
      .where('m.workspace_id', '=', workspaceId)
      .where('m.id', '=', id),
  );
}

/** Notes what came, once. False: it came before. */
export function* noteInbound(
  { db }: Store,
  workspaceId: number,
  {
    key,
    kind,
    messageId,
  }: { readonly key: string; readonly kind: InboundKind; readonly messageId: number | null },
  now: number,
): Script<boolean> {
  const row = yield* askOne(
    db
      .insertInto('inbound')
      .values({ workspace_id: workspaceId, key, kind, message_id: messageId, at: now })
      .onConflict((conflict) => conflict.columns(['workspace_id', 'key']).doNothing())
      .returning('key'),
  );
  return row !== undefined;
}

/** The newest message to an address. */
export function* newestTo(
  store: Store,
  workspaceId: number,
  address: string,
): Script<ReturnedMessage | undefined> {
  return yield* askOne(
    store.db
      .selectFrom('messages as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .select(['m.id', 'c.account_id as accountId', 'm.recipient', 'm.contact_id as contactId'])
      .where('m.workspace_id', '=', workspaceId)
      .where('m.recipient', '=', address)
      .orderBy('m.id', 'desc')
      .limit(1),
  );
}

export function* contactBy(
  { db }: Store,
  workspaceId: number,
  { email, linkedinId }: { readonly email?: string | undefined; readonly linkedinId?: string | undefined },
): Script<number | undefined> {
  const row = yield* askOne(
    db
      .selectFrom('contacts')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where((eb) => eb.or([eb('email', '=', email ?? null), eb('linkedin_id', '=', linkedinId ?? null)]))
      .orderBy('id')
      .limit(1),
  );
  return row?.id;
}

/**
 * Somebody has accepted a connection request: what waits for that is looked at again from its planned time on, which its
 * channel does by itself. Answers how many messages that are.
 */
export function* noteAcceptance(
  store: Store,
  workspaceId: number,
  contactId: number,
  now: number,
): Script<number> {
  const { db } = store;
  yield* ask(
    db
      .updateTable('enrolments')
      .set({ accepted_at: now })
      .where('workspace_id', '=', workspaceId)
      .where('contact_id', '=', contactId)
      .where('accepted_at', 'is', null),
  );
  const waiting = yield* ask(
    db
      .selectFrom('messages as m')
      .innerJoin('due as d', 'd.message_id', 'm.id')
      .select(['m.id', 'm.scheduled_for as plannedAt'])
      .where('m.contact_id', '=', contactId)
      .where('m.workspace_id', '=', workspaceId)
      .where('m.action', '=', 'message')
      .where('d.alone', '=', LINES.follows)
      .orderBy('m.id'),
  );
  for (const { id, plannedAt } of waiting)
    yield* ask(
      db
        .updateTable('due')
        .set({ due_at: Math.max(plannedAt, now) })
        .where((eb) => among(store, eb.ref('message_id'), [id]))
        .where('alone', '=', LINES.follows),
    );
  return waiting.length;
}
