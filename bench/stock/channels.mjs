// @ts-check
import { openStore } from '../../dist/store/open.js';
import { ensureAccount, ensureChannel, ensureWorkspace } from '../../dist/store/scripts/accounts.js';
import { log } from '../contenders/pillarbox.mjs';
import { withDatabase } from '../database.mjs';

const FAR_AHEAD = Date.UTC(2090, 0, 1);

/**
 * Makes accounts with one channel each, through the product's own code.
 *
 * @param {string} databaseUrl
 * @param {number} channels
 * @param {{ blocked: boolean }} how
 * @returns {Promise<import('./rows.mjs').Channels>} their ids follow each other
 */
export async function addChannels(databaseUrl, channels, { blocked }) {
  const store = await openStore({ databaseUrl, leaseMs: 120_000, log });
  const made = await store.transaction(
    (function* () {
      const workspaceId = yield* ensureWorkspace(store, 'bench', Date.now());
      const ids = [];
      for (let n = 0; n < channels; n += 1) {
        const name = `${blocked ? 'blocked' : 'open'} ${n}`;
        const wanted = { name, emailAddress: 'pillarbox@localhost', displayName: null, transport: '{}' };
        const { id } = yield* ensureAccount(store, workspaceId, wanted, Date.now());
        ids.push(yield* ensureChannel(store, id, 'email', 'outbox'));
      }
      return { workspaceId, ids };
    })(),
  );
  await store.close();
  const firstChannelId = Math.min(...made.ids);
  if (Math.max(...made.ids) !== firstChannelId + channels - 1) throw new Error('channel ids have gaps');
  if (blocked) {
    const which = `id between ${firstChannelId} and ${firstChannelId + channels - 1}`;
    await withDatabase(databaseUrl, (db) =>
      db.query(`update channels set blocked_until = ${FAR_AHEAD}, blocked_reason = 'bench' where ${which}`),
    );
  }
  return { workspaceId: made.workspaceId, firstChannelId, channels };
}
