// @ts-check
import { SENDING_DEFAULTS } from '../../dist/core/sending.js';
import { openStore } from '../../dist/store/open.js';
import { ensureAccount, ensureWorkspace } from '../../dist/store/scripts/accounts.js';
import { changeCampaign, insertCampaign } from '../../dist/store/scripts/campaigns.js';
import { ensureGuardedChannel } from '../../dist/store/scripts/openings.js';
import { addSequence } from '../../dist/store/scripts/sequences.js';
import { writeSettings } from '../../dist/store/scripts/settings.js';
import { log } from '../contenders/pillarbox.mjs';
import { withDatabase } from '../database.mjs';

const ACCOUNTS = 10;
export const STEPS = 3;
/** So many a day that the last leaves within the years that calendars know. */
const A_DAY = 5_000;
const SETTINGS = {
  ...SENDING_DEFAULTS,
  ...{ startHour: 0, endHour: 24, dailyQuota: A_DAY * ACCOUNTS, sendingDays: [1, 2, 3, 4, 5, 6, 7] },
  spacing: { minSeconds: 1, maxSeconds: 12 },
};

/**
 * A campaign that runs, with nobody planned yet.
 *
 * @typedef {{ workspaceId: number, campaignId: number, sequenceId: number, channelIds: number[] }} Stocked
 *
 * @param {string} databaseUrl
 * @param {number} people
 * @returns {Promise<Stocked>}
 */
export async function addCampaign(databaseUrl, people) {
  const store = await openStore({ databaseUrl, leaseMs: 120_000, log });
  const now = Date.now();
  const made = await store.transaction(
    (function* () {
      const workspaceId = yield* ensureWorkspace(store, 'bench', now);
      yield* writeSettings(store, workspaceId, 'sending', SETTINGS);
      const accountIds = [];
      const channelIds = [];
      for (let n = 0; n < ACCOUNTS; n += 1) {
        const wanted = { name: `account ${n}`, emailAddress: `sender${n}@example.test`, displayName: null };
        const { id } = yield* ensureAccount(store, workspaceId, { ...wanted, transport: '{}' }, now);
        accountIds.push(id);
        channelIds.push(yield* ensureGuardedChannel(store, id, 'email'));
      }
      const steps = Array.from({ length: STEPS }, (_, n) => stepOf(n + 1));
      const { id: sequenceId } = yield* addSequence(store, workspaceId, { name: 'bench', steps }, now);
      const campaignId = yield* insertCampaign(
        store,
        {
          ...{ workspaceId, name: 'bench', sequenceId, accountIds, terms: '{}', stopOnReply: true },
          seed: 7,
        },
        now,
      );
      const set = /** @type {const} */ ({ state: 'running', sequence_version: 1, enrolled: people });
      yield* changeCampaign(store, campaignId, set, now);
      return { workspaceId, campaignId, sequenceId, channelIds };
    })(),
  );
  await store.close();
  await withDatabase(databaseUrl, async (db) => {
    const numbers =
      db.dialect === 'postgres'
        ? `generate_series(1, ${people}) n`
        : `(with recursive r(n) as (select 1 union all select n + 1 from r where n < ${people}) select n from r) n`;
    const n = db.dialect === 'postgres' ? 'n' : 'n.n';
    await db.query(`insert into contacts (workspace_id, email, name, attributes, created_at, updated_at)
      select ${made.workspaceId}, 'person' || ${n} || '@example.test', 'Person ' || ${n}, '{"company":"Quay"}', 1, 1
      from ${numbers}`);
    await db.query(`insert into enrolments
        (campaign_id, contact_id, workspace_id, position, state, enrolled_at, changed_at)
      select ${made.campaignId}, id, workspace_id, row_number() over (order by id), 'active', 1, 1 from contacts`);
    const sending = JSON.stringify({ dailyLimitEmails: A_DAY });
    await db.query(`update accounts set sending = '${sending}'`);
  });
  return made;
}

/** @param {number} order */
const stepOf = (order) => ({
  ...{ order, delayDays: order === 1 ? 0 : 3, delayUnit: /** @type {const} */ ('days') },
  ...{ action: /** @type {const} */ ('email'), subject: `Step ${order}`, body: 'Hello', bodyText: null },
});
