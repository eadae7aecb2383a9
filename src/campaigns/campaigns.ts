import { createHash } from 'node:crypto';
import { CAMPAIGN_STOPPED, type CampaignState } from '../core/campaign.js';
import { PillarboxError } from '../core/errors.js';
import { formatId } from '../core/ids.js';
import type { Step } from '../core/plan/first-fit.js';
import type { Script } from '../store/script.js';
import { readTotals } from '../store/scripts/campaign-figures.js';
import {
  cancelPage,
  changeCampaign,
  dropReadyOf,
  parkPage,
  type CampaignRow,
  type Walked,
} from '../store/scripts/campaigns.js';
import { enrolForReady, insertReady, readyActions } from '../store/scripts/ready-messages.js';
import { readSequence } from '../store/scripts/sequences.js';
import { idOf, readReadyMessages, type ReadyInput } from './input.js';
import { CampaignForesight } from './foresight.js';
import { conflict } from './making.js';
import type { PlanOutcome } from './planner.js';
import { readyKey } from './ready-made.js';
import { blocks } from './warnings.js';
import { readWorld } from './world.js';

/** So long a launch keeps its caller waiting, unless he says otherwise; then it goes on by itself. */
const PATIENCE_MS = 10_000;
const MESSAGES_AT_ONCE = { postgres: 5_000, sqlite: 500 } as const;

/** What scheduling came to. */
export interface SchedulingResult {
  /** Messages that this call stored, and those that were there already or are left out. */
  readonly scheduled: number;
  readonly skipped: number;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export interface SchedulingOptions {
  /** Whether to wait for the end of it, however long it takes. */
  readonly toTheEnd?: boolean | undefined;
}

export interface ScheduleProgress {
  /** In messages. */
  readonly planned: number;
  readonly total: number;
  readonly etaSeconds: number | null;
}

/** Done, or under way: then it goes on by itself, here or elsewhere. */
export type Scheduling =
  | ({ readonly done: true } & SchedulingResult)
  | { readonly done: false; readonly progress: ScheduleProgress };

/**
 * Campaigns of one workspace: who is written to, what, from which accounts, and when. Every decision acts once, however
 * often and from wherever it is made.
 */
export class Campaigns extends CampaignForesight {
  /**
   * From a draft it runs, with the version of its sequence pinned; a running one goes on, and nobody is planned twice; a
   * completed one with new people runs again. Throws `conflict` for one that is paused or stopped, `invalid_config`
   * where nothing could ever leave.
   */
  async launch(id: string, options: SchedulingOptions = {}): Promise<Scheduling> {
    const now = await this.store.now();
    const number = (await this.read(id)).id;
    // Whoever can't sign the links of its mails must know before the first of them is due.
    this.links.unsubscribeUrl(this.workspaceId, 1, number);
    const campaign = await this.store.transaction(() => this.#launch(id, now));
    return this.#schedule(campaign, options);
  }

  *#launch(id: string, now: number): Script<CampaignRow> {
    const { store } = this;
    const campaign = yield* this.locked(id);
    const { state } = campaign;
    if (state === 'paused') throw conflict(campaign, 'resume it instead');
    if (state === 'stopped') throw conflict(campaign, 'make another one');
    if (state === 'running') {
      yield* changeCampaign(store, campaign.id, { plan_fault: null }, now);
      return campaign;
    }
    const pinned = state === 'draft' ? yield* this.#newest(campaign) : campaign.sequence_version;
    const launched = { ...campaign, sequence_version: pinned };
    const [block] = yield* this.#blocks(launched, now);
    if (block) throw new PillarboxError('invalid_config', block);
    yield* changeCampaign(
      store,
      campaign.id,
      {
        ...{ state: 'running', sequence_version: pinned, plan_fault: null, finished_at: null },
        launched_at: campaign.launched_at ?? now,
      },
      now,
    );
    return { ...launched, state: 'running' };
  }

  *#newest({ sequence_id }: CampaignRow): Script<number | null> {
    if (sequence_id === null) return null;
    return (yield* readSequence(this.store, this.workspaceId, sequence_id))?.version ?? null;
  }

