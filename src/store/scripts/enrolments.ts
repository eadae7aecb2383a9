import { canonicalAddress } from '../../core/address.js';
import { OPEN_ENROLMENTS, type Ending, type EnrolmentState } from '../../core/campaign.js';
import { LINES, PLANNED_LINES } from '../../core/lines.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { finishWaiting } from './finish.js';

/** A person, by whatever is known; in all campaigns, or in one. */
export type Whom = (
  { readonly contactId: number } | { readonly email: string } | { readonly linkedinId: string }
) & { readonly campaignId?: number | undefined };

export interface Enrolled {
  readonly campaignId: number;
  readonly contactId: number;
}

/** What an event did: in which campaigns it ended or paused the person, and how many messages wait no more. */
export interface EnrolmentsChanged {
  readonly enrolments: readonly Enrolled[];
  readonly messages: number;
}

/**
 * The one way in which a reply, a bounce, a complaint, an unsubscription or a person's hand ends somebody's sequences. From
 * its commit on the gate lets nothing of them pass; what waits is cancelled with that reason, also what is paused. A
 * reply is noted everywhere, and ends only where the campaign says so. Acts once, however often it is asked.
 */
export function* endEnrolments(
  store: Store,
  workspaceId: number,
  whom: Whom,
  ending: Ending,
  now: number,
): Script<EnrolmentsChanged> {
  const found = yield* lockEnrolments(store, workspaceId, whom, OPEN_ENROLMENTS);
  if (ending === 'replied') yield* noteReply(store, found, now);
  const ended = ending === 'replied' ? found.filter(({ stopOnReply }) => stopOnReply) : found;
  yield* change(store, ended, { state: ending, reason: ending, resume_at: null, changed_at: now });
  return { enrolments: ended, messages: yield* cancelWaitingOf(store, ended, ending, now) };
}

/**
 * Pauses a person: what waits stands aside until somebody resumes it, or until that instant. The gate obeys from its commit
 * on. Who is paused already is held longer if that is asked for, never shorter.
 */
export function* holdEnrolments(
  store: Store,
  workspaceId: number,
  whom: Whom,
  { reason, until }: { readonly reason: string; readonly until: number | null },
  now: number,
): Script<EnrolmentsChanged> {
  const found = yield* lockEnrolments(store, workspaceId, whom, OPEN_ENROLMENTS);
  const held = found.filter(
    ({ state, resumeAt }) =>
      state === 'active' || (resumeAt !== null && (until === null || until > resumeAt)),
  );
  yield* change(store, held, { state: 'paused', reason, resume_at: until, changed_at: now });
  return { enrolments: held, messages: yield* park(store, held) };
}

/**
 * Lets people go on who are paused: their messages get new times by the next plan, which is asked for here. Those who were
 * passed over because they were paused come at the end of the line.
 */
export function* resumeEnrolments(
  store: Store,
  workspaceId: number,
  whom: Whom,
  now: number,
): Script<readonly Enrolled[]> {
  yield* lockCampaignsOf(store, workspaceId, whom);
  const found = yield* lockEnrolments(store, workspaceId, whom, ['paused']);
  yield* wakeUp(store, found, now);
  return found;
}

/** Those whose pause ends by itself. Answers how many; ask again while it is the limit. */
export function* resumeHeld(store: Store, now: number, limit: number): Script<number> {
  const due = yield* ask(
    store.db
      .selectFrom('enrolments')
      .select(['campaign_id as campaignId', 'contact_id as contactId', 'workspace_id as workspaceId'])
      .where('resume_at', '<=', now)
      .where('state', '=', 'paused')
      .orderBy('resume_at')
      .limit(limit),
  );
  const inOrder = [...due].sort((a, b) => a.campaignId - b.campaignId || a.contactId - b.contactId);
  for (const { workspaceId, campaignId, contactId } of inOrder) {
    yield* lockCampaignsOf(store, workspaceId, { campaignId, contactId });
    const found = yield* lockEnrolments(store, workspaceId, { campaignId, contactId }, ['paused']);
    yield* wakeUp(
      store,
      found.filter(({ resumeAt }) => resumeAt !== null && resumeAt <= now),
      now,
    );
  }
  return due.length;
}

