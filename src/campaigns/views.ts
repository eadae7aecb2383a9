import {
  CAMPAIGN_STATES,
  ENROLMENT_STATES,
  readTerms,
  type CampaignState,
  type EnrolmentState,
  type Terms,
} from '../core/campaign.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import type { State } from '../core/lifecycle.js';
import type { Action } from '../core/message.js';
import { readLimit, type Page } from '../core/page.js';
import { zoneNamed } from '../core/zone.js';
import type { Script } from '../store/script.js';
import { presentAccounts, type Account } from '../store/scripts/accounts.js';
import {
  readCampaignWaiting,
  readNeeds,
  readReplied,
  readStepFigures,
  readTotals,
  type StepFigures,
  type WaitingOf,
} from '../store/scripts/campaign-figures.js';
import { countCampaigns, listCampaigns, readCampaign, type CampaignRow } from '../store/scripts/campaigns.js';
import { listPeople, readEnrolment, type PersonRow } from '../store/scripts/campaign-people.js';
import { countPeople } from '../store/scripts/campaign-recent.js';
import { enrolmentsOfContact } from '../store/scripts/contact-campaigns.js';
import { readSending } from '../store/scripts/openings.js';
import type { SequenceStep } from '../store/scripts/sequences.js';
import type { Store } from '../store/store.js';
import { calendarOf, roomOf, type CalendarDay, type RoomDay } from './calendar.js';
import { campaignPlate } from './campaign-plate.js';
import { personWhy, type Around } from './person-words.js';
import { holdUpOf, plateOf, type HoldUp, type Plate } from './plates.js';
import { recentOf, type Happening } from './recent.js';
import { readSteps } from './world.js';

export interface CampaignView extends Terms {
  readonly id: string;
  readonly name: string;
  readonly state: CampaignState;
  readonly sequenceId: string | null;
  readonly sequenceVersion: number | null;
  readonly accountIds: readonly string[];
  readonly stopOnReply: boolean;
  readonly people: number;
  readonly progress: { readonly total: number; readonly sent: number; readonly planToday: number };
  readonly next: { readonly at: number; readonly accountId: string } | null;
  /** When the last message leaves as things are, and as it was first planned. */
  readonly endsAt: number | null;
  readonly plannedEndsAt: number | null;
  readonly replied: number;
  readonly holdUp: HoldUp | null;
  readonly launchedAt: number | null;
  readonly pausedAt: number | null;
  readonly pauseReason: string | null;
  readonly finishedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface StepView {
  readonly order: number;
  readonly action: Action;
  readonly subject: string | null;
  readonly delayDays: number;
  readonly delayUnit: SequenceStep['delayUnit'];
  readonly sent: number;
  readonly planned: number;
  readonly stopped: number;
  readonly dead: number;
  readonly replied: number;
}

export interface CampaignDetail extends CampaignView {
  readonly steps: readonly StepView[];
  readonly plate: Plate;
  /** Of its sequence; the version is that of its launch. */
  readonly sequenceName: string | null;
  /** What waits or is on its way. */
  readonly waiting: number;
  /** How many people are in each state. */
  readonly peopleBy: Readonly<Record<EnrolmentState, number>>;
}

export interface ScheduleStatus {
  readonly status: CampaignState;
  readonly scheduled: number;
  readonly sent: number;
  readonly failed: number;
  readonly cancelled: number;
}

export interface CampaignList extends Page<CampaignView> {
  readonly plate: Plate;
  /** Of all, whatever is asked for. */
  readonly counts: Readonly<Record<CampaignState, number>>;
}

export interface PersonView {
  readonly contactId: string;
  readonly name: string | null;
  readonly email: string | null;
  /** `finished`: everything has left that was meant for this person. */
  readonly status: EnrolmentState | 'finished';
  readonly steps: readonly { readonly order: number; readonly state: State; readonly at: number }[];
  readonly accountId: string | null;
  readonly nextAt: number | null;
  readonly why: string | null;
}

/** One person's way through one campaign. */
export interface EnrolmentView extends Omit<PersonView, 'contactId' | 'name' | 'email'> {
  readonly campaignId: string;
  readonly campaign: string;
  readonly campaignState: CampaignState;
}

export interface CampaignFilter {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly state?: CampaignState | undefined;
  readonly q?: string | undefined;
}

export interface PeopleFilter {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly status?: EnrolmentState | undefined;
  readonly q?: string | undefined;
}

/** What is known of the campaigns of a workspace. */
export class CampaignViews {
  constructor(
    protected readonly store: Store,
    protected readonly workspaceId: number,
  ) {}

