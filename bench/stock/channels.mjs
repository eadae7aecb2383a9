// @ts-check
import { SENDING_DEFAULTS } from '../../dist/core/sending.js';
import { openStore } from '../../dist/store/open.js';
import { ensureAccount, ensureChannel, ensureWorkspace } from '../../dist/store/scripts/accounts.js';
import { ensureGuardedChannel } from '../../dist/store/scripts/openings.js';
import { writeSettings } from '../../dist/store/scripts/settings.js';
import { log } from '../contenders/pillarbox.mjs';
import { withDatabase } from '../database.mjs';

/** The process's own transport: what is claimed can be sent. */
const PROCESS = JSON.stringify({ kind: 'process' });
const FAR_AHEAD = Date.UTC(2090, 0, 1);
/** Every guarded mail is counted, and none is one too many. */
const NO_LIMIT = 100_000_000;
const ANY_TIME = {
  ...SENDING_DEFAULTS,
  ...{ sendingDays: [1, 2, 3, 4, 5, 6, 7], startHour: 0, endHour: 24, dailyQuota: NO_LIMIT },
  spacing: { minSeconds: 0, maxSeconds: 0 },
};

/**
 * Makes accounts with one channel each, through the product's own code.
 *
 * @param {string} databaseUrl
 * @param {number} channels
 * @param {{ blocked: boolean, guarded?: boolean }} how Guarded ones have room for everything; if blocked, for nothing.
 * @returns {Promise<import('./rows.mjs').Channels>} their ids follow each other
 */
export async function addChannels(databaseUrl, channels, { blocked, guarded = false }) {
  const store = await openStore({ databaseUrl, leaseMs: 120_000, log });
  const made = await store.transaction(
    (function* () {
      const workspaceId = yield* ensureWorkspace(store, 'bench', Date.now());
      if (guarded) yield* writeSettings(store, workspaceId, 'sending', ANY_TIME);
      const ids = [];
      for (let n = 0; n < channels; n += 1) {
        const name = `${blocked ? 'blocked' : 'open'} ${n}`;
        const wanted = { name, emailAddress: 'pillarbox@localhost', displayName: null, transport: PROCESS };
        const { id } = yield* ensureAccount(store, workspaceId, wanted, Date.now());
        ids.push(
          yield* guarded
            ? ensureGuardedChannel(store, id, 'email')
            : ensureChannel(store, id, 'email', 'outbox'),
        );
      }
      return { workspaceId, ids };
    })(),
  );
  await store.close();
  const firstChannelId = Math.min(...made.ids);
  if (Math.max(...made.ids) !== firstChannelId + channels - 1) throw new Error('channel ids have gaps');
  const which = `id between ${firstChannelId} and ${firstChannelId + channels - 1}`;
  if (guarded) {
    const sending = JSON.stringify({ dailyLimitEmails: blocked ? 0 : NO_LIMIT });
    await withDatabase(databaseUrl, (db) =>
      db.query(
        `update accounts set sending = '${sending}' where id in (select account_id from channels where ${which})`,
      ),
    );
  } else if (blocked) {
    await withDatabase(databaseUrl, (db) =>
      db.query(`update channels set blocked_until = ${FAR_AHEAD}, blocked_reason = 'bench' where ${which}`),
    );
  }
  return { workspaceId: made.workspaceId, firstChannelId, channels };
}