/** Those of these addresses who are in a campaign that goes on: nearly always nobody. */
export function* enrolledAmong<Who extends { readonly workspaceId: number; readonly address: string }>(
  store: Store,
  people: readonly Who[],
): Script<readonly Who[]> {
  const addressOf = ({ address }: Who) => canonicalAddress(address);
  const rows = yield* ask(
    store.db
      .selectFrom('contacts as c')
      .innerJoin('enrolments as e', 'e.contact_id', 'c.id')
      .select(['c.workspace_id', 'c.email'])
      .distinct()
      .where((eb) =>
        among(store, eb.ref('c.workspace_id'), [...new Set(people.map((who) => who.workspaceId))]),
      )
      .where((eb) => among(store, eb.ref('c.email'), people.map(addressOf)))
      .where('e.state', 'in', OPEN_ENROLMENTS),
  );
  const found = new Set(rows.map(({ workspace_id, email }) => `${String(workspace_id)} ${String(email)}`));
  return people.filter((who) => found.has(`${String(who.workspaceId)} ${addressOf(who)}`));
}

interface Locked extends Enrolled {
  readonly state: EnrolmentState;
  readonly position: number | null;
  readonly resumeAt: number | null;
  readonly stopOnReply: boolean;
}

/** Before their people: gates take them in this order. */
function* lockCampaignsOf(store: Store, workspaceId: number, whom: Whom): Script<void> {
  if (store.dialect !== 'postgres') return;
  const contacts = yield* contactsOf(store, workspaceId, whom);
  if (contacts.length === 0) return;
  yield* ask(
    store.db
      .selectFrom('campaigns')
      .select('id')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('enrolments')
          .select('campaign_id')
          .where('workspace_id', '=', workspaceId)
          .where((inner) => among(store, inner.ref('contact_id'), contacts)),
      )
      .orderBy('id')
      .forUpdate(),
  );
}

/** In the order in which gates take them. */
function* lockEnrolments(
  store: Store,
  workspaceId: number,
  whom: Whom,
  states: readonly EnrolmentState[],
): Script<readonly Locked[]> {
  const { db, dialect } = store;
  const contacts = yield* contactsOf(store, workspaceId, whom);
  if (contacts.length === 0) return [];
  let query = db
    .selectFrom('enrolments as e')
    .innerJoin('campaigns as k', 'k.id', 'e.campaign_id')
    .select([
      'e.campaign_id as campaignId',
      'e.contact_id as contactId',
      'e.state',
      'e.position',
      'e.resume_at as resumeAt',
      'k.stop_on_reply',
    ])
    .where('e.workspace_id', '=', workspaceId)
    .where((eb) => among(store, eb.ref('e.contact_id'), contacts))
    .where('e.state', 'in', states)
    .orderBy('e.campaign_id')
    .orderBy('e.contact_id');
  const { campaignId } = whom;
  if (campaignId !== undefined) query = query.where('e.campaign_id', '=', campaignId);
  const rows = yield* ask(dialect === 'postgres' ? query.forUpdate('e') : query);
  return rows.map(({ stop_on_reply: stops, ...row }) => ({ ...row, stopOnReply: stops === 1 }));
}

function* contactsOf({ db }: Store, workspaceId: number, whom: Whom): Script<readonly number[]> {
  if ('contactId' in whom) return [whom.contactId];
  const [column, value] =
    'email' in whom
      ? (['email', canonicalAddress(whom.email)] as const)
      : (['linkedin_id', whom.linkedinId] as const);
  const rows = yield* ask(
    db.selectFrom('contacts').select('id').where('workspace_id', '=', workspaceId).where(column, '=', value),
  );
  return rows.map(({ id }) => id);
}

