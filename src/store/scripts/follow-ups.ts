import { readTerms, type Ending } from '../../core/campaign.js';
import { calendarFor } from '../../core/calendar.js';
import { formatId } from '../../core/ids.js';
import { generateIdempotencyKey } from '../../core/key.js';
import { finishedStatesBefore, waitingState, type FinishedState } from '../../core/lifecycle.js';
import { LINES } from '../../core/lines.js';
import type { Action } from '../../core/message.js';
import { BAD_ENDS, decide, endedBy, type Decision, type Prior } from '../../core/plan/follow.js';
import { rulesOf } from '../../core/rules.js';
import type { AccountSending } from '../../core/sending.js';
import { among } from '../among.js';
import { COPIED_INTO_DUE } from '../message-columns.js';
import { ask, askOne, type Script } from '../script.js';
import { LOSSES_BEFORE_ALONE, type Store } from '../store.js';
import { cancelWaitingWith } from './enrolments.js';
import { readSending } from './openings.js';
import { readSequenceVersion, type SequenceStep } from './sequences.js';
import { Question } from './question.js';
import { tallyLeaving } from './tallies.js';

const DAY_MS = 86_400_000;

/** A follower whose time comes near, and what its way depends on. */
interface Ripe {
  readonly id: number;
  readonly workspaceId: number;
  readonly accountId: number;
  readonly campaignId: number;
  readonly contactId: number;
  readonly sequenceId: number;
  readonly version: number;
  readonly step: number;
  readonly action: Action;
  readonly dueAt: number;
  readonly plannedAt: number;
  readonly closesAt: number | null;
  readonly losses: number;
  readonly timezone: string | null;
  readonly acceptedAt: number | null;
  readonly terms: string;
}

/**
 * Lets those follow whose step before has ended, ends those that have nobody to follow any more, and puts off the others.
 * A follower asks for itself, shortly before its own time, by the keys of the steps before it: so it is right for every
 * way in which they can end, and may be repeated at will. Answers how many it looked at; ask again while it is the limit.
 */
export function* advance(store: Store, now: number, ahead: number, limit: number): Script<number> {
  const ripe = yield* readRipe(store, now + ahead, limit);
  if (ripe.length === 0) return 0;
  const decisions = yield* decideAll(store, ripe, now);
  for (const [n, follower] of ripe.entries()) yield* carryOut(store, follower, decisions[n] as Decision, now);
  return ripe.length;
}

/** Whether there is anybody whose pause is over, who has missed a window, or whose time to follow comes near. */
export function* followWork(
  store: Store,
  now: number,
  ahead: number,
): Script<{ readonly resume: boolean; readonly renew: boolean; readonly follow: boolean }> {
  const { at } = store;
  const look = new Question(store);
  const time = look.bind(now);
  const [found] = yield* look.rows<Record<'resume' | 'renew' | 'follow', number | null>>(
    `select (select contact_id from ${at('enrolments')} where resume_at <= ${time} limit 1) as resume,
       (select message_id from ${at('due')} where closes_at <= ${time}
          and alone in (${LINES.own}, ${LINES.alone}) limit 1) as renew,
       (${ripeText(store, look.bind(now + ahead))} limit 1) as follow`,
  );
  const { resume = null, renew = null, follow = null } = found ?? {};
  return { resume: resume !== null, renew: renew !== null, follow: follow !== null };
}

const ripeText = ({ at }: Store, until: string): string => `
  select c.id from ${at('channels')} c where c.guarded = 1 and (
    select d.message_id from ${at('due')} d
    where d.channel_id = c.id and d.alone = ${LINES.follows} and d.due_at <= ${until}
    order by d.due_at, d.message_id limit 1) is not null`;

function* ripeChannels(store: Store, until: number): Script<readonly number[]> {
  const look = new Question(store);
  return yield* look.ids(ripeText(store, look.bind(until)));
}

