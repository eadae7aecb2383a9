import type { FirstFit } from '../core/plan/first-fit.js';
import { waitFor, type Script } from '../store/script.js';
import { readCampaign, type CampaignRow } from '../store/scripts/campaigns.js';
import { lockActive, type Prospect } from '../store/scripts/plan-pages.js';
import { sharePlanner, type PlannerLock } from '../store/scripts/planner-lock.js';
import type { Store } from '../store/store.js';
import { lookAgain, type PlacedAhead } from './ahead.js';
import { nothingLeftOut, type LeftOut, type PlannedMessage } from './page.js';
import { Halted, noteStored, ours, storeRows } from './storing.js';
import type { World } from './world.js';

/** What is planned, and by whom. */
export interface PeoplePlan {
  readonly store: Store;
  readonly lock: PlannerLock;
  readonly campaignId: number;
  readonly world: World;
  readonly fit: FirstFit;
}

/** What a page came to. */
export interface Written {
  readonly end: 'more' | 'done' | 'halted' | 'lost' | 'does_not_fit';
  /** Everybody up to this position is planned. */
  readonly through: number;
  readonly scheduled: number;
  readonly leftOut: LeftOut;
  readonly homeless?: Prospect | undefined;
}

/**
 * Stores a page of people who have their times. `before` is the page before it, which may still be written: rows go in side
 * by side, but pages end one after the other, so that everybody up to `planned_through` is planned, whatever dies. While
 * one waits for the other it holds nothing but its own rows, which nobody sees.
 */
export async function writePage(
  plan: PeoplePlan,
  placed: PlacedAhead,
  before: Promise<Written> | undefined,
): Promise<Written> {
  const { store } = plan;
  const mayEnd = before?.then(goesOn);
  // This page may come to an end before it has to wait for it.
  mayEnd?.catch(() => undefined);
  try {
    // Not tried again by itself: what it has placed would be placed twice.
    return await store.transaction(asPlaced(plan, placed, mayEnd));
  } catch (error) {
    if (!(error instanceof PeopleChanged)) throw error;
    return store.transaction(asTheyAre(plan, placed));
  }
}

/** Somebody of a page has ended, or may go on again, since it was placed. */
class PeopleChanged extends Error {}

function goesOn({ end }: Written): void {
  if (end !== 'more') throw new Halted();
}

/** Its rows first, and then its people. */
function* asPlaced(
  { store, lock, campaignId, world }: PeoplePlan,
  placed: PlacedAhead,
  mayEnd: Promise<void> | undefined,
): Script<Written> {
  const known = yield* ours(store, lock, campaignId);
  if (typeof known === 'string') return ended(known, placed);
  const leftOut = { ...placed.leftOut };
  const fresh = yield* storeRows(store, world, known, placed.rows, leftOut);
  if (mayEnd) yield* waitFor(mayEnd);
  const campaign = yield* lockRunning(store, known);
  if (!(yield* isAsPlaced(store, campaign, placed))) throw new PeopleChanged();
  return yield* noted(store, world, campaign, placed, { fresh, leftOut, homeless: placed.homeless });
}

/** Its people first: from here on nobody ends or goes on. */
function* asTheyAre(
  { store, lock, campaignId, world, fit }: PeoplePlan,
  placed: PlacedAhead,
): Script<Written> {
  const known = yield* ours(store, lock, campaignId, sharePlanner);
  if (typeof known === 'string') return ended(known, placed);
  const campaign = yield* lockRunning(store, known);
  const page = yield* lookAgain(store, world, fit, campaign, placed);
  const leftOut = { ...page.leftOut };
  const fresh = yield* storeRows(store, world, campaign, page.rows, leftOut);
  return yield* noted(store, world, campaign, placed, { fresh, leftOut, homeless: page.homeless });
}

const ended = (end: 'lost' | 'halted', { after }: PlacedAhead): Written => ({
  ...{ end, through: after, scheduled: 0, leftOut: nothingLeftOut() },
});

/** Before its people: in this order everybody locks them. */
function* lockRunning(store: Store, { workspace_id, id }: CampaignRow): Script<CampaignRow> {
  const campaign = yield* readCampaign(store, workspace_id, id, { lock: true });
  if (campaign?.state !== 'running') throw new Halted();
  return campaign;
}

function* isAsPlaced(
  store: Store,
  { id }: CampaignRow,
  { after, through, active }: PlacedAhead,
): Script<boolean> {
  const there = yield* lockActive(store, id, after, through);
  return there.length === active.size && there.every(({ position }) => active.has(position));
}

function* noted(
  store: Store,
  world: World,
  { id, enrolled }: CampaignRow,
  placed: PlacedAhead,
  page: {
    readonly fresh: readonly PlannedMessage[];
    readonly leftOut: LeftOut;
    readonly homeless: Prospect | undefined;
  },
): Script<Written> {
  const { fresh, leftOut, homeless } = page;
  const through = homeless ? homeless.position - 1 : placed.through;
  yield* noteStored(store, world, id, through, fresh);
  const end = homeless ? 'does_not_fit' : through >= enrolled ? 'done' : 'more';
  return { end, through, scheduled: fresh.length, leftOut, homeless };
}
