// @ts-check
// Asks a SQLite store thousands of questions that differ in their values, in a process of its own with its collector
// at hand, and says how many statements there are, and how much memory is taken, after the first of them and after all.
import { queryObjects } from 'node:v8';
import { StatementSync } from '@photostructure/sqlite';
import { createPillarbox } from 'pillarbox';
import { readDashboard } from '#pillarbox/overview/dashboard';
import { openStore } from '#pillarbox/store/open';

/** @typedef {{ statements: number, megabytes: number }} Figures */

const [databaseUrl = '', warmUp = '0', rounds = '0'] = process.argv.slice(2);
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

const store = await openStore({ databaseUrl, leaseMs: 60_000, log: silent });
const box = await createPillarbox({ databaseUrl, from: 'box@example.org', log: silent });
const ids = await fill(400);
for (let n = 0; n < Number(warmUp); n += 1) await askAll(n);
const before = await figures();
for (let n = 0; n < Number(rounds); n += 1) await askAll(Number(warmUp) + n);
const after = await figures();
await box.stop();
await store.close();
console.log(JSON.stringify({ before, after }));

/**
 * @param {number} count
 * @returns {Promise<readonly string[]>}
 */
async function fill(count) {
  const mails = Array.from({ length: count }, (_, n) => ({
    ...{ to: `r${n}@example.org`, subject: `Booking ${n} at Harbour Rooms`, text: 'Hello.' },
    sendAt: new Date(Date.now() + 86_400_000).toISOString(),
  }));
  return (await box.outbox.enqueueMany(mails)).ids.map(String);
}

/**
 * Five questions, each with values that no other round has.
 *
 * @param {number} n
 */
async function askAll(n) {
  const cursor = ids[n % ids.length];
  const limit = 1 + (n % 200);
  const range = /** @type {const} */ (['1h', '24h', '7d'])[n % 3] ?? '1h';
  await store.read(readDashboard(store, 1 + (n % 40), range, await store.now()));
  await box.messages.list({ cursor, limit, state: ['scheduled', 'sent'] });
  await box.messages.list({ q: `harbour ${n} ${'rooms '.repeat(n % 9)}`, limit });
  await box.suppressions.list({ limit, q: `r${n}`, reason: n % 2 === 0 ? 'manual' : undefined });
  await box.messages.act({ kind: 'dismiss' }, ids.slice(n % 200, (n % 200) + limit));
}

/**
 * Of what is left when everything was collected that can be.
 *
 * @returns {Promise<Figures>}
 */
async function figures() {
  // A turn after each: what a promise holds is held until then.
  for (let n = 0; n < 3; n += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const statements = queryObjects(/** @type {Function} */ (StatementSync), { format: 'count' });
  return { statements, megabytes: process.memoryUsage().rss / 2 ** 20 };
}
