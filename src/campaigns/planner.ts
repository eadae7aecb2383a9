import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Action } from '../core/message.js';
import type { FirstFit } from '../core/plan/first-fit.js';
import type { Logger } from '../log/log.js';
import type { PlanMove } from '../store/plan-row.js';
import type { Script } from '../store/script.js';
import { changeCampaign, type CampaignRow } from '../store/scripts/campaigns.js';
import { movePlan, type Prospect } from '../store/scripts/plan-pages.js';
import { releasePlanner, takePlanner, type PlannerLock } from '../store/scripts/planner-lock.js';
import { dropReady, readReady } from '../store/scripts/ready-messages.js';
import { noteReplanned, readHalted } from '../store/scripts/replan.js';
import type { Store } from '../store/store.js';
import { placeAhead } from './ahead.js';
import { addLeftOut, nothingLeftOut, type LeftOut } from './page.js';
import { writePage, type PeoplePlan, type Written } from './people-pages.js';
import { placeReady, type ReadyLinks } from './ready-made.js';
import { byPerson, movesOf } from './replanning.js';
import { Halted, noteOrHalt, noteStored, ours, prepare, storeRows } from './storing.js';
import { readWorld, type World } from './world.js';

/** Messages a page. On SQLite nobody else has a turn while it is written. */
const MESSAGES_AT_ONCE = { postgres: 3_000, sqlite: 1_000 } as const;
const LEAST_PEOPLE = 25;
const peopleAtOnce = ({ dialect }: Store, steps: number): number =>
  Math.max(LEAST_PEOPLE, Math.floor(MESSAGES_AT_ONCE[dialect] / Math.max(1, steps)));
const READY_AT_ONCE = 200;
/** While one page of PostgreSQL is being written, so is the next. */
const PAGES_AT_ONCE = { postgres: 2, sqlite: 1 } as const;

export interface PlanOutcome {
  /** `done`: nothing is left. `taken`: somebody else plans. `halted`: it does not run. `lost`: somebody took over. */
  readonly end: 'done' | 'taken' | 'halted' | 'lost' | 'does_not_fit' | 'no_new_people';
  /** What this run stored and what it left out, in messages. */
  readonly scheduled: number;
  readonly leftOut: LeftOut;
  /** The first for whom there was no time. */
  readonly homeless?: Prospect | undefined;
}

export interface PlannerOptions {
  readonly store: Store;
  readonly log: Logger;
  /** Who plans; another in every process. */
  readonly owner: string;
  readonly links: ReadyLinks;
  /** A planner that is silent so long has lost its place to the next. A page takes a fraction of a second. */
  readonly leaseMs: number;
  /** Told after every page. */
  readonly told?: ((campaignId: number, through: number) => void) | undefined;
}

/** What a page came to. */
type PageEnd = 'more' | Exclude<PlanOutcome['end'], 'taken'>;

/**
 * Gives a campaign's messages their times, by pages: each is one transaction that looks whether this planner still has its
 * place, whether the campaign runs and who of its people is active, and stores all steps of each of them. While one is
 * written, the people of the next are read and placed, on a connection of their own (`ahead.ts`). What is free
 * is read from rows at the beginning, so a planner that dies leaves nothing behind but what is stored, and the next one
 * goes on from there.
 */
export class Planner {
  #stopping = false;

  constructor(private readonly options: PlannerOptions) {}

  /** After the page that is being written; the next who looks goes on. */
  stop(): void {
    this.#stopping = true;
  }