function* readRipe(store: Store, until: number, limit: number): Script<readonly Ripe[]> {
  const { at } = store;
  const channels = yield* ripeChannels(store, until);
  const ripe: Ripe[] = [];
  for (const channel of channels) {
    const question = new Question(store);
    const [id, time, most] = [channel, until, limit - ripe.length].map(question.bind);
    // Line by line: one stretch of the claim's own index each.
    ripe.push(
      ...(yield* question.rows<Ripe>(
        `select d.message_id as id, d.workspace_id as "workspaceId", c.account_id as "accountId",
           m.campaign_id as "campaignId", m.contact_id as "contactId", m.sequence_id as "sequenceId",
           m.sequence_version as version, m.step_number as step, m.action, d.due_at as "dueAt",
           m.scheduled_for as "plannedAt", m.closes_at as "closesAt", m.lease_losses as losses, p.timezone,
           e.accepted_at as "acceptedAt", k.terms
         from (select message_id, workspace_id, due_at from ${at('due')}
           where channel_id = ${id} and alone = ${LINES.follows} and due_at <= ${time}
           order by due_at, message_id limit ${most}) d
         join ${at('messages')} m on m.id = d.message_id
         join ${at('channels')} c on c.id = m.channel_id
         join ${at('campaigns')} k on k.id = m.campaign_id
         left join ${at('enrolments')} e on e.campaign_id = m.campaign_id and e.contact_id = m.contact_id
         left join ${at('contacts')} p on p.id = m.contact_id
         order by d.due_at, d.message_id`,
      )),
    );
    if (ripe.length >= limit) break;
  }
  return ripe;
}

function* decideAll(store: Store, ripe: readonly Ripe[], now: number): Script<readonly Decision[]> {
  const priors = yield* readPriors(store, ripe);
  const steps = new Map<string, readonly SequenceStep[]>();
  const accounts = new Map<number, AccountTimes | undefined>();
  const decisions: Decision[] = [];
  for (const each of ripe) {
    const name = `${each.sequenceId} ${each.version}`;
    if (!steps.has(name)) {
      const found = yield* readSequenceVersion(store, each.workspaceId, each.sequenceId, each.version);
      steps.set(name, found?.steps ?? []);
    }
    if (!accounts.has(each.accountId))
      accounts.set(each.accountId, yield* readTimes(store, each.workspaceId, each.accountId, now));
    const step = steps.get(name)?.find(({ order }) => order === each.step);
    const times = accounts.get(each.accountId);
    if (!step || !times) {
      decisions.push({ to: 'cancelled', reason: 'predecessor_missing' });
      continue;
    }
    const { delayDays, delayUnit } = step;
    decisions.push(
      decide(
        {
          ...each,
          delayDays,
          delayUnit,
          window: each.closesAt !== null && each.timezone !== null ? times.windowIn(each.timezone) : null,
        },
        priorsOf(each, priors),
        times.calendar,
        { acceptedAt: each.acceptedAt, waitMs: readTerms(each.terms).acceptanceDays * DAY_MS },
        now,
      ),
    );
  }
  return decisions;
}

interface AccountTimes {
  readonly calendar: ReturnType<typeof calendarFor>;
  windowIn(timezone: string): ReturnType<typeof calendarFor>;
}

function* readTimes(
  store: Store,
  workspaceId: number,
  accountId: number,
  now: number,
): Script<AccountTimes | undefined> {
  const account = yield* askOne(
    store.db.selectFrom('accounts').select(['sending', 'type']).where('id', '=', accountId),
  );
  if (!account) return undefined;
  const settings = yield* readSending(store, workspaceId);
  const sending = JSON.parse(account.sending) as AccountSending;
  const holidays = [...settings.holidays, ...(sending.holidays ?? [])];
  return {
    calendar: rulesOf(settings, { ...sending, type: account.type }, now).calendar,
    windowIn: (timezone) => calendarFor({ ...(sending.window ?? settings), timezone }, holidays, now),
  };
}

