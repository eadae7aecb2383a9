import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Logger } from '../log/log.js';
import { completeCampaign, findPlanWork, finishedCampaigns } from '../store/scripts/campaigns.js';
import type { Store } from '../store/store.js';
import { Planner, type PlanOutcome } from './planner.js';
import type { ReadyLinks } from './ready-made.js';

/** How often to look for campaigns that somebody has left half planned, or that have come to their end. */
const LOOK_EVERY_MS = 1_000;
/** A look that is expensive is made more rarely. */
const LOOK_COST_FACTOR = 20;
/** Until somebody else's planning is looked at again. */
const PATIENCE_MS = 100;

/** Whoever waits for a planner that has died should not wait long. */
const LONGEST_LEASE_MS = 30_000;

/** How far a plan is, as far as this process knows. */
export interface PlanProgress {
  /** People. */
  readonly planned: number;
  readonly startedAt: number;
  readonly startedWith: number;
}

/**
 * The planning of this process: one run a workspace, whoever asks for it. What is left half done, here or elsewhere, is
 * found again and finished.
 */
export class Planning {
  readonly #planner: Planner;
  readonly #runs = new Map<number, Promise<PlanOutcome>>();
  readonly #progress = new Map<number, PlanProgress>();
  #lookAt = 0;
  #stopping = false;

  constructor(
    private readonly store: Store,
    private readonly log: Logger,
    links: ReadyLinks,
    leaseMs: number,
  ) {
    this.#planner = new Planner({
      store,
      log,
      links,
      leaseMs: Math.min(leaseMs, LONGEST_LEASE_MS),
      owner: `${hostname()}:${String(process.pid)}:${randomBytes(4).toString('hex')}`,
      told: (campaignId, planned) => this.#tell(campaignId, planned),
    });
  }

  /** Plans what there is to plan; if somebody else does, waits until he is done, or silent. */
  async plan(workspaceId: number, campaignId: number): Promise<PlanOutcome> {
    for (;;) {
      const running = this.#runs.get(workspaceId);
      if (running) {
        // Whoever asked first is told what was stored.
        await running.catch(() => undefined);
        if (!(await this.#isLeft(workspaceId, campaignId))) return NOTHING_TO_DO;
        continue;
      }
      const outcome = await this.#run(workspaceId, campaignId);
      if (outcome.end === 'done' && (await this.#isLeft(workspaceId, campaignId))) continue;
      if (outcome.end !== 'taken' && outcome.end !== 'lost') return outcome;
      if (!(await this.#isLeft(workspaceId, campaignId))) return outcome;
      if (this.#stopping) return outcome;
      await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    }
  }

  /** Somebody asked again for what is planned. */
  noteKept(workspaceId: number, campaignId: number, kept: number): void {
    if (kept > 0)
      this.log.debug(
        { campaign: campaignId, workspace: workspaceId, skipped: kept },
        'messages that were planned before were skipped',
      );
  }

  /** Without waiting for it. */
  soon(): void {
    this.#lookAt = 0;
    void this.chore().catch(() => undefined);
  }

  progressOf(campaignId: number): PlanProgress | undefined {
    return this.#progress.get(campaignId);
  }

  /** Looks for what is to be planned or has come to its end; does not wait for what it begins. */
  readonly chore = async (): Promise<void> => {
    if (this.#stopping || performance.now() < this.#lookAt) return;
    const began = performance.now();
    const { store } = this;
    for (const { workspaceId, campaignId } of await store.read(findPlanWork(store))) {
      if (this.#runs.has(workspaceId)) continue;
      void this.#run(workspaceId, campaignId).catch((error: unknown) =>
        this.log.warn({ err: error, campaign: campaignId }, 'could not plan; it is tried again'),
      );
    }
    for (const id of await store.read(finishedCampaigns(store))) {
      const now = await store.now();
      await store.transaction(() => completeCampaign(store, id, now));
    }
    const cost = performance.now() - began;
    this.#lookAt = performance.now() + Math.max(LOOK_EVERY_MS, cost * LOOK_COST_FACTOR);
  };

  /** Begins nothing more, and waits for the page that is being written. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#planner.stop();
    await Promise.allSettled(this.#runs.values());
  }

  #run(workspaceId: number, campaignId: number): Promise<PlanOutcome> {
    const run = this.#planner.plan(workspaceId, campaignId).finally(() => {
      this.#runs.delete(workspaceId);
      this.#progress.delete(campaignId);
    });
    this.#runs.set(workspaceId, run);
    return run;
  }

  async #isLeft(workspaceId: number, campaignId: number): Promise<boolean> {
    const work = await this.store.read(findPlanWork(this.store, workspaceId));
    return work.some((each) => each.campaignId === campaignId);
  }

  #tell(campaignId: number, planned: number): void {
    const known = this.#progress.get(campaignId);
    this.#progress.set(campaignId, {
      planned,
      startedAt: known?.startedAt ?? performance.now(),
      startedWith: known?.startedWith ?? planned,
    });
  }
}

const NOTHING_TO_DO: PlanOutcome = {
  end: 'taken',
  scheduled: 0,
  leftOut: { known: 0, suppressed: 0, unreachable: 0, late: 0 },
};
