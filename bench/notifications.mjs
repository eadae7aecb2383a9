// @ts-check
import { insertMany } from '../dist/store/bulk.js';

/** Of an event that `open-seat` tells. */
export const PAYLOAD = {
  ...{ courseTitle: 'Linear Algebra', courseString: '01:640:250', sectionNumber: '05', termId: '20269' },
  ...{ meetingSummary: 'Mon, Thu 10:20-11:40', campusCode: 'NB', indexNumber: '09214' },
  ...{ statusBefore: 'Closed', statusAfter: 'Open' },
};

/** Addresses in no order, as real ones are: every row lands on another page of an index. */
export const addressOf = (/** @type {number} */ n) =>
  `${((n * 2_654_435_761) % 4_294_967_296).toString(36)}.${String(n)}@example.org`;

const COLUMNS = [
  ...['topic', 'contact_type', 'contact', 'status'].map((name) => ({
    name,
    type: /** @type {const} */ ('text'),
  })),
  ...['workspace_id', 'created_at', 'updated_at'].map((name) => ({
    name,
    type: /** @type {const} */ ('bigint'),
  })),
];

/**
 * So many active subscriptions of a topic.
 *
 * @param {import('../dist/store/store.js').Store} store
 * @param {number} workspaceId
 * @param {string} topic
 * @param {number} count
 */
export async function subscribe(store, workspaceId, topic, count) {
  for (let from = 0; from < count; from += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, count - from) }, (_, n) => [
      ...[topic, 'email', addressOf(from + n), 'active', workspaceId, 1, 1],
    ]);
    await store.transaction(() => insertMany(store, 'subscriptions', COLUMNS, rows));
  }
}