  /** Throws `not_found`. */
  async get(id: string): Promise<CampaignDetail> {
    const campaign = await this.read(id);
    const now = await this.store.now();
    return this.store.read(this.#detail(campaign, now));
  }

  /** Newest first. */
  async list(filter: CampaignFilter = {}): Promise<CampaignList> {
    const limit = readLimit(filter.limit);
    const before = filter.cursor === undefined ? undefined : parseId('campaign', filter.cursor);
    if (filter.cursor !== undefined && before === undefined)
      throw invalidInput('cursor', 'is not a cursor that a list gave');
    const now = await this.store.now();
    return this.store.read(this.#list({ ...filter, limit, before }, now));
  }

  /** What was planned, what is, and what has left: by account and local date. */
  async calendar(id: string): Promise<{ readonly days: readonly CalendarDay[] }> {
    const campaign = await this.read(id);
    const now = await this.store.now();
    return { days: await this.store.read(calendarOf(this.store, campaign, now)) };
  }

  /** What all campaigns have planned for the next sending days, and what their accounts may send. */
  async room(days = 10): Promise<{ readonly days: readonly RoomDay[] }> {
    const now = await this.store.now();
    return { days: await this.store.read(roomOf(this.store, this.workspaceId, days, now)) };
  }

  async status(id: string): Promise<ScheduleStatus> {
    const campaign = await this.read(id);
    const figures = await this.store.read(readStepFigures(this.store, campaign.id));
    const of = (...states: readonly (State | null)[]) =>
      figures.filter(({ state }) => states.includes(state)).reduce((sum, { n }) => sum + n, 0);
    return {
      status: campaign.state,
      scheduled: of(null),
      sent: of('sent'),
      failed: of('dead', 'held'),
      cancelled: of('cancelled', 'skipped', 'expired'),
    };
  }

  /** In the order in which they came into it. */
  async people(id: string, filter: PeopleFilter = {}): Promise<Page<PersonView>> {
    const campaign = await this.read(id);
    const limit = readLimit(filter.limit);
    const after = filter.cursor === undefined ? 0 : parseId('contact', filter.cursor);
    if (after === undefined) throw invalidInput('cursor', 'is not a cursor that a list gave');
    const rows = await this.store.read(listPeople(this.store, campaign.id, { ...filter, after, limit }));
    const last = rows.at(-1);
    const around = { ...(await this.#around()), state: campaign.state };
    return {
      items: rows.map((row) => personView(row, around)),
      nextCursor: last && rows.length === limit ? formatId('contact', last.contactId) : null,
    };
  }

  /** What has happened lately, newest first. */
  async recent(id: string, limit = 7): Promise<{ readonly items: readonly Happening[] }> {
    const campaign = await this.read(id);
    return { items: await this.store.read(recentOf(this.store, campaign, limit)) };
  }

  /** What a person's sentence follows from, beside what is his own. */
  async #around(): Promise<Omit<Around, 'state'>> {
    const { store, workspaceId } = this;
    const now = await store.now();
    const { timezone } = await store.read(readSending(store, workspaceId));
    const accounts = await store.read(presentAccounts(store, workspaceId));
    const paused = new Map(
      accounts.filter(({ pausedAt }) => pausedAt !== null).map(({ id, name }) => [id, name]),
    );
    return { clock: { now, timezone }, pausedAccount: (account) => paused.get(account) };
  }

  /** The campaigns in which somebody is or was, newest first. Nobody is in none. */
  async ofContact(
    contactId: string,
    options: Pick<PeopleFilter, 'limit' | 'cursor'> = {},
  ): Promise<Page<EnrolmentView>> {
    const limit = readLimit(options.limit);
    const before =
      options.cursor === undefined ? Number.MAX_SAFE_INTEGER : parseId('campaign', options.cursor);
    if (before === undefined) throw invalidInput('cursor', 'is not a cursor that a list gave');
    const contact = parseId('contact', contactId);
    if (contact === undefined) return { items: [], nextCursor: null };
    const rows = await this.store.read(
      enrolmentsOfContact(this.store, this.workspaceId, contact, { before, limit }),
    );
    const last = rows.length === limit ? rows.at(-1) : undefined;
    const around = await this.#around();
    return {
      items: rows.map((row) => ({
        ...personView(row, { ...around, state: row.campaignState }),
        campaignId: formatId('campaign', row.campaignId),
        campaign: row.campaign,
        campaignState: row.campaignState,
      })),
      nextCursor: last ? formatId('campaign', last.campaignId) : null,
    };
  }

  protected async read(id: string): Promise<CampaignRow> {
    const number = parseId('campaign', id);
    const row =
      number === undefined
        ? undefined
        : await this.store.read(readCampaign(this.store, this.workspaceId, number));
    return row ?? notFound(id);
  }

  protected *locked(id: string): Script<CampaignRow> {
    const number = parseId('campaign', id) ?? notFound(id);
    return (yield* readCampaign(this.store, this.workspaceId, number, { lock: true })) ?? notFound(id);
  }

  protected *stateOf(whom: {
    readonly contactId: number;
    readonly campaignId: number;
  }): Script<EnrolmentState | undefined> {
    return yield* readEnrolment(this.store, whom.campaignId, whom.contactId);
  }

  protected async stepsOf(campaign: CampaignRow): Promise<number> {
    return (await this.store.read(readSteps(this.store, campaign))).steps.length;
  }

  *#list(
    filter: {
      readonly before: number | undefined;
      readonly limit: number;
      readonly state?: CampaignState | undefined;
      readonly q?: string | undefined;
    },
    now: number,
  ): Script<CampaignList> {
    const rows = yield* listCampaigns(this.store, this.workspaceId, filter);
    const items = yield* this.#views(rows, now);
    const last = rows.at(-1);
    const counted = yield* countCampaigns(this.store, this.workspaceId);
    return {
      items,
      nextCursor: last && rows.length === filter.limit ? formatId('campaign', last.id) : null,
      plate: plateOf(
        yield* this.#running(filter, items, now),
        now,
        (yield* readSending(this.store, this.workspaceId)).timezone,
      ),
      counts: countsBy(CAMPAIGN_STATES, (state) => counted.get(state)),
    };
  }

  /** The sentence is about all of them, whatever part of the list is looked at. */
  *#running(
    {
      before,
      state,
      q = '',
    }: { before: number | undefined; state?: CampaignState | undefined; q?: string | undefined },
    items: readonly CampaignView[],
    now: number,
  ): Script<readonly CampaignView[]> {
    if (before === undefined && state === undefined && q === '') return items;
    const asked = { before: undefined, limit: MOST_SUMMED, state: 'running' } as const;
    const rows = yield* listCampaigns(this.store, this.workspaceId, asked);
    return rows.length > 0 ? yield* this.#views(rows, now) : items;
  }

  *#detail(campaign: CampaignRow, now: number): Script<CampaignDetail> {
    const [view] = yield* this.#views([campaign], now);
    const { sequence, steps } = yield* readSteps(this.store, campaign);
    const figures = yield* readStepFigures(this.store, campaign.id);
    const { timezone } = yield* readSending(this.store, this.workspaceId);
    const people = yield* countPeople(this.store, campaign.id);
    const own = view as CampaignView;
    const waiting = figures.filter(({ state }) => state === null).reduce((sum, { n }) => sum + n, 0);
    const planning = planningOf(campaign, steps.length);
    return {
      ...own,
      waiting,
      sequenceName: sequence?.name ?? null,
      peopleBy: countsBy(ENROLMENT_STATES, (state) => people[state]),
      plate: campaignPlate({ ...own, waiting, planning }, { now, timezone }),
      steps: steps.map((step) => stepView(step, figures)),
    };
  }