/** The steps before, by their keys: keys outlive everything else. */
function* readPriors(store: Store, ripe: readonly Ripe[]): Script<ReadonlyMap<string, Prior>> {
  const { at } = store;
  const priors = new Map<string, Prior>();
  for (const workspaceId of new Set(ripe.map((each) => each.workspaceId))) {
    const keys = ripe.filter((each) => each.workspaceId === workspaceId).flatMap(earlierKeys);
    if (keys.length === 0) continue;
    const question = new Question(store);
    const rows = yield* question.rows<PriorRow>(
      `select m.idempotency_key as key, m.step_number as step, m.action, m.scheduled_for as "plannedAt",
         d.due_at as "dueAt", d.tried, d.queued_at as "queuedAt", o.state, o.finished_at as "finishedAt"
       from ${at('messages')} m
       left join ${at('due')} d on d.message_id = m.id
       left join ${at('outcomes')} o on o.message_id = m.id
       where m.workspace_id = ${question.bind(workspaceId)} and m.lane = 'campaign'
         and ${question.among('m.idempotency_key', [...new Set(keys)])}`,
    );
    for (const row of rows) priors.set(`${workspaceId} ${row.key}`, toPrior(row));
  }
  return priors;
}

interface PriorRow {
  readonly key: string;
  readonly step: number;
  readonly action: Action;
  readonly plannedAt: number;
  readonly dueAt: number | null;
  readonly tried: number | null;
  readonly queuedAt: number | null;
  readonly state: FinishedState | null;
  readonly finishedAt: number | null;
}

const toPrior = ({
  step,
  action,
  plannedAt,
  dueAt,
  tried,
  queuedAt,
  state,
  finishedAt,
}: PriorRow): Prior => ({
  step,
  action,
  state: state ?? (dueAt === null ? 'sending' : waitingState(tried === 1, queuedAt)),
  dueAt: dueAt ?? plannedAt,
  finishedAt,
});

const keyOf = ({ contactId, sequenceId }: Ripe, step: number): string =>
  generateIdempotencyKey(formatId('contact', contactId), formatId('sequence', sequenceId), step);

const earlierKeys = (each: Ripe): readonly string[] =>
  Array.from({ length: each.step - 1 }, (_, n) => keyOf(each, n + 1));

const priorsOf = (each: Ripe, priors: ReadonlyMap<string, Prior>): readonly Prior[] =>
  earlierKeys(each).flatMap((key) => priors.get(`${each.workspaceId} ${key}`) ?? []);

/** Every write asks whether it still follows: whoever was halted or cancelled meanwhile is left alone. */
function* carryOut(store: Store, follower: Ripe, decision: Decision, now: number): Script<void> {
  const { db } = store;
  const { id, losses } = follower;
  if (decision.to === 'cancelled') {
    const follows = yield* askOne(
      db
        .selectFrom('due')
        .select('message_id')
        .where('message_id', '=', id)
        .where('alone', '=', LINES.follows),
    );
    if (follows) yield* cancelWaitingWith(store, [id], decision.reason, now);
    return;
  }
  if (decision.to !== 'due') {
    if (decision.at === follower.dueAt) return;
    yield* moveFollower(store, id, { due_at: decision.at });
    return;
  }
  const { at, closesAt } = decision;
  const together = closesAt === null ? LINES.together : LINES.own;
  const alone = losses >= LOSSES_BEFORE_ALONE ? LINES.alone : together;
  yield* moveFollower(store, id, { due_at: at, closes_at: closesAt, alone });
  if (at !== follower.plannedAt || closesAt !== follower.closesAt) {
    yield* ask(
      db.updateTable('messages').set({ scheduled_for: at, closes_at: closesAt }).where('id', '=', id),
    );
  }
}

function* moveFollower(
  { db }: Store,
  id: number,
  set: { readonly due_at: number; readonly closes_at?: number | null; readonly alone?: number },
): Script<void> {
  yield* ask(db.updateTable('due').set(set).where('message_id', '=', id).where('alone', '=', LINES.follows));
}

/** How a step of a sequence ended, for those that would have followed it. */
export interface EndedStep {
  readonly contactId: number;
  readonly sequenceId: number;
  readonly step: number;
  readonly action: Action;
  readonly state: FinishedState;
}

