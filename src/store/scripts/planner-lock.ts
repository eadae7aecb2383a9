import { sql } from '../../vendor/kysely.js';
import { askOne, ask, type Script } from '../script.js';
import type { Store } from '../store.js';
import { clockOf } from './workers.js';

/** Whoever plans for a workspace, until when unless there is a sign of life. */
export interface PlannerLock {
  readonly workspaceId: number;
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * One plans at a time in a workspace: what its accounts may send together is shared by all its campaigns. False: somebody
 * else does, and is not silent.
 */
export function* takePlanner(store: Store, lock: PlannerLock, campaignId: number): Script<boolean> {
  const clock = clockOf(store);
  const until = sql<number>`${clock} + ${lock.leaseMs}`;
  const taken = yield* askOne(
    store.db
      .insertInto('planners')
      .values({ workspace_id: lock.workspaceId, campaign_id: campaignId, owner: lock.owner, until })
      .onConflict((conflict) =>
        conflict
          .column('workspace_id')
          .doUpdateSet({ campaign_id: campaignId, owner: lock.owner, until })
          .where((eb) => eb.or([eb('planners.until', '<=', clock), eb('planners.owner', '=', lock.owner)])),
      )
      .returning('workspace_id'),
  );
  return taken !== undefined;
}

/** In the transaction of every page. False: it was taken by somebody else, who plans on from what is stored. */
export function* keepPlanner(store: Store, { workspaceId, owner, leaseMs }: PlannerLock): Script<boolean> {
  const clock = clockOf(store);
  const kept = yield* askOne(
    store.db
      .updateTable('planners')
      .set({ until: sql<number>`${clock} + ${leaseMs}` })
      .where('workspace_id', '=', workspaceId)
      .where('owner', '=', owner)
      .where('until', '>', clock)
      .returning('workspace_id'),
  );
  return kept !== undefined;
}

export function* releasePlanner({ db }: Store, { workspaceId, owner }: PlannerLock): Script<void> {
  yield* ask(db.deleteFrom('planners').where('workspace_id', '=', workspaceId).where('owner', '=', owner));
}
