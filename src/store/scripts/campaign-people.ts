import type { EnrolmentState } from '../../core/campaign.js';
import { waitingState, type State } from '../../core/lifecycle.js';
import { LINES } from '../../core/lines.js';
import { sql } from '../../vendor/kysely.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';

export interface PersonMessage {
  readonly step: number | null;
  readonly state: State;
  /** When it is due, or when it ended. */
  readonly at: number;
  readonly finished: boolean;
  readonly halted: boolean;
  /** Why it ended, if not by leaving. */
  readonly reason: string | null;
}

export interface PersonRow {
  readonly contactId: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly state: EnrolmentState;
  readonly reason: string | null;
  /** Of a pause that ends by itself. */
  readonly resumeAt: number | null;
  readonly changedAt: number;
  readonly accountId: number | null;
  readonly messages: readonly PersonMessage[];
}

export function* readEnrolment(
  { db }: Store,
  campaignId: number,
  contactId: number,
): Script<EnrolmentState | undefined> {
  const row = yield* askOne(
    db
      .selectFrom('enrolments')
      .select('state')
      .where('campaign_id', '=', campaignId)
      .where('contact_id', '=', contactId),
  );
  return row?.state;
}

/** Where in its line somebody stands; undefined: he is not in it, or has no place. */
export function* positionOf(
  { db }: Store,
  campaignId: number,
  contactId: number,
): Script<number | undefined> {
  const row = yield* askOne(
    db
      .selectFrom('enrolments')
      .select('position')
      .where('campaign_id', '=', campaignId)
      .where('contact_id', '=', contactId),
  );
  return row?.position ?? undefined;
}

export interface PeopleQuestion {
  readonly after: number;
  readonly limit: number;
  readonly status?: EnrolmentState | undefined;
  readonly q?: string | undefined;
  /** Nobody but these. */
  readonly contactIds?: readonly number[] | undefined;
}

/** The people of a campaign by their ids, and how far each is. */
export function* listPeople(
  store: Store,
  campaignId: number,
  { after, limit, status, q, contactIds }: PeopleQuestion,
): Script<readonly PersonRow[]> {
  let query = store.db
    .selectFrom('enrolments as e')
    .leftJoin('contacts as c', 'c.id', 'e.contact_id')
    .select(['e.contact_id as contactId', 'e.state', 'e.reason', 'c.name', 'c.email'])
    .select(['e.resume_at as resumeAt', 'e.changed_at as changedAt'])
    .where('e.campaign_id', '=', campaignId)
    .where('e.contact_id', '>', after)
    .orderBy('e.contact_id')
    .limit(limit);
  if (contactIds) query = query.where((eb) => among(store, eb.ref('e.contact_id'), contactIds));
  if (status !== undefined) query = query.where('e.state', '=', status);
  if (q !== undefined && q !== '') {
    const begins = `${q.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    query = query.where(
      sql<boolean>`(c.email like ${begins} escape '\\' or lower(c.name) like ${begins} escape '\\')`,
    );
  }
  const people = yield* ask(query);
  const messages = yield* messagesOf(
    store,
    campaignId,
    people.map(({ contactId }) => contactId),
  );
  return people.map((person) => {
    const own = messages.get(person.contactId) ?? [];
    return { ...person, accountId: own[0]?.accountId ?? null, messages: own };
  });
}

/** What was planned for these people in one campaign, step by step. */
export function* messagesOf(
  store: Store,
  campaignId: number,
  contactIds: readonly number[],
): Script<ReadonlyMap<number, (PersonMessage & { readonly accountId: number })[]>> {
  const found = new Map<number, (PersonMessage & { readonly accountId: number })[]>();
  if (contactIds.length === 0) return found;
  const rows = yield* ask(
    store.db
      .selectFrom('messages as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .leftJoin('due as d', 'd.message_id', 'm.id')
      .leftJoin('outcomes as o', 'o.message_id', 'm.id')
      .select([
        'm.contact_id as contactId',
        'm.step_number as step',
        'm.scheduled_for',
        'c.account_id as accountId',
      ])
      .select(['d.due_at', 'd.tried', 'd.queued_at', 'd.alone', 'o.state', 'o.finished_at', 'o.reason'])
      .where((eb) => among(store, eb.ref('m.contact_id'), contactIds))
      .where('m.campaign_id', '=', campaignId)
      .orderBy('m.contact_id')
      .orderBy('m.step_number')
      .orderBy('m.id'),
  );
  for (const row of rows) {
    const { contactId, step, accountId, due_at: dueAt } = row;
    if (contactId === null) continue;
    const own = found.get(contactId) ?? [];
    found.set(contactId, own);
    own.push({
      ...{ step, accountId, finished: row.state !== null, halted: row.alone === LINES.halted },
      state: row.state ?? (dueAt === null ? 'sending' : waitingState(row.tried === 1, row.queued_at)),
      at: row.finished_at ?? dueAt ?? row.scheduled_for,
      reason: row.state === null || row.state === 'sent' ? null : row.reason,
    });
  }
  return found;
}
