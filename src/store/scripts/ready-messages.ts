import type { Action } from '../../core/message.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

/** A message that somebody else made, before it has an account and a time. */
export interface NewReadyMessage {
  readonly contactId: number;
  readonly action: Action;
  readonly key: string;
  readonly bodyHash: string;
  readonly subject: string | null;
  /** JSON: what it says. */
  readonly mail: string;
}

/** Answers which of them were there already, by their places; a key that a message has is one. */
export function* insertReady(
  store: Store,
  campaign: { readonly id: number; readonly workspaceId: number },
  messages: readonly NewReadyMessage[],
  now: number,
): Script<readonly number[]> {
  const known: number[] = [];
  for (const [n, { contactId, action, key, bodyHash, subject, mail }] of messages.entries()) {
    const [stored] = yield* ask(
      store.db
        .insertInto('ready_messages')
        .values({
          ...{ workspace_id: campaign.workspaceId, campaign_id: campaign.id, contact_id: contactId },
          ...{ action, idempotency_key: key, body_hash: bodyHash, subject, mail, created_at: now },
        })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'idempotency_key']).doNothing())
        .returning('id'),
    );
    if (!stored) known.push(n);
  }
  return known;
}

/** People for whom only such messages are meant: in the campaign, without a place in its line. */
export function* enrolForReady(
  store: Store,
  campaign: { readonly id: number; readonly workspaceId: number },
  contactIds: readonly number[],
  now: number,
): Script<void> {
  for (const contactId of new Set(contactIds)) {
    yield* ask(
      store.db
        .insertInto('enrolments')
        .values({
          ...{ campaign_id: campaign.id, contact_id: contactId, workspace_id: campaign.workspaceId },
          ...{ position: null, state: 'active', enrolled_at: now, changed_at: now },
        })
        .onConflict((conflict) => conflict.columns(['campaign_id', 'contact_id']).doNothing()),
    );
  }
}

export interface ReadyMessage extends NewReadyMessage {
  readonly id: number;
  /** Whether its person may get it. */
  readonly active: boolean;
  readonly position: number | null;
  readonly email: string | null;
  readonly emailGiven: string | null;
  readonly name: string | null;
  readonly linkedinId: string | null;
  readonly timezone: string | null;
}

/** The next of a campaign, in the order in which they came; of people who are paused they stay where they are. */
export function* readReady(
  store: Store,
  campaignId: number,
  after: number,
  limit: number,
): Script<readonly ReadyMessage[]> {
  const query = store.db
    .selectFrom('ready_messages as r')
    .innerJoin('enrolments as e', (join) =>
      join.onRef('e.campaign_id', '=', 'r.campaign_id').onRef('e.contact_id', '=', 'r.contact_id'),
    )
    .innerJoin('contacts as c', 'c.id', 'r.contact_id')
    .select([
      'r.id',
      'r.contact_id as contactId',
      'r.action',
      'r.idempotency_key as key',
      'r.body_hash as bodyHash',
      'r.subject',
      'r.mail',
      'e.state',
      'e.position',
      'c.email',
      'c.email_given as emailGiven',
      'c.name',
      'c.linkedin_id as linkedinId',
      'c.timezone',
    ])
    .where('r.campaign_id', '=', campaignId)
    .where('r.id', '>', after)
    .where('e.state', '<>', 'paused')
    .orderBy('r.id')
    .limit(limit);
  const rows = yield* ask(store.dialect === 'postgres' ? query.forShare('e') : query);
  return rows.map(({ state, ...row }) => ({ ...row, active: state === 'active' }));
}

/** They are messages now, or will never be. */
export function* dropReady(store: Store, ids: readonly number[]): Script<void> {
  if (ids.length === 0) return;
  yield* ask(store.db.deleteFrom('ready_messages').where((eb) => among(store, eb.ref('id'), ids)));
}

/** What there is to do for them. */
export function* readyActions({ db }: Store, campaignId: number): Script<readonly Action[]> {
  const rows = yield* ask(
    db.selectFrom('ready_messages').select('action').distinct().where('campaign_id', '=', campaignId),
  );
  return rows.map(({ action }) => action);
}