  async plan(workspaceId: number, campaignId: number): Promise<PlanOutcome> {
    const { store, owner, leaseMs } = this.options;
    const lock: PlannerLock = { workspaceId, owner, leaseMs };
    const run = { scheduled: 0, leftOut: nothingLeftOut() };
    if (!(await store.transaction(() => takePlanner(store, lock, campaignId))))
      return { end: 'taken', ...run };
    try {
      const outcome = await this.#pages(lock, campaignId, run);
      // Nobody's mistake, but whoever wonders where they are should find them.
      if (run.leftOut.known > 0)
        this.options.log.info(
          { campaign: campaignId, workspace: workspaceId, skipped: run.leftOut.known },
          'messages with keys that exist already were skipped',
        );
      return outcome;
    } catch (error) {
      if (error instanceof Halted) return { end: 'halted', ...run };
      throw error;
    } finally {
      // If the database is away, the place is lost when its time is over.
      await store.transaction(() => releasePlanner(store, lock)).catch(() => undefined);
    }
  }

  async #pages(
    lock: PlannerLock,
    campaignId: number,
    run: { scheduled: number; leftOut: LeftOut },
  ): Promise<PlanOutcome> {
    const { store } = this.options;
    const { workspaceId } = lock;
    const campaign = await store.transaction(() => prepare(store, workspaceId, campaignId));
    if (campaign?.state !== 'running') return { end: 'halted', ...run };
    const world = await store.read(readWorld(store, campaign, await store.now()));
    const fit = world.fitFor(world.steps);
    const { maxNewPerDay, prioritize, timezone } = world.terms;
    // What was halted comes first: it has waited longest.
    const replanned = await this.#replan(lock, world, fit, campaign);
    if (replanned !== 'done') return { end: replanned, ...run };
    const ready = await this.#ready(lock, world, campaign, run);
    if (ready !== 'done') return { end: ready, ...run };
    let from = campaign.planned_through;
    if (maxNewPerDay === 0 && from < campaign.enrolled) {
      await this.#stopped(lock, campaignId, 'no_new_people');
      return { end: 'no_new_people', ...run };
    }
    if (prioritize === 'new' && timezone === 'account') fit.reserveNew(positions(from, campaign.enrolled));
    const people: PeoplePlan = { store, lock, campaignId, world, fit };
    const atOnce = peopleAtOnce(store, world.steps.length);
    const look = (after: number) =>
      unasked(store.read(placeAhead(store, world, fit, campaign, after, atOnce)));
    const writing: Promise<Written>[] = [];
    let ahead = look(from);
    try {
      for (;;) {
        const placed = await ahead;
        if (!placed) return { end: 'halted', ...run };
        writing.push(unasked(writePage(people, placed, writing.at(-1))));
        // Whoever comes next is read and placed while this page is written.
        if (placed.more) ahead = look(placed.through);
        const goesOn = placed.more && !this.#stopping;
        while (writing.length >= (goesOn ? PAGES_AT_ONCE[store.dialect] : 1)) {
          const { end, through, scheduled, leftOut, homeless } = await (writing.shift() as Promise<Written>);
          run.scheduled += scheduled;
          addLeftOut(run.leftOut, leftOut);
          this.options.told?.(campaignId, through);
          if (end === 'does_not_fit') await this.#stopped(lock, campaignId, end);
          if (end !== 'more') return { end, ...run, homeless };
          from = through;
        }
        if (this.#stopping) return { end: 'lost', ...run };
        // People came while the last page was written.
        if (!placed.more) ahead = look(from);
        await othersFirst();
      }
    } finally {
      // Nothing of it is asked of the database behind the caller's back.
      await Promise.allSettled([...writing, ahead]);
    }
  }

  /** Messages that were made by somebody else. */
  async #ready(
    lock: PlannerLock,
    world: World,
    campaign: CampaignRow,
    run: { scheduled: number; leftOut: LeftOut },
  ): Promise<Exclude<PageEnd, 'more'>> {
    const { store } = this.options;
    const fits = new Map<Action, FirstFit>();
    const fitFor = (action: Action) => {
      const fit = fits.get(action) ?? world.fitFor([{ action, delayDays: 0 }]);
      fits.set(action, fit);
      return fit;
    };
    for (let after = 0; ;) {
      const page = { after, last: after, scheduled: 0 };
      const end = await store.transaction(
        this.#readyPage(lock, world, fitFor, campaign.id, page, run.leftOut),
      );
      run.scheduled += page.scheduled;
      if (end !== 'more') return end;
      after = page.last;
      await othersFirst();
    }
  }

  *#readyPage(
    lock: PlannerLock,
    world: World,
    fitFor: (action: Action) => FirstFit,
    campaignId: number,
    page: { readonly after: number; last: number; scheduled: number },
    leftOut: LeftOut,
  ): Script<PageEnd> {
    const { store, links } = this.options;
    const campaign = yield* ours(store, lock, campaignId);
    if (typeof campaign === 'string') return campaign;
    const ready = yield* readReady(store, campaignId, page.after, READY_AT_ONCE);
    const planned = placeReady(world, fitFor, campaign, ready, links, world.postalAddress);
    const withoutSequence = { ...campaign, sequence_id: null };
    const fresh = yield* storeRows(store, world, withoutSequence, planned.rows, leftOut);
    page.scheduled = fresh.length;
    leftOut.unreachable += planned.unreachable;
    leftOut.late += planned.late;
    yield* dropReady(store, planned.done);
    yield* noteStored(store, world, campaignId, campaign.planned_through, fresh);
    page.last = ready.at(-1)?.id ?? page.after;
    if (planned.homeless) {
      yield* changeCampaign(store, campaignId, { plan_fault: 'does_not_fit' }, world.now);
      return 'does_not_fit';
    }
    return ready.length < READY_AT_ONCE ? 'done' : 'more';
  }

  /** New times for what was halted and may go on. */
  async #replan(
    lock: PlannerLock,
    world: World,
    fit: FirstFit,
    campaign: CampaignRow,
  ): Promise<Exclude<PageEnd, 'more'>> {
    const { store } = this.options;
    if (campaign.replan === 0) return 'done';
    for (let after = 0; ;) {
      const page = { after, last: undefined as number | undefined };
      const end = await store.transaction(this.#replanPage(lock, world, fit, campaign.id, page));
      if (end !== 'more') return end;
      if (page.last === undefined) break;
      after = page.last;
      await othersFirst();
    }
    await store.transaction(() => noteReplanned(store, campaign.id, campaign.replan));
    return 'done';
  }

  *#replanPage(
    lock: PlannerLock,
    world: World,
    fit: FirstFit,
    campaignId: number,
    page: { readonly after: number; last: number | undefined },
  ): Script<PageEnd> {
    const { store } = this.options;
    const campaign = yield* ours(store, lock, campaignId);
    if (typeof campaign === 'string') return campaign;
    const halted = yield* readHalted(store, campaignId, page.after, peopleAtOnce(store, world.steps.length), {
      lock: true,
    });
    const moves: PlanMove[] = [];
    for (const messages of byPerson(halted.messages)) {
      const contactId = messages[0]?.contactId ?? 0;
      const firstStep = Math.min(...(halted.steps.get(contactId) ?? []));
      moves.push(...movesOf(world, fit, messages, halted.sent.get(contactId), firstStep));
    }
    yield* movePlan(store, moves);
    yield* noteOrHalt(store, campaignId, 0, []);
    page.last = halted.last;
    return 'more';
  }

  async #stopped(
    lock: PlannerLock,
    campaignId: number,
    plan_fault: 'does_not_fit' | 'no_new_people',
  ): Promise<void> {
    const { store, log } = this.options;
    const now = await store.now();
    await store.transaction(() => changeCampaign(store, campaignId, { plan_fault }, now));
    log.warn({ campaign: campaignId, workspace: lock.workspaceId, why: plan_fault }, 'planning has stopped');
  }
}

/** It may fail before anybody asks how it went. */
function unasked<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

function* positions(after: number, through: number): Generator<number> {
  for (let position = after + 1; position <= through; position += 1) yield position;
}
