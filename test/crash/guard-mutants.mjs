// @ts-check
// Bugs of the guard, planted on purpose: a real store whose guard has forgotten one thing.
import { altered } from './altered.mjs';

/** @typedef {import('#pillarbox/store/store').Store} Store */
/** @typedef {import('#pillarbox/store/script').Script<void>} Writes */
/** @typedef {{ channel_id: number, account_id: number, workspace_id: number, action: string, day: string, opens_at: number, open_until: number }} Opening */

const DAY_MS = 86_400_000;
const FAR = 4_102_444_800_000;

export const guardMutants = {
  /** A claim reserves nothing: a day counts what has left. */
  noReservation: (/** @type {Store} */ store) =>
    altered(store, {
      claimGuarded: async (request) => {
        const claim = await store.claimGuarded(request);
        const ids = claim?.messages.map(({ id }) => id) ?? [];
        if (ids.length > 0) await store.transaction(() => count(store, ids, -1));
        return claim;
      },
      settleGuarded: async (entries) => {
        const ids = entries.map(({ id }) => id);
        await store.transaction(() => count(store, ids, 1));
        return store.settleGuarded(entries);
      },
    }),

  /** A try that failed keeps its place in the day. */
  reservationNotGivenBack: (/** @type {Store} */ store) =>
    altered(store, {
      settleGuarded: async (entries) => {
        const unsent = entries.filter(
          ({ event, attempt }) => event !== 'accepted' && attempt?.outcome !== 'in_doubt',
        );
        const ids = unsent.map(({ id }) => id);
        if (ids.length > 0) await store.transaction(() => count(store, ids, 1));
        return store.settleGuarded(entries);
      },
    }),

  /** An account is free again so long after its gate, whenever its mail left. */
  spacingFromGate: (/** @type {Store} */ store) =>
    altered(store, {
      settleGuarded: async (entries) => {
        const settled = await store.settleGuarded(entries);
        for (const { channelId, attempt } of entries) {
          const handedAt = attempt?.handedAt;
          if (handedAt) await store.transaction(() => freeAfter(store, channelId, handedAt));
        }
        return settled;
      },
    }),

  /** An opening is found once; when it is over, nobody looks for the next. */
  dayNotReopened: (/** @type {Store} */ store) => {
    const told = new Map();
    return altered(store, {
      openGuarded: async () =>
        (await store.openGuarded()).filter(({ id, over }) => {
          if (over && (told.get(id) ?? 0) > 0) return false;
          if (!over) told.set(id, 1);
          return true;
        }),
    });
  },

  /** The next day is what was open yesterday, and 24 hours. */
  daysOf24Hours: (/** @type {Store} */ store) =>
    altered(store, {
      openGuarded: async () => {
        const now = await store.now();
        await store.transaction(() => addDays(store, now));
        return store.openGuarded();
      },
    }),

  /** The gate does not ask whether the window is over. */
  gateWithoutEnd: (/** @type {Store} */ store) =>
    altered(store, {
      gateGuarded: async (entries) => {
        const openings = await store.read(readOpenings(store));
        await store.transaction(() =>
          setEnds(
            store,
            openings.map((each) => ({ ...each, open_until: FAR })),
          ),
        );
        const answers = await store.gateGuarded(entries);
        await store.transaction(() => setEnds(store, openings));
        return answers;
      },
    }),
};

/**
 * @param {Store} store
 * @param {readonly number[]} ids
 * @param {1 | -1} by
 * @returns {Writes}
 */
function* count({ at }, ids, by) {
  const reserved = `select count(*) from ${at('reservations')} r where r.message_id in (${ids.join(', ')})`;
  yield* run(
    `update ${at('account_days')} as a set used = used + ${by} * (${reserved}
      and r.account_id = a.account_id and r.action = a.action and r.day = a.day)`,
  );
  yield* run(
    `update ${at('workspace_days')} as w set used = used + ${by} * (${reserved}
      and r.workspace_id = w.workspace_id and r.total_day = w.day)`,
  );
}

/**
 * @param {Store} store
 * @param {number} channelId
 * @param {number} handedAt
 * @returns {Writes}
 */
function* freeAfter({ at }, channelId, handedAt) {
  yield* run(
    `update ${at('guards')} set free_at = ${handedAt} + spacing_ms
      where account_id = (select account_id from ${at('channels')} where id = ${channelId})`,
  );
}

/**
 * @param {Store} store
 * @param {number} now
 * @returns {Writes}
 */
function* addDays(store, now) {
  const { at } = store;
  for (const opening of yield* readOpenings(store)) {
    if (opening.open_until === 0 || opening.open_until > now) continue;
    const days = Math.floor((now - opening.open_until) / DAY_MS) + 1;
    const day = new Date(Date.parse(opening.day) + days * DAY_MS).toISOString().slice(0, 10);
    const { account_id, workspace_id, action } = opening;
    yield* run(
      `insert into ${at('account_days')} (account_id, action, day) values (${account_id}, '${action}', '${day}') on conflict do nothing`,
    );
    yield* run(
      `insert into ${at('workspace_days')} (workspace_id, day, quota) values (${workspace_id}, '${day}', 1000) on conflict do nothing`,
    );
    yield* run(
      `update ${at('openings')} set day = '${day}', total_day = '${day}', opens_at = opens_at + ${days * DAY_MS},
        open_until = open_until + ${days * DAY_MS} where channel_id = ${opening.channel_id}`,
    );
  }
}

/**
 * @param {Store} store
 * @param {readonly Opening[]} openings
 * @returns {Writes}
 */
function* setEnds({ at }, openings) {
  for (const { channel_id, open_until } of openings)
    yield* run(`update ${at('openings')} set open_until = ${open_until} where channel_id = ${channel_id}`);
}

/**
 * @param {Store} store
 * @returns {import('#pillarbox/store/script').Script<readonly Opening[]>}
 */
function* readOpenings({ at }) {
  return /** @type {readonly Opening[]} */ (yield* run(`select * from ${at('openings')}`));
}

/**
 * @param {string} sql
 * @returns {import('#pillarbox/store/script').Script<readonly unknown[]>}
 */
function* run(sql) {
  return /** @type {readonly unknown[]} */ (yield { sql, parameters: [] });
}
