import { setImmediate as othersFirst } from 'node:timers/promises';
import { Campaigns } from '../campaigns/campaigns.js';
import type { CampaignChange } from '../campaigns/input.js';
import { Planning } from '../campaigns/planning.js';
import { readTerms } from '../core/campaign.js';
import { PillarboxError } from '../core/errors.js';
import { formatId } from '../core/ids.js';
import type { Simulation } from '../core/simulation.js';
import { zoneNamed } from '../core/zone.js';
import { Dispatch } from '../engine/dispatch.js';
import { letFollow } from '../engine/followers.js';
import { sendDue, type PassOptions } from '../engine/pass.js';
import { guarded } from '../engine/sources.js';
import { Links } from '../links/links.js';
import { silent } from '../log/log.js';
import type { ScratchStore } from '../store/open.js';
import { findPlanWork, readCampaign, type CampaignRow } from '../store/scripts/campaigns.js';
import { nextEvents, type NextEvents } from '../store/scripts/next-event.js';
import { readSending } from '../store/scripts/openings.js';
import {
  countPlanned,
  readJudgedAccounts,
  readLeftBefore,
  readUsedBefore,
} from '../store/scripts/simulated.js';
import { RenderPool } from '../templates/render-pool.js';
import { CONTENTS, FarSide, NO_RENEWAL } from './far-side.js';
import { reportOf } from './report.js';

/** A campaign in a store of its own, and how far to look. */
export interface Run {
  readonly workspaceId: number;
  readonly campaignId: number;
  readonly startedAt: number;
  readonly days: number;
  /** As it would be if it were changed like this first. */
  readonly change?: CampaignChange | undefined;
}

export type Told = (done: number, total: number) => void;

/** A follower is asked for at the latest so long before its time, and all that come in the next minutes with it. */
const FOLLOWER_AHEAD_MS = 60_000;
const TOGETHER_MS = 600_000;
const LEASE_MS = 86_400_000;
const AT_ONCE = 200;
/** Where something is said to be possible and nothing happens: looked at so often, and then a little later. */
const LOOKS = 20;
const LATER_MS = 1_000;
const TELL_EVERY = 100;
/** Signs the links of mails that nobody gets. */
const SECRET = 'what is simulated is signed with this';

/**
 * Lets a campaign run: planned by the planner, claimed, let through and settled by guard and engine, and taken by servers
 * that write down what came. Nothing waits: the clock stands still while there is something to do, and is then set to
 * the next instant at which anything can happen.
 */
export async function run(store: ScratchStore, task: Run, told: Told = () => undefined): Promise<Simulation> {
  return new Runner(store, task, told).run();
}

class Runner {
  #now: number;
  readonly #farSide = new FarSide(() => this.#now);
  readonly #planning: Planning;
  readonly #campaigns: Campaigns;

  constructor(
    private readonly store: ScratchStore,
    private readonly task: Run,
    private readonly told: Told,
  ) {
    this.#now = task.startedAt;
    const links = new Links([SECRET], store.installation, 'http://localhost');
    this.#planning = new Planning(store, silent, links, LEASE_MS);
    this.#campaigns = new Campaigns(store, task.workspaceId, this.#planning, links, new RenderPool());
  }

  async run(): Promise<Simulation> {
    const { store, task } = this;
    const { workspaceId, campaignId, startedAt } = task;
    const settings = await store.read(readSending(store, workspaceId));
    const campaign = await this.#campaign();
    const evidence = {
      settings,
      bounds: {
        ...{ terms: readTerms(campaign.terms), timezone: settings.timezone },
        before: await store.read(readLeftBefore(store, campaignId)),
      },
      accounts: await store.read(readJudgedAccounts(store, workspaceId)),
      before: await store.read(readUsedBefore(store, workspaceId)),
    };
    const zone = zoneNamed(settings.timezone);
    const until = zone.startOf(zone.dayOf(startedAt) + task.days);
    const warnings = await this.#begin(campaign);
    await this.#letRun(until);
    const { left } = this.#farSide;
    return reportOf(store, { ...evidence, campaignId, startedAt, until, left, warnings });
  }

  /** As it would be with the change that is looked at: what leaves is judged by that. */
  async #campaign(): Promise<CampaignRow> {
    const { store, task } = this;
    const id = formatId('campaign', task.campaignId);
    if (task.change) await this.#campaigns.change(id, task.change);
    const campaign = await store.read(readCampaign(store, task.workspaceId, task.campaignId));
    if (!campaign) throw new PillarboxError('not_found', `there is no campaign ${id}`);
    return campaign;
  }

  /** As a person would: a draft is launched, one that is paused goes on, one that runs is planned to its end. */
  async #begin({ state }: CampaignRow): Promise<readonly string[]> {
    const id = formatId('campaign', this.task.campaignId);
    const toTheEnd = true;
    const begun = await (state === 'paused'
      ? this.#campaigns.resume(id, { toTheEnd })
      : this.#campaigns.launch(id, { toTheEnd }));
    return begun.done ? [...begun.errors, ...begun.warnings] : [];
  }

  async #planAll(): Promise<void> {
    const { store } = this;
    for (const { workspaceId, campaignId } of await store.read(findPlanWork(store)))
      await this.#planning.plan(workspaceId, campaignId);
  }

  async #letRun(until: number): Promise<void> {
    const { store } = this;
    const dispatch = new Dispatch({
      ...{ store, transports: this.#farSide.transportOf, contents: CONTENTS, renewal: NO_RENEWAL },
      ...{ leaseMs: LEASE_MS, graceMs: 0, log: silent },
    });
    const pass: PassOptions = {
      ...{ store, dispatch, log: silent, concurrency: AT_ONCE, limit: Infinity },
      ...{ claimMs: LEASE_MS, waitMs: LEASE_MS },
    };
    const sources = [guarded(store), guarded(store, 'recipient')];
    const total = await store.read(countPlanned(store, until));
    try {
      for (let looks = 0, rounds = 0; ;) {
        const events = await store.read(nextEvents(FOLLOWER_AHEAD_MS));
        const at = earliest(events);
        if (at === undefined || Math.max(at, this.#now) >= until) return;
        if (at <= this.#now && looks >= LOOKS) this.#setClock(this.#now + LATER_MS);
        if (at > this.#now) this.#setClock(at);
        if (!(await this.#doWhatIsDue(events, () => sendDue(pass, sources)))) looks += 1;
        else looks = 0;
        const done = this.#farSide.left.length;
        if ((rounds += 1) % TELL_EVERY !== 0) continue;
        this.told(Math.min(done, total), total);
        // Whoever ends this process must be heard.
        await othersFirst();
      }
    } finally {
      await this.#planning.stop();
      await dispatch.stop();
    }
  }

  #setClock(now: number): void {
    this.#now = now;
    this.store.standAt(now);
  }

  /** False: nothing left. */
  async #doWhatIsDue(
    { send, follow, resume }: NextEvents,
    sendAll: () => Promise<{ readonly claimed: number }>,
  ): Promise<boolean> {
    const isDue = (at: number | null) => at !== null && at <= this.#now;
    if (isDue(follow) || isDue(resume)) await letFollow(this.store, TOGETHER_MS);
    if (isDue(resume)) await this.#planAll();
    return isDue(send) ? (await sendAll()).claimed > 0 : false;
  }
}

function earliest({ send, follow, resume }: NextEvents): number | undefined {
  const known = [send, follow, resume].filter((at) => at !== null);
  return known.length === 0 ? undefined : Math.min(...known);
}
