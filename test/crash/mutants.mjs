// @ts-check
// Bugs, planted on purpose: a real store with one of its promises broken. The checker must catch each of them;
// if it does not, its silence about the real store is worth nothing.
import { altered } from './altered.mjs';
import { guardMutants } from './guard-mutants.mjs';

/** @typedef {import('#pillarbox/store/store').Store} Store */
/** @typedef {import('#pillarbox/store/store').SettleEntry} SettleEntry */
/** @typedef {keyof typeof mutants} MutantName */

export const mutants = {
  ...guardMutants,

  /** The gate lets everything pass and leaves no mark: whoever recovers a lost lease believes that nothing left. */
  gateWithoutMark: (/** @type {Store} */ store) =>
    altered(store, {
      gate: (entries) => Promise.resolve(entries.map(() => ({ passed: true, handedAt: Date.now() }))),
    }),

  /** A worker that lost its lease passes the gate and writes its result all the same. */
  noFence: (/** @type {Store} */ store) =>
    altered(store, {
      gate: async (entries) =>
        (await store.gate(entries)).map((answer) =>
          answer.passed || answer.refusal !== 'lost' ? answer : { passed: true, handedAt: Date.now() },
        ),
      settle: async (entries) => {
        const settled = await store.settle(entries);
        for (const [index, ours] of settled.entries()) {
          const entry = entries[index];
          if (!ours && entry?.event === 'accepted') await store.transaction(overwrite(store, entry));
        }
        return settled.map(() => true);
      },
    }),

  /** Keys are taken and forgotten, as if nobody had made them unique. */
  keysNotUnique: (/** @type {Store} */ store) =>
    altered(store, {
      enqueue: (messages) => store.enqueue(messages.map((message) => ({ ...message, idempotencyKey: null }))),
    }),
};

/**
 * @param {Store} store
 * @param {SettleEntry} entry
 * @returns {import('#pillarbox/store/script').Script<void>}
 */
function* overwrite({ at }, { id, workspaceId, attempts }) {
  yield {
    sql: `insert into ${at('outcomes')} (message_id, workspace_id, state, attempts, finished_at)
      values (${id}, ${workspaceId}, 'sent', ${attempts}, 0) on conflict (message_id) do update set state = 'sent'`,
    parameters: [],
  };
}