function* change(
  { db }: Store,
  whose: readonly Enrolled[],
  set: {
    readonly state: EnrolmentState;
    readonly reason: string | null;
    readonly resume_at: number | null;
    readonly changed_at: number;
    readonly position?: number;
  },
): Script<void> {
  for (const { campaignId, contactId } of whose) {
    yield* ask(
      db
        .updateTable('enrolments')
        .set(set)
        .where('campaign_id', '=', campaignId)
        .where('contact_id', '=', contactId),
    );
  }
}

function* noteReply({ db }: Store, whose: readonly Enrolled[], now: number): Script<void> {
  for (const { campaignId, contactId } of whose) {
    yield* ask(
      db
        .updateTable('enrolments')
        .set({ replied_at: now })
        .where('campaign_id', '=', campaignId)
        .where('contact_id', '=', contactId)
        .where('replied_at', 'is', null),
    );
  }
}

/** What waits, in whatever line. What is in flight meets the gate. */
function* cancelWaitingOf(
  store: Store,
  whose: readonly Enrolled[],
  reason: string,
  now: number,
): Script<number> {
  let cancelled = 0;
  for (const each of whose) {
    const ids = yield* messagesOf(store, each);
    cancelled += yield* cancelWaitingWith(store, ids, reason, now);
    yield* ask(
      store.db
        .deleteFrom('ready_messages')
        .where('campaign_id', '=', each.campaignId)
        .where('contact_id', '=', each.contactId),
    );
  }
  return cancelled;
}

/** Ends those of these that wait. Answers how many did. */
export function* cancelWaitingWith(
  store: Store,
  ids: readonly number[],
  reason: string,
  now: number,
): Script<number> {
  if (ids.length === 0) return 0;
  const gone = yield* ask(
    store.db
      .deleteFrom('due')
      .where((eb) => among(store, eb.ref('message_id'), ids))
      .returning('message_id'),
  );
  const found = gone.map((row) => row.message_id);
  if (found.length > 0) yield* finishWaiting(store, found, 'cancelled', reason, now);
  return found.length;
}

function* park(store: Store, whose: readonly Enrolled[]): Script<number> {
  let parked = 0;
  for (const each of whose) {
    const ids = yield* messagesOf(store, each);
    if (ids.length === 0) continue;
    const rows = yield* ask(
      store.db
        .updateTable('due')
        .set({ alone: LINES.halted })
        .where((eb) => among(store, eb.ref('message_id'), ids))
        .where('alone', 'in', PLANNED_LINES)
        .returning('message_id'),
    );
    parked += rows.length;
  }
  return parked;
}

/** Of one person in one campaign: a few. */
function* messagesOf({ db }: Store, { campaignId, contactId }: Enrolled): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('messages')
      .select('id')
      .where('contact_id', '=', contactId)
      .where('campaign_id', '=', campaignId)
      .orderBy('id'),
  );
  return rows.map(({ id }) => id);
}

function* wakeUp(store: Store, whose: readonly Locked[], now: number): Script<void> {
  const { db } = store;
  for (const each of whose) {
    const position = yield* newPosition(store, each);
    yield* change(store, [each], {
      ...{ state: 'active', reason: null, resume_at: null, changed_at: now },
      ...(position !== undefined && { position }),
    });
    yield* ask(
      db
        .updateTable('campaigns')
        .set((eb) => ({ replan: eb('replan', '+', 1) }))
        .where('id', '=', each.campaignId),
    );
  }
}

/** For somebody whom the plan has passed over; undefined: it has not, or he has messages that wait. */
function* newPosition(store: Store, { campaignId, contactId, position }: Locked): Script<number | undefined> {
  if (position === null) return undefined;
  const messages = yield* messagesOf(store, { campaignId, contactId });
  if (messages.length > 0) return undefined;
  const [campaign] = yield* ask(
    store.db
      .updateTable('campaigns')
      .set((eb) => ({
        enrolled: eb
          .case()
          .when('planned_through', '>=', position)
          .then(eb('enrolled', '+', 1))
          .else(eb.ref('enrolled'))
          .end(),
      }))
      .where('id', '=', campaignId)
      .returning(['enrolled', 'planned_through as through']),
  );
  return campaign && campaign.through >= position ? campaign.enrolled : undefined;
}
