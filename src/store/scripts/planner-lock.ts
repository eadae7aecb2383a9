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

/** It is renewed once so much of it is over: renewing waits for the page that is being written beside this one. */
const RENEW_AFTER = 0.1;

/**
 * In the transaction of every page. False: it was taken by somebody else, who plans on from what is stored. Nobody takes
 * it before the end of the transaction; pages that are written at the same time share it.
 */
export function* keepPlanner(store: Store, lock: PlannerLock): Script<boolean> {
  const clock = clockOf(store);
  const renewed = yield* askOne(
    store.db
      .updateTable('planners')
      .set({ until: sql<number>`${clock} + ${lock.leaseMs}` })
      .where('workspace_id', '=', lock.workspaceId)
      .where('owner', '=', lock.owner)
      .where('until', '>', clock)
      .where('until', '<', sql<number>`${clock} + ${Math.floor(lock.leaseMs * (1 - RENEW_AFTER))}`)
      .returning('workspace_id'),
  );
  return renewed !== undefined || (yield* sharePlanner(store, lock));
}

/** The same without renewing it: a page that the next one waits for must not wait for the share of that one. */
export function* sharePlanner(store: Store, { workspaceId, owner }: PlannerLock): Script<boolean> {
  const query = store.db
    .selectFrom('planners')
    .select('workspace_id')
    .where('workspace_id', '=', workspaceId)
    .where('owner', '=', owner)
    .where('until', '>', clockOf(store));
  return (yield* askOne(store.dialect === 'postgres' ? query.forShare() : query)) !== undefined;
}

export function* releasePlanner({ db }: Store, { workspaceId, owner }: PlannerLock): Script<void> {
  yield* ask(db.deleteFrom('planners').where('workspace_id', '=', workspaceId).where('owner', '=', owner));
}
