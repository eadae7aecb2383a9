import { LINES } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import { among } from '../among.js';
import { ask, type Script } from '../script.js';
import type { Store } from '../store.js';

/** A message that was halted and may go on. */
export interface HaltedMessage {
  readonly id: number;
  readonly contactId: number;
  readonly accountId: number;
  readonly action: Action;
  readonly step: number | null;
  readonly dueAt: number;
  readonly closesAt: number | null;
  readonly timezone: string | null;
}

export interface HaltedPage {
  readonly messages: readonly HaltedMessage[];
  /** By person: when the last step left that has. */
  readonly sent: ReadonlyMap<number, number>;
  /** By person: which steps there are at all. */
  readonly steps: ReadonlyMap<number, readonly number[]>;
  /** The last person of the page; undefined: nobody comes after it. */
  readonly last: number | undefined;
}

/** What is halted of the next people of a campaign who are active; `lock`: against whatever would end them. */
export function* readHalted(
  store: Store,
  campaignId: number,
  after: number,
  limit: number,
  { lock }: { readonly lock: boolean },
): Script<HaltedPage> {
  const { db, dialect } = store;
  const active = db
    .selectFrom('enrolments')
    .select('contact_id as id')
    .where('campaign_id', '=', campaignId)
    .where('contact_id', '>', after)
    .where('state', '=', 'active')
    .orderBy('contact_id')
    .limit(limit);
  const people = (yield* ask(lock && dialect === 'postgres' ? active.forShare() : active)).map(
    ({ id }) => id,
  );
  const last = people.length < limit ? undefined : people.at(-1);
  if (people.length === 0) return { messages: [], sent: new Map(), steps: new Map(), last };
  const rows = yield* ask(
    db
      .selectFrom('messages as m')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .leftJoin('contacts as p', 'p.id', 'm.contact_id')
      .leftJoin('due as d', 'd.message_id', 'm.id')
      .leftJoin('outcomes as o', 'o.message_id', 'm.id')
      .select([
        'm.id',
        'm.contact_id as contactId',
        'c.account_id as accountId',
        'm.action',
        'm.step_number as step',
        'm.closes_at as closesAt',
        'd.due_at as dueAt',
        'd.alone',
        'p.timezone',
        'o.state',
        'o.finished_at as finishedAt',
      ])
      .where((eb) => among(store, eb.ref('m.contact_id'), people))
      .where('m.campaign_id', '=', campaignId)
      .orderBy('m.contact_id')
      .orderBy('m.step_number')
      .orderBy('m.id'),
  );
  const messages: HaltedMessage[] = [];
  const sent = new Map<number, number>();
  const steps = new Map<number, number[]>();
  for (const { contactId, alone, state, finishedAt, dueAt, ...row } of rows) {
    if (contactId === null) continue;
    if (row.step !== null) steps.set(contactId, [...(steps.get(contactId) ?? []), row.step]);
    if (state === 'sent' && finishedAt !== null)
      sent.set(contactId, Math.max(sent.get(contactId) ?? 0, finishedAt));
    if (alone === LINES.halted && dueAt !== null) messages.push({ contactId, dueAt, ...row });
  }
  return { messages, sent, steps, last };
}

/** Nothing that was halted is left behind; whoever was resumed meanwhile has asked for another round. */
export function* noteReplanned({ db }: Store, campaignId: number, asked: number): Script<void> {
  yield* ask(
    db.updateTable('campaigns').set({ replan: 0 }).where('id', '=', campaignId).where('replan', '=', asked),
  );
}
