import { readTerms } from '../core/campaign.js';
import type { Action } from '../core/message.js';
import type { PlanCommon } from '../store/plan-row.js';
import type { Script } from '../store/script.js';
import { readCampaign, type CampaignRow } from '../store/scripts/campaigns.js';
import { ensureGuardedChannel, ensureOwnOpening } from '../store/scripts/openings.js';
import {
  knownKeys,
  noteLaunched,
  notePlanned,
  storePlan,
  type Prospect,
} from '../store/scripts/plan-pages.js';
import { keepPlanner, type PlannerLock } from '../store/scripts/planner-lock.js';
import { readyActions } from '../store/scripts/ready-messages.js';
import { suppressionsOf } from '../store/scripts/suppression-list.js';
import type { Store } from '../store/store.js';
import { firstKey, launchedDays, type LeftOut, type PageFacts, type PlannedMessage } from './page.js';
import { readCampaignAccounts, readSteps, type World } from './world.js';

/** The channels that its steps will leave by, before what is free is read. */
export function* prepare(
  store: Store,
  workspaceId: number,
  campaignId: number,
): Script<CampaignRow | undefined> {
  const campaign = yield* readCampaign(store, workspaceId, campaignId);
  if (!campaign) return undefined;
  const { steps } = yield* readSteps(store, campaign);
  const wanted = new Set<Action>([
    ...steps.map(({ action }) => action),
    ...(yield* readyActions(store, campaignId)),
  ]);
  const own = readTerms(campaign.terms).timezone === 'recipient';
  for (const { id, type } of yield* readCampaignAccounts(store, campaign)) {
    for (const action of wanted) {
      if ((action === 'email') !== (type === 'email')) continue;
      const channelId = yield* ensureGuardedChannel(store, id, action);
      if (own) yield* ensureOwnOpening(store, channelId);
    }
  }
  return campaign;
}

/** What is known of the people of a page beside themselves. */
export function* factsOf(
  store: Store,
  world: World,
  { workspace_id }: CampaignRow,
  prospects: readonly Prospect[],
): Script<PageFacts> {
  const addresses = prospects.flatMap(({ email }) => email ?? []);
  const errand = { lane: 'campaign', transactional: false } as const;
  return {
    known: yield* knownKeys(
      store,
      workspace_id,
      prospects.flatMap((prospect) => firstKey(world, prospect) ?? []),
    ),
    suppressed: new Set((yield* suppressionsOf(store, workspace_id, addresses, errand)).keys()),
  };
}

/** Answers those that are new. */
export function* storeRows(
  store: Store,
  world: World,
  campaign: CampaignRow,
  planned: readonly PlannedMessage[],
  leftOut: LeftOut,
): Script<readonly PlannedMessage[]> {
  const { lane, terms, sequence } = world;
  const now = world.now;
  const common: PlanCommon = {
    workspaceId: campaign.workspace_id,
    campaignId: campaign.id,
    sequenceId: campaign.sequence_id,
    sequenceVersion: campaign.sequence_id === null ? null : (sequence?.version ?? null),
    expiresAt: terms.endAt,
    retryPolicy: typeof lane.retryPolicy === 'string' ? lane.retryPolicy : JSON.stringify(lane.retryPolicy),
    doubtPolicy: lane.onDoubt,
    now,
  };
  if (planned.some(({ channelId }) => channelId === 0))
    throw new Error('a message was planned for a channel that is not there');
  const known = new Set(yield* storePlan(store, common, planned));
  leftOut.known += known.size;
  return known.size === 0 ? planned : planned.filter((_, n) => !known.has(n));
}

/** The campaign was paused or stopped while a page was written: nothing of it is stored. */
export class Halted extends Error {}

/** The last of a page: it can't be paused any more before the commit, or it was. */
export function* noteStored(
  store: Store,
  world: World,
  campaignId: number,
  through: number,
  fresh: readonly PlannedMessage[],
): Script<void> {
  yield* noteLaunched(store, campaignId, launchedDays(world, fresh));
  yield* noteOrHalt(store, campaignId, through, fresh);
}

export function* noteOrHalt(
  store: Store,
  campaignId: number,
  through: number,
  rows: readonly { readonly dueAt: number }[],
): Script<void> {
  const lastAt = rows.reduce((last, { dueAt }) => Math.max(last, dueAt), 0);
  if (!(yield* notePlanned(store, campaignId, through, lastAt))) throw new Halted();
}

/**
 * At the beginning of every page's transaction: is it still ours to plan, and does the campaign run? The campaign is not
 * locked before the end of the page: gates of its messages would wait.
 */
export function* ours(
  store: Store,
  lock: PlannerLock,
  campaignId: number,
  keep = keepPlanner,
): Script<CampaignRow | 'lost' | 'halted'> {
  if (!(yield* keep(store, lock))) return 'lost';
  const campaign = yield* readCampaign(store, lock.workspaceId, campaignId);
  return campaign?.state === 'running' ? campaign : 'halted';
}
