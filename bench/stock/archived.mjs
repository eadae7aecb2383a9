// @ts-check
import { settleDown, withDatabase } from '../database.mjs';
import { addArchive } from './archive.mjs';
import { addChannels } from './channels.mjs';

export const ACCOUNTS = 20;

/**
 * A database of an installation that has been used for weeks.
 *
 * @param {import('../groups/group.mjs').BenchContext} bench
 * @param {'postgres' | 'sqlite'} dialect
 */
export async function archived({ ground, sizes }, dialect) {
  const total = dialect === 'postgres' ? sizes.listed : sizes.listedSqlite;
  const { url, drop } = await ground.fresh(dialect);
  const channels = await addChannels(url, ACCOUNTS, { blocked: false });
  await withDatabase(url, (db) => addArchive(db, channels, total));
  await settleDown(url);
  return { url, drop, total };
}
