import type { Simulation } from '../core/simulation.js';
import { silent } from '../log/log.js';
import { openScratch, openStore } from '../store/open.js';
import { makeDescribed } from '../store/scripts/described-world.js';
import { copyCampaign } from '../store/scripts/workspace-copy.js';
import { run, type Told } from './run.js';
import type { CampaignTask, Task } from './task.js';

/** In this thread, which has nothing else to do meanwhile. */
export async function simulateHere(task: Task, told?: Told): Promise<Simulation> {
  const store = await openScratch(task.from, silent);
  try {
    const made =
      'description' in task
        ? await store.transaction(() => makeDescribed(store, task.description, task.from))
        : await copied(task, store);
    const change = 'description' in task ? undefined : task.change;
    return await run(store, { ...made, startedAt: task.from, days: task.days, change }, told);
  } finally {
    await store.close();
  }
}

/** Only looks at what it copies; is connected no longer than that takes. */
async function copied(
  { access, workspaceId, campaignId, from }: CampaignTask,
  store: Awaited<ReturnType<typeof openScratch>>,
): Promise<Pick<CampaignTask, 'workspaceId' | 'campaignId'>> {
  const { databaseUrl, databaseDirectUrl, schema } = access;
  const source = await openStore({
    ...{ databaseUrl, databaseDirectUrl, leaseMs: NO_LEASES_MS, log: silent },
    ...(schema !== undefined && { schema }),
  });
  try {
    await copyCampaign(source, store, { workspaceId, campaignId, now: from });
  } finally {
    await source.close();
  }
  return { workspaceId, campaignId };
}

const NO_LEASES_MS = 60_000;
