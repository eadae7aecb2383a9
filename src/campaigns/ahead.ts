import type { FirstFit } from '../core/plan/first-fit.js';
import type { Script } from '../store/script.js';
import { readCampaign, type CampaignRow } from '../store/scripts/campaigns.js';
import { lockActive, readProspects, type Prospect } from '../store/scripts/plan-pages.js';
import type { Store } from '../store/store.js';
import { addLeftOut, planPage, type LeftOut, type PlannedMessage, type PlannedPage } from './page.js';
import { factsOf } from './storing.js';
import type { World } from './world.js';

/** A page of people who have their times, while the page before is still being written. */
export interface PlacedAhead extends PlannedPage {
  readonly after: number;
  /** Everybody up to this position was looked at. */
  readonly through: number;
  /** Those who were active, by their positions. */
  readonly active: ReadonlySet<number>;
  /** Nobody had come to the end of the campaign's people. */
  readonly more: boolean;
}

/** Reads the next people and gives them times. Nothing is locked: `lookAgain` does when they are stored. Undefined: no campaign. */
export function* placeAhead(
  store: Store,
  world: World,
  fit: FirstFit,
  { workspace_id, id }: CampaignRow,
  after: number,
  limit: number,
): Script<PlacedAhead | undefined> {
  // Before its people: whoever comes in between is found by the next page.
  const campaign = yield* readCampaign(store, workspace_id, id);
  if (!campaign) return undefined;
  const { prospects, through } = yield* readProspects(store, campaign, after, limit);
  const planned = planPage(world, fit, prospects, yield* factsOf(store, world, campaign, prospects));
  return {
    ...{ ...planned, after, through, active: new Set(prospects.map(({ position }) => position)) },
    more: through < campaign.enrolled && !planned.homeless,
  };
}

/** What is left of a page when it is stored, and what came to it. */
export interface PageToStore {
  readonly rows: readonly PlannedMessage[];
  readonly leftOut: LeftOut;
  readonly homeless: Prospect | undefined;
}

/**
 * In the transaction that stores a page: its people, locked against whatever would end them. Whoever was ended since he was
 * placed gets nothing; whoever may go on since then is placed now, behind the others.
 */
export function* lookAgain(
  store: Store,
  world: World,
  fit: FirstFit,
  campaign: CampaignRow,
  { rows, active, after, through, homeless, leftOut }: PlacedAhead,
): Script<PageToStore> {
  const last = homeless ? homeless.position - 1 : through;
  const there = yield* lockActive(store, campaign.id, after, last);
  const present = new Set(there.map(({ contactId }) => contactId));
  const still = rows.filter(({ contactId }) => present.has(contactId));
  if (there.every(({ position }) => active.has(position))) return { rows: still, leftOut, homeless };
  const { prospects } = yield* readProspects(store, campaign, after, last - after);
  const come = prospects.filter(({ position }) => !active.has(position));
  const planned = planPage(world, fit, come, yield* factsOf(store, world, campaign, come));
  const both = { ...leftOut };
  addLeftOut(both, planned.leftOut);
  return { rows: [...still, ...planned.rows], leftOut: both, homeless: planned.homeless ?? homeless };
}
