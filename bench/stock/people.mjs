// @ts-check
import { settleDown, withDatabase } from '../database.mjs';
import { addCampaign } from './campaign.mjs';

export const FIRST_NAMES = 50;
export const LAST_NAMES = 2_000;
export const HOUSES = 5_000;
export const IMPORTS = 20;
/** One in so many has replied, and of so many one is paused. */
const REPLIED = 20;
const PAUSED = 5_000;

/** @param {number} n */
export const addressOf = (n) => `person${n}@house${n % HOUSES}.example.test`;

/**
 * As many people, each known by three words, all of them in one campaign.
 *
 * @param {import('../groups/group.mjs').BenchContext} bench
 * @param {'postgres' | 'sqlite'} dialect
 * @param {number} total
 */
export async function peopled({ ground }, dialect, total) {
  const { url, drop } = await ground.fresh(dialect);
  const { workspaceId, campaignId } = await addCampaign(url, total);
  const first = `'first' || (id % ${FIRST_NAMES}) || 'x'`;
  const last = `'last' || (id % ${LAST_NAMES}) || 'x'`;
  const house = `'house' || (id % ${HOUSES})`;
  await withDatabase(url, async (db) => {
    await db.query(`update contacts set name = ${first} || ' ' || ${last}, import_id = 1 + id % ${IMPORTS},
      email = 'person' || id || '@' || ${house} || '.example.test'`);
    for (const word of [first, last, house])
      await db.query(`insert into contact_words (workspace_id, word, contact_id)
        select ${workspaceId}, ${word}, id from contacts`);
    await db.query(
      `update enrolments set state = 'replied', replied_at = 1 where contact_id % ${REPLIED} = 0`,
    );
    await db.query(`update enrolments set state = 'paused' where contact_id % ${PAUSED} = 1`);
    await db.query(`update campaigns set planned_through = enrolled where id = ${campaignId}`);
  });
  await settleDown(url);
  return { url, drop };
}