  /** Whether anything could ever leave, from what its accounts have for one person each. */
  *#blocks(campaign: CampaignRow, now: number): Script<readonly string[]> {
    const world = yield* readWorld(this.store, campaign, now);
    const ready = yield* readyActions(this.store, campaign.id);
    const wanted: (readonly Step[])[] = ready.map((action) => [{ action, delayDays: 0 }]);
    if (world.steps.length > 0) wanted.push(world.steps);
    let [total, homeless] = [0, 0];
    for (const steps of wanted) {
      const fit = world.fitFor(steps);
      const reachable = steps.map(({ action }) => action);
      for (let position = 0; position < Math.max(1, world.accounts.size); position += 1) {
        const place = fit.place({ position, reachable });
        homeless += place.homeless;
        if (place.homeless === 0) total += place.placed.length;
      }
    }
    const none = { known: 0, suppressed: 0, unreachable: 0, late: 0 };
    const looked = { world, campaign, total, homeless, people: 0, leftOut: none, others: 0 };
    return blocks(looked).map(({ sentence }) => sentence);
  }

  /** Plans for whoever has come since. Throws `conflict` unless it runs. */
  async schedule(id: string, options: SchedulingOptions = {}): Promise<Scheduling> {
    const campaign = await this.read(id);
    if (campaign.state !== 'running') throw conflict(campaign, 'only one that runs can be scheduled');
    return this.#schedule(campaign, options);
  }

  async #schedule(campaign: CampaignRow, { toTheEnd = false }: SchedulingOptions): Promise<Scheduling> {
    const planned = this.planning.plan(this.workspaceId, campaign.id);
    if (toTheEnd) return { done: true, ...(await this.#resultOf(campaign, await planned)) };
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
    });
    // Whoever does not wait for it any more must not be told of its failure: the chore tries again.
    planned.catch(() => undefined);
    const outcome = await Promise.race([planned, patience]).finally(() => clearTimeout(timer));
    if (!outcome) return { done: false, progress: await this.progress(campaign) };
    return { done: true, ...(await this.#resultOf(campaign, outcome)) };
  }

  async #resultOf(campaign: CampaignRow, outcome: PlanOutcome): Promise<SchedulingResult> {
    const { scheduled, leftOut, end } = outcome;
    const totals = await this.store.read(readTotals(this.store, [campaign.id]));
    const left = leftOut.known + leftOut.late + leftOut.suppressed + leftOut.unreachable;
    const stored = totals.get(campaign.id)?.total ?? 0;
    this.planning.noteKept(this.workspaceId, campaign.id, stored - scheduled);
    const errors: string[] = [];
    const warnings: string[] = [];
    if (end === 'does_not_fit')
      errors.push('Not everybody fits: its accounts have no time left in the years to come.');
    if (end === 'no_new_people') warnings.push('It takes no new people: maxNewPerDay is 0.');
    if (leftOut.late > 0)
      warnings.push(`${leftOut.late} would leave after the end of the campaign; not planned.`);
    return { scheduled, skipped: stored - scheduled + left, errors, warnings };
  }

  /** The same by its id. Throws `not_found`. */
  async progressOf(id: string): Promise<ScheduleProgress> {
    return this.progress(await this.read(id));
  }

  /** How far the planning is, as far as anybody knows. */
  protected async progress(campaign: CampaignRow): Promise<ScheduleProgress> {
    const now = await this.read(formatId('campaign', campaign.id));
    const steps = Math.max(1, await this.stepsOf(now));
    const known = this.planning.progressOf(campaign.id);
    const planned = Math.max(now.planned_through, known?.planned ?? 0);
    const done = known ? planned - known.startedWith : 0;
    const seconds = known ? (performance.now() - known.startedAt) / 1_000 : 0;
    const left = now.enrolled - planned;
    return {
      planned: planned * steps,
      total: now.enrolled * steps,
      etaSeconds: done > 0 && left > 0 ? Math.ceil((seconds / done) * left) : left > 0 ? null : 0,
    };
  }

  /** Nothing of it leaves from here on, on any machine, but what was handed over. Pressed twice it is the same. */
  async pause(id: string, reason?: string): Promise<void> {
    const now = await this.store.now();
    const campaign = await this.store.transaction(() =>
      this.#move(id, ['running', 'paused'], 'paused', { paused_at: now, pause_reason: reason ?? null }, now),
    );
    await this.#walk((after, limit) => parkPage(this.store, campaign.id, after, limit));
  }

  /** It goes on: what waits gets new times from now on. */
  async resume(id: string, options: SchedulingOptions = {}): Promise<Scheduling> {
    const now = await this.store.now();
    const campaign = await this.store.transaction(() => this.#resume(id, now));
    return this.#schedule(campaign, options);
  }

  *#resume(id: string, now: number): Script<CampaignRow> {
    const campaign = yield* this.locked(id);
    if (campaign.state === 'running') return campaign;
    if (campaign.state !== 'paused') throw conflict(campaign, 'only one that is paused can go on');
    const set = {
      state: 'running',
      paused_at: null,
      pause_reason: null,
      plan_fault: null,
      replan: campaign.replan + 1,
    } as const;
    yield* changeCampaign(this.store, campaign.id, set, now);
    return { ...campaign, ...set };
  }

  /** Ends it: what waits is cancelled. */
  async stop(id: string): Promise<void> {
    const now = await this.store.now();
    const campaign = await this.store.transaction(() =>
      this.#move(id, ['draft', 'running', 'paused', 'stopped'], 'stopped', { finished_at: now }, now),
    );
    await this.store.transaction(() => dropReadyOf(this.store, campaign.id));
    await this.#walk((after, limit) =>
      cancelPage(this.store, campaign.id, after, limit, CAMPAIGN_STOPPED, now),
    );
  }

  *#move(
    id: string,
    from: readonly CampaignState[],
    to: CampaignState,
    set: {
      readonly paused_at?: number;
      readonly pause_reason?: string | null;
      readonly finished_at?: number;
    },
    now: number,
  ): Script<CampaignRow> {
    const campaign = yield* this.locked(id);
    if (!from.includes(campaign.state)) throw conflict(campaign, `it can't be ${to}`);
    if (campaign.state !== to) yield* changeCampaign(this.store, campaign.id, { ...set, state: to }, now);
    return campaign;
  }

  async #walk(page: (after: number, limit: number) => Script<Walked>): Promise<void> {
    const limit = MESSAGES_AT_ONCE[this.store.dialect];
    for (let after: number | undefined = 0; after !== undefined;) {
      const from: number = after;
      const { last } = await this.store.transaction(() => page(from, limit));
      after = last;
    }
  }

  /** Messages that somebody else made, dealt to accounts and planned: of a draft at its launch, else at once. */
  async addMessages(
    id: string,
    input: { readonly messages: readonly ReadyInput[] },
  ): Promise<SchedulingResult> {
    const messages = readReadyMessages(input);
    const now = await this.store.now();
    const { campaign, known } = await this.store.transaction(() => this.#addMessages(id, messages, now));
    if (campaign.state !== 'running')
      return { scheduled: messages.length - known, skipped: known, errors: [], warnings: [] };
    const { scheduled, leftOut, end } = await this.planning.plan(this.workspaceId, campaign.id);
    const errors =
      end === 'does_not_fit' ? ['Not all of them fit: no time is left in the years to come.'] : [];
    const left = leftOut.known + leftOut.late + leftOut.unreachable;
    return { scheduled, skipped: known + left, errors, warnings: [] };
  }

  *#addMessages(
    id: string,
    messages: readonly ReadyInput[],
    now: number,
  ): Script<{ readonly campaign: CampaignRow; readonly known: number }> {
    const { store } = this;
    const campaign = yield* this.locked(id);
    if (campaign.state !== 'draft' && campaign.state !== 'running')
      throw conflict(campaign, 'it takes no messages any more');
    const contacts = messages.map(({ contactId }, n) =>
      idOf('contact', `messages.${n}.contactId`, contactId),
    );
    yield* this.known(contacts, 'messages', '.contactId');
    const of = { id: campaign.id, workspaceId: this.workspaceId };
    yield* enrolForReady(store, of, contacts, now);
    const rows = messages.map(({ subject = null, body, action = 'email', idempotencyKey }, n) => {
      const contactId = contacts[n] as number;
      const content = JSON.stringify({ subject, body });
      const bodyHash = createHash('sha256').update(`${action} ${content}`).digest('hex');
      const key = idempotencyKey ?? readyKey(campaign.id, contactId, bodyHash);
      return { contactId, action, key, bodyHash, subject, mail: content };
    });
    return { campaign, known: (yield* insertReady(store, of, rows, now)).length };
  }
}
