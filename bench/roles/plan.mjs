// @ts-check
import { Planner } from '../../dist/campaigns/planner.js';
import { openStore } from '../../dist/store/open.js';
import { log } from '../contenders/pillarbox.mjs';
import { planRaw } from '../contenders/raw-plan.mjs';
import { withDatabase } from '../database.mjs';
import { databaseCpu } from '../database-cpu.mjs';
import { timed } from '../figures.mjs';
import { mostResident } from '../resident.mjs';
import { STEPS } from '../stock/campaign.mjs';

/** @typedef {{ work: () => Promise<unknown>, close: () => Promise<void> }} Way */

/**
 * @param {string} url
 * @param {import('../stock/campaign.mjs').Stocked} stocked
 * @returns {Promise<Way>}
 */
async function planned(url, { workspaceId, campaignId }) {
  const store = await openStore({ databaseUrl: url, leaseMs: 120_000, log });
  const planner = new Planner({
    ...{ store, log, owner: 'bench', leaseMs: 120_000 },
    links: { unsubscribeUrl: () => 'https://mail.example/u/x' },
  });
  return {
    work: async () => {
      const { end } = await planner.plan(workspaceId, campaignId);
      if (end !== 'done') throw new Error(`the plan ended with ${end}`);
    },
    close: () => store.close(),
  };
}

/**
 * Gives every step of everybody a time and stores it, or stores as many rows without looking for one.
 *
 * @param {{ url: string, raw: boolean, people: number, stocked: import('../stock/campaign.mjs').Stocked }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, raw, people, stocked }, parent) {
  const { work, close } = await (raw ? planRaw(url, people, stocked) : planned(url, stocked));
  const rows = people * STEPS;
  await withDatabase(url, async (db) => {
    const before = db.dialect === 'postgres' ? await databaseCpu(db) : 0;
    const { seconds, cpuMicroseconds } = await timed(work);
    const after = db.dialect === 'postgres' ? await databaseCpu(db) : 0;
    const cpu = (cpuMicroseconds + after - before) / rows;
    parent.tell({ kind: 'result', perSecond: rows / seconds, cpu, peak: mostResident() });
  });
  await close();
}
