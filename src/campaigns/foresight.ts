import { invalidInput, PillarboxError } from '../core/errors.js';
import { formatId, parseId } from '../core/ids.js';
import { readLimit, type Page } from '../core/page.js';
import { readDays, type Simulation } from '../core/simulation.js';
import type { Links } from '../links/links.js';
import { positionOf } from '../store/scripts/campaign-people.js';
import type { CampaignRow } from '../store/scripts/campaigns.js';
import { readSending } from '../store/scripts/openings.js';
import { sizeOfCopy } from '../store/scripts/workspace-copy.js';
import type { Store } from '../store/store.js';
import type { RenderPool } from '../templates/render-pool.js';
import { planPlate } from './campaign-plate.js';
import { concernedBy, readConcern, type Concerned } from './concerned.js';
import { dryRun, type DryRun } from './dry-run.js';
import { readCampaignPatch, type CampaignChange } from './input.js';
import { neededBy, type Needed } from './lacking.js';
import { CountedNowAndThen } from './counted.js';
import { CampaignMaking, conflict } from './making.js';
import type { Planning } from './planning.js';
import type { Plate } from './plates.js';
import { resumptionOf } from './resumption.js';
import { resumptionWords, type Outlook } from './resumption-words.js';
import type { CampaignSimulator, SimulationLimits } from './simulator.js';
import type { PersonView } from './view-of.js';
import { readSteps } from './world.js';

export interface SimulationOptions extends SimulationLimits {
  /** How many local days to look ahead. Default 90. */
  readonly days?: number | undefined;
  /** As it would be if it were changed like this first. */
  readonly change?: CampaignChange | undefined;
  /** No more messages than so many. Default: however many. */
  readonly most?: number | undefined;
}

export interface ConcernedOptions {
  /** As a warning names it: `others`, or `lacks:contact.attributes.company`. */
  readonly concern: string;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

/** Until when a paused campaign may be resumed without harm, as it was when that was counted. */
export interface Resumption {
  readonly countedAt: number;
  /** Null: it is not paused, or it can't be known. */
  readonly outlook: Outlook | null;
  readonly sentence: string | null;
}

/** Each is a transaction of its own; nobody waits longer for an answer. */
const LEFT_OUT_AT_ONCE = 1_000;

/** What would become of a campaign, before anything of it is decided. */
export class CampaignForesight extends CampaignMaking {
  readonly #resumptions = new CountedNowAndThen<Resumption>();

  constructor(
    store: Store,
    workspaceId: number,
    planning: Planning,
    protected readonly links: Links,
    private readonly pool: RenderPool,
    private readonly simulator?: CampaignSimulator,
  ) {
    super(store, workspaceId, planning);
  }

  /** What a launch would come to: nothing is stored. */
  async plan(id: string): Promise<DryRun & { readonly plate: Plate; readonly countedAt: number }> {
    const { store, workspaceId } = this;
    const campaign = await this.read(id);
    const now = await store.now();
    const needed = await this.#needed(campaign);
    const run = await store.read(dryRun(store, campaign, needed, now));
    const { timezone } = await store.read(readSending(store, workspaceId));
    return { ...run, plate: planPlate(run, { now, timezone }), countedAt: now };
  }

  /** Counted when somebody asks, and again when it was some minutes ago. */
  async resumption(id: string): Promise<Resumption> {
    const campaign = await this.read(id);
    const { paused_at, updated_at, terms } = campaign;
    const of = JSON.stringify([campaign.state, paused_at, updated_at, terms]);
    return this.#resumptions.get(campaign.id, of, () => this.#resumption(campaign));
  }

  async #resumption(campaign: CampaignRow): Promise<Resumption> {
    const { store, workspaceId } = this;
    const now = await store.now();
    const outlook = (await store.read(resumptionOf(store, campaign, now))) ?? null;
    const { timezone } = await store.read(readSending(store, workspaceId));
    return { countedAt: now, outlook, sentence: outlook && resumptionWords(outlook, { now, timezone }) };
  }

  async #needed(campaign: CampaignRow): Promise<readonly Needed[]> {
    const { steps } = await this.store.read(readSteps(this.store, campaign));
    return neededBy(this.pool, steps, this.workspaceId);
  }

  /** Whom a warning of the dry run is about, in the order in which they would be planned. Throws `invalid_input`. */
  async concerned(id: string, { concern, limit, cursor }: ConcernedOptions): Promise<Page<PersonView>> {
    const campaign = await this.read(id);
    const most = readLimit(limit);
    const after = cursor === undefined ? 0 : await this.#placeOf(campaign, cursor);
    const { contactIds, through } = await this.#concernedBy(campaign, concern, after, most);
    const people = await this.peopleOf(campaign, contactIds);
    const place = new Map(contactIds.map((contactId, n) => [formatId('contact', contactId), n]));
    const items = people.toSorted((a, b) => (place.get(a.contactId) ?? 0) - (place.get(b.contactId) ?? 0));
    return { items, nextCursor: through === undefined ? null : (items.at(-1)?.contactId ?? null) };
  }

  async #placeOf(campaign: CampaignRow, cursor: string): Promise<number> {
    const contact = parseId('contact', cursor);
    const place = contact && (await this.store.read(positionOf(this.store, campaign.id, contact)));
    if (!place) throw invalidInput('cursor', 'is not a cursor that a list gave');
    return place;
  }

  /** Takes out whom a warning of the dry run is about, so many at a time. */
  async leaveOut(id: string, concern: string): Promise<{ readonly removed: number; readonly more: boolean }> {
    const campaign = await this.read(id);
    const { contactIds, through } = await this.#concernedBy(campaign, concern, 0, LEFT_OUT_AT_ONCE);
    const { removed } = await this.takeOut(
      id,
      contactIds.map((contactId) => formatId('contact', contactId)),
    );
    return { removed, more: through !== undefined };
  }

  async #concernedBy(
    campaign: CampaignRow,
    concern: string,
    after: number,
    limit: number,
  ): Promise<Concerned> {
    const about = readConcern(concern);
    const needed = about.about === 'lacks' ? await this.#needed(campaign) : [];
    const asked = { after, limit, now: await this.store.now() };
    return this.store.read(concernedBy(this.store, campaign, about, needed, asked));
  }

  /**
   * What would become of it, day by day, as if it were launched (or went on) now and nothing failed: a copy of it runs
   * through planner, guard and engine with time running ahead. Nothing of the campaign itself is touched. Throws
   * `conflict` for one that is stopped or has more messages than `most`, and while another one is simulated here; `busy`
   * if it takes longer than it may.
   */
  async simulate(id: string, options: SimulationOptions = {}): Promise<Simulation> {
    const { days, most, change, ...limits } = options;
    const campaign = await this.read(id);
    const wanted = readDays(days);
    if (!this.simulator) throw new PillarboxError('conflict', 'nothing can be simulated here');
    if (campaign.state === 'stopped') throw conflict(campaign, 'nothing of it would leave');
    const { store, workspaceId } = this;
    // Refused here as it would be if it were meant.
    if (change) await store.read(this.checkChange(campaign, readCampaignPatch(change)));
    const task = { workspaceId, campaignId: campaign.id, from: await store.now(), days: wanted, change };
    if (most !== undefined) {
      const steps = Math.max(1, await this.stepsOf(campaign));
      const size = await store.read(sizeOfCopy(store, campaign, steps, most + 1));
      if (size > most)
        throw new PillarboxError(
          'conflict',
          `more than ${most} messages would have to be looked at; pillarbox simulate takes the time that it needs`,
        );
    }
    return this.simulator.campaign(task, limits);
  }
}