  *#views(rows: readonly CampaignRow[], now: number): Script<readonly CampaignView[]> {
    const { store, workspaceId } = this;
    const ids = rows.map(({ id }) => id);
    const { timezone } = yield* readSending(store, workspaceId);
    const zone = zoneNamed(timezone);
    const running = rows.filter(({ state }) => state === 'running').map(({ id }) => id);
    const totals = yield* readTotals(store, ids);
    const replied = yield* readReplied(store, ids);
    const waiting = yield* readCampaignWaiting(store, running, zone.dayEnd(now));
    const needs = new Map((yield* readNeeds(store, workspaceId, ids)).map((each) => [each.campaignId, each]));
    const accounts = new Map<number, Account>(
      (yield* presentAccounts(store, workspaceId)).map((account) => [account.id, account]),
    );
    return rows.map((row) => {
      const own = waiting.filter(({ campaignId }) => campaignId === row.id);
      const { total = 0, sent = 0 } = totals.get(row.id) ?? {};
      const accountIds = JSON.parse(row.account_ids) as readonly number[];
      return {
        ...viewOf(row, accountIds),
        ...{ progress: { total, sent, planToday: sumOf(own, 'today') }, replied: replied.get(row.id) ?? 0 },
        ...timesOf(own, (id) => accounts.get(id)?.pausedAt === null),
        holdUp: holdUpOf(
          row,
          accountIds.flatMap((id) => accounts.get(id) ?? []),
          needs.get(row.id),
        ),
      };
    });
  }
}

