import {
  CAMPAIGN_STATES,
  ENROLMENT_STATES,
  type CampaignState,
  type EnrolmentState,
} from '../core/campaign.js';
import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import type { State } from '../core/lifecycle.js';
import { readLimit, type Page } from '../core/page.js';
import { labelOf, zoneNamed } from '../core/zone.js';
import type { Script } from '../store/script.js';
import { presentAccounts, type Account } from '../store/scripts/accounts.js';
import {
  readCampaignWaiting,
  readNeeds,
  readReplied,
  readSentOn,
  readStepFigures,
  readTotals,
} from '../store/scripts/campaign-figures.js';
import { decisionsOn } from '../store/scripts/audit.js';
import { countCampaigns, listCampaigns, readCampaign, type CampaignRow } from '../store/scripts/campaigns.js';
import { findPeople, readEnrolment, readPeople } from '../store/scripts/campaign-people.js';
import { countPeople } from '../store/scripts/campaign-recent.js';
import { enrolmentsOfContact } from '../store/scripts/contact-campaigns.js';
import { readSending } from '../store/scripts/openings.js';
import type { Store } from '../store/store.js';
import { calendarOf, roomOf, type CalendarDay, type RoomDay } from './calendar.js';
import { campaignPlate } from './campaign-plate.js';
import { idOf } from './input.js';
import { readLate } from './late-campaigns.js';
import type { Around } from './person-words.js';
import { holdUpOf, plateOf, type ListPlate, type Plate } from './plates.js';
import { recentOf, type Happening } from './recent.js';
import {
  countsBy,
  decisionOf,
  personView,
  planningOf,
  stepView,
  sumOf,
  timesOf,
  viewOf,
  type CampaignView,
  type PersonView,
  type StepView,
} from './view-of.js';
import { readSteps } from './world.js';

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
  readonly plate: ListPlate;
  /** Of all, whatever is asked for. */
  readonly counts: Readonly<Record<CampaignState, number>>;
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
  /** Whose next message is of this step; what is held is next until somebody decides. */
  readonly step?: number | undefined;
  readonly accountId?: string | undefined;
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
    const accountId =
      filter.accountId === undefined ? undefined : idOf('account', 'accountId', filter.accountId);
    const question = { ...filter, after, limit, accountId };
    const { contactIds, through } = await this.store.read(findPeople(this.store, campaign.id, question));
    return {
      items: await this.peopleOf(campaign, contactIds),
      nextCursor: through === undefined ? null : formatId('contact', through),
    };
  }

  protected async peopleOf(
    campaign: CampaignRow,
    contactIds: readonly number[],
  ): Promise<readonly PersonView[]> {
    const rows = await this.store.read(readPeople(this.store, campaign.id, contactIds));
    const around = { ...(await this.#around()), state: campaign.state };
    return rows.map((row) => personView(row, around));
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
    const settings = yield* readSending(store, workspaceId);
    const zone = zoneNamed(settings.timezone);
    const running = rows.filter(({ state }) => state === 'running').map(({ id }) => id);
    const totals = yield* readTotals(store, ids);
    const today = yield* readSentOn(store, ids, labelOf(zone.dayOf(now)));
    const replied = yield* readReplied(store, ids);
    const waiting = yield* readCampaignWaiting(store, running, zone.dayEnd(now));
    const needs = new Map((yield* readNeeds(store, workspaceId, ids)).map((each) => [each.campaignId, each]));
    const accounts = new Map<number, Account>(
      (yield* presentAccounts(store, workspaceId)).map((account) => [account.id, account]),
    );
    const decided = yield* decisionsOn(store, workspaceId, rows.flatMap(decisionOf));
    const late = yield* readLate(store, workspaceId, rows, { waiting, accounts, settings, now });
    return rows.map((row) => {
      const own = waiting.filter(({ campaignId }) => campaignId === row.id);
      const { total = 0, sent = 0 } = totals.get(row.id) ?? {};
      const accountIds = JSON.parse(row.account_ids) as readonly number[];
      return {
        ...viewOf(row, accountIds),
        decidedBy: decided.get(formatId('campaign', row.id)) ?? null,
        progress: { total, sent, sentToday: today.get(row.id) ?? 0, planToday: sumOf(own, 'today') },
        replied: replied.get(row.id) ?? 0,
        ...timesOf(own, (id) => accounts.get(id)?.pausedAt === null),
        holdUp: holdUpOf(
          row,
          accountIds.flatMap((id) => accounts.get(id) ?? []),
          needs.get(row.id),
          late.get(row.id),
        ),
        late: late.get(row.id) ?? null,
      };
    });
  }
}

/** So many running campaigns are summed up in one sentence. */
const MOST_SUMMED = 200;

function notFound(id: string): never {
  throw new PillarboxError('not_found', `there is no campaign ${id.slice(0, 40)}`);
}