/** Those behind a step that ended badly, in its own channel, end at once: nobody should see them wait for nothing. */
export function* endFollowers(
  store: Store,
  workspaceId: number,
  ended: EndedStep,
  now: number,
): Script<number> {
  const later = yield* laterSteps(store, workspaceId, ended);
  const waiting = yield* ask(
    store.db
      .selectFrom('due')
      .select('message_id as id')
      .where((eb) => among(store, eb.ref('message_id'), later))
      .where('alone', 'in', [LINES.follows, LINES.halted]),
  );
  return yield* cancelWaitingWith(
    store,
    waiting.map(({ id }) => id),
    endedBy(ended.state),
    now,
  );
}

function* laterSteps(
  { db }: Store,
  workspaceId: number,
  { contactId, sequenceId, step, action }: Omit<EndedStep, 'state'>,
): Script<readonly number[]> {
  const rows = yield* ask(
    db
      .selectFrom('messages')
      .select(['id', 'action'])
      .where('contact_id', '=', contactId)
      .where('sequence_id', '=', sequenceId)
      .where('workspace_id', '=', workspaceId)
      .where('step_number', '>', step)
      .orderBy('id'),
  );
  return rows.filter((row) => (row.action === 'email') === (action === 'email')).map(({ id }) => id);
}

/**
 * Steps go back into the queue because a person wants them tried again: those that their end had ended follow again. They
 * wait for them as before, and their campaign runs again if it had come to its end.
 */
export function* bringBackFollowers(store: Store, ids: readonly number[], now: number): Script<void> {
  const { db } = store;
  const steps = yield* ask(
    db
      .selectFrom('messages')
      .select(['workspace_id', 'campaign_id', 'contact_id', 'sequence_id', 'step_number', 'action'])
      .where((eb) => among(store, eb.ref('id'), ids))
      .where('campaign_id', 'is not', null),
  );
  for (const { workspace_id, campaign_id, contact_id, sequence_id, step_number, action } of steps) {
    yield* ask(
      db
        .updateTable('campaigns')
        .set({ state: 'running', finished_at: null, updated_at: now })
        .where('id', '=', campaign_id)
        .where('state', '=', 'completed'),
    );
    if (contact_id === null || sequence_id === null || step_number === null) continue;
    const step = { contactId: contact_id, sequenceId: sequence_id, step: step_number, action };
    if (campaign_id !== null) yield* forgetBounce(store, campaign_id, contact_id, now);
    const later = yield* laterSteps(store, workspace_id, step);
    if (later.length > 0) yield* followAgain(store, later, now);
  }
}

/** Whoever tries somebody again whose address was refused says that it works by now. */
function* forgetBounce({ db }: Store, campaignId: number, contactId: number, now: number): Script<void> {
  yield* ask(
    db
      .updateTable('enrolments')
      .set({ state: 'active', reason: null, changed_at: now })
      .where('campaign_id', '=', campaignId)
      .where('contact_id', '=', contactId)
      .where('state', '=', 'bounced'),
  );
}

function* followAgain(store: Store, ids: readonly number[], now: number): Script<void> {
  const { db, dialect } = store;
  const ended = db
    .selectFrom('outcomes')
    .select('message_id as id')
    .where((eb) => among(store, eb.ref('message_id'), ids))
    .where('state', 'in', finishedStatesBefore('recalled'))
    .where('reason', 'in', [...BAD_ENDS.map(endedBy), 'bounced' satisfies Ending])
    .orderBy('message_id');
  const found = (yield* ask(dialect === 'postgres' ? ended.forUpdate() : ended)).map(({ id }) => id);
  if (found.length === 0) return;
  yield* tallyLeaving(store, found, now);
  yield* ask(db.deleteFrom('outcomes').where((eb) => among(store, eb.ref('message_id'), found)));
  yield* ask(
    db
      .insertInto('due')
      .columns(['message_id', 'due_at', 'alone', ...COPIED_INTO_DUE])
      .expression((eb) =>
        eb
          .selectFrom('messages')
          .select((select) => [
            'id',
            'scheduled_for',
            select.lit(LINES.follows).as('alone'),
            ...COPIED_INTO_DUE,
          ])
          .where((inner) => among(store, inner.ref('id'), found)),
      ),
  );
}