/** So many running campaigns are summed up in one sentence. */
const MOST_SUMMED = 200;

/** Every word has its number, also where there is none. */
const countsBy = <Word extends string>(
  words: readonly Word[],
  count: (word: Word) => number | undefined,
): Readonly<Record<Word, number>> =>
  Object.fromEntries(words.map((word) => [word, count(word) ?? 0])) as Record<Word, number>;

/** Of a running campaign with people who have no times yet. */
function planningOf(
  { state, plan_fault, enrolled, planned_through }: CampaignRow,
  steps: number,
): { readonly planned: number; readonly total: number } | null {
  if (state !== 'running' || plan_fault !== null || planned_through >= enrolled) return null;
  return { planned: planned_through * steps, total: enrolled * steps };
}

const sumOf = (rows: readonly WaitingOf[], field: 'today' | 'count'): number =>
  rows.reduce((sum, row) => sum + row[field], 0);

/** The next is the first of an account that may send; what waits for one that is paused is nobody's next. */
function timesOf(
  waiting: readonly WaitingOf[],
  maySend: (accountId: number) => boolean,
): Pick<CampaignView, 'next' | 'endsAt'> {
  const byTime = waiting.toSorted((a, b) => a.first - b.first);
  const first = byTime.find(({ accountId }) => maySend(accountId)) ?? byTime[0];
  if (!first) return { next: null, endsAt: null };
  return {
    next: { at: first.first, accountId: formatId('account', first.accountId) },
    endsAt: Math.max(...waiting.map(({ last }) => last)),
  };
}

const viewOf = (row: CampaignRow, accountIds: readonly number[]) => ({
  ...readTerms(row.terms),
  id: formatId('campaign', row.id),
  name: row.name,
  state: row.state,
  sequenceId: row.sequence_id === null ? null : formatId('sequence', row.sequence_id),
  sequenceVersion: row.sequence_version,
  accountIds: accountIds.map((id) => formatId('account', id)),
  stopOnReply: row.stop_on_reply === 1,
  people: row.enrolled,
  plannedEndsAt: row.launched_ends_at,
  launchedAt: row.launched_at,
  pausedAt: row.paused_at,
  pauseReason: row.pause_reason,
  finishedAt: row.finished_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

function stepView(
  { order, action, subject, delayDays, delayUnit }: SequenceStep,
  figures: readonly StepFigures[],
): StepView {
  const own = figures.filter(({ step }) => step === order);
  const count = (wanted: (each: StepFigures) => boolean) =>
    own.filter(wanted).reduce((sum, { n }) => sum + n, 0);
  const stopped: readonly (State | null)[] = ['cancelled', 'skipped', 'expired'];
  return {
    ...{ order, action, subject, delayDays, delayUnit },
    sent: count(({ state }) => state === 'sent'),
    planned: count(({ state }) => state === null),
    stopped: count(({ state }) => stopped.includes(state)),
    dead: count(({ state }) => state === 'dead' || state === 'held'),
    replied: count(({ reason }) => reason === 'replied'),
  };
}

function personView(row: PersonRow, around: Around): PersonView {
  const open = row.messages.filter(({ finished }) => !finished);
  const [next] = open.filter(({ halted }) => !halted).sort((a, b) => a.at - b.at);
  const status =
    row.state === 'active' && row.messages.length > 0 && open.length === 0 ? 'finished' : row.state;
  return {
    contactId: formatId('contact', row.contactId),
    name: row.name,
    email: row.email,
    status,
    steps: row.messages.map(({ step, state, at }) => ({ order: step ?? 0, state, at })),
    accountId: row.accountId === null ? null : formatId('account', row.accountId),
    nextAt: next?.at ?? null,
    why: personWhy(row, around),
  };
}

function notFound(id: string): never {
  throw new PillarboxError('not_found', `there is no campaign ${id.slice(0, 40)}`);
}
