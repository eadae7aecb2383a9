import type { EnrolmentState } from '../../core/campaign.js';
import { waitingState, type State } from '../../core/lifecycle.js';
import { LINES } from '../../core/lines.js';
import { sql, type RawBuilder, type SqlBool } from '../../vendor/kysely.js';
import { among } from '../among.js';
import { ask, askOne, giveWay, type Script } from '../script.js';
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
  /** Whose next message is of this step. */
  readonly step?: number | undefined;
  /** Whom this account writes to. */
  readonly accountId?: number | undefined;
  readonly q?: string | undefined;
}

export interface PeoplePage {
  readonly contactIds: readonly number[];
  /** Nobody behind this one was looked at; undefined: everybody was. */
  readonly through: number | undefined;
}

/** What is looked at in one go. SQLite holds the process up meanwhile. */
const AT_ONCE = { postgres: 5_000, sqlite: 250 } as const;
/** How far one request looks for people whom no index tells apart. It then says where to go on. */
const REACH = 10_000;

/** Whom of a campaign a question means, by their ids: a page costs a page, or its reach, whatever the size of the campaign. */
export function* findPeople(store: Store, campaignId: number, question: PeopleQuestion): Script<PeoplePage> {
  const { limit } = question;
  const meant = meantBy(store, question);
  const atOnce = meant.length === 0 ? limit : AT_ONCE[store.dialect];
  const found: number[] = [];
  let { after } = question;
  for (let looked = 0; looked < REACH; looked += atOnce) {
    if (looked > 0) yield* giveWay();
    const stretch = yield* ask(
      store.db
        .selectFrom('enrolments as e')
        .leftJoin('contacts as c', 'c.id', 'e.contact_id')
        .select('e.contact_id as contactId')
        .select(
          sql<number>`case when ${sql.join([sql`1 = 1`, ...meant], sql` and `)} then 1 else 0 end`.as(
            'meant',
          ),
        )
        .where('e.campaign_id', '=', campaignId)
        .where('e.contact_id', '>', after)
        .orderBy('e.contact_id')
        .limit(atOnce),
    );
    found.push(...stretch.filter((each) => each.meant === 1).map(({ contactId }) => contactId));
    if (found.length >= limit) return { contactIds: found.slice(0, limit), through: found[limit - 1] };
    const last = stretch.at(-1);
    if (!last || stretch.length < atOnce) return { contactIds: found, through: undefined };
    after = last.contactId;
  }
  return { contactIds: found, through: after };
}

/** Each a condition on an enrolment `e` and its contact `c`. */
function meantBy(
  { at }: Store,
  { status, step, accountId, q = '' }: PeopleQuestion,
): readonly RawBuilder<SqlBool>[] {
  const table = (name: string) => sql.raw(at(name));
  const found: RawBuilder<SqlBool>[] = [];
  const own = sql`m.contact_id = e.contact_id and m.campaign_id = e.campaign_id`;
  if (status !== undefined) found.push(sql`e.state = ${status}`);
  if (q !== '') {
    const begins = `${q.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
    found.push(sql`(c.email like ${begins} escape '\\' or lower(c.name) like ${begins} escape '\\')`);
  }
  if (accountId !== undefined)
    found.push(
      sql`exists (select 1 from ${table('messages')} m inner join ${table('channels')} l on l.id = m.channel_id
        where ${own} and l.account_id = ${accountId})`,
    );
  // What is held is not behind anybody: somebody has to decide.
  if (step !== undefined)
    found.push(
      sql`(select min(m.step_number) from ${table('messages')} m left join ${table('outcomes')} o on o.message_id = m.id
        where ${own} and (o.message_id is null or o.state = 'held')) = ${step}`,
    );
  return found;
}

/** These people of a campaign by their ids, and how far each is. */
export function* readPeople(
  store: Store,
  campaignId: number,
  contactIds: readonly number[],
): Script<readonly PersonRow[]> {
  if (contactIds.length === 0) return [];
  const people = yield* ask(
    store.db
      .selectFrom('enrolments as e')
      .leftJoin('contacts as c', 'c.id', 'e.contact_id')
      .select(['e.contact_id as contactId', 'e.state', 'e.reason', 'c.name', 'c.email'])
      .select(['e.resume_at as resumeAt', 'e.changed_at as changedAt'])
      .where('e.campaign_id', '=', campaignId)
      .where((eb) => among(store, eb.ref('e.contact_id'), contactIds))
      .orderBy('e.contact_id'),
  );
  const messages = yield* messagesOf(store, campaignId, contactIds);
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
