// @ts-check
import { buildJob, jobEventOf, jobFault } from '../../dist/core/mail-job.js';
import { RETRY_POLICIES } from '../../dist/core/retry.js';
import { Links } from '../../dist/links/links.js';
import { silent } from '../../dist/log/log.js';
import { openStore } from '../../dist/store/open.js';
import { ensureWorkspace } from '../../dist/store/scripts/accounts.js';
import { TemplateLibrary } from '../../dist/templates/library.js';
import { RenderPool } from '../../dist/templates/render-pool.js';
import { timed } from '../figures.mjs';
import { PAYLOAD } from '../notifications.mjs';

/** Batches under way at once: one is rendered while the next is made. */
const AHEAD = 2;
const WARM_UP_SHARE = 0.2;

/**
 * Jobs of one event for many readers: built with signed links, validated against the contract, rendered by `open-seat`.
 *
 * @param {{ url: string, jobs: number, batch: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, jobs, batch }, parent) {
  const store = await openStore({ databaseUrl: url, leaseMs: 60_000, log: silent });
  const workspaceId = await store.transaction(() => ensureWorkspace(store, 'figures', 1));
  const pool = new RenderPool();
  const library = new TemplateLibrary(store, pool);
  const links = new Links(
    ['a secret of some length, for figures'],
    store.installation,
    'https://mail.example',
  );
  const event = jobEventOf({
    ...{ number: 17, dedupeKey: 'k', traceId: 'trace-1', template: { id: 'open-seat', version: 'v1' } },
    ...{ payload: PAYLOAD, eventAt: Date.UTC(2026, 10, 16, 14) },
  });
  const textJobOf = (/** @type {number} */ n) => {
    const job = buildJob({
      ...{ message: n, event, locale: 'en', leaseSeconds: 120, policy: RETRY_POLICIES.notification },
      subscription: {
        ...{
          number: n,
          status: 'active',
          email: `reader.${String(n)}@example.org`,
          name: `Reader ${String(n)}`,
        },
        preferences: { notifyOn: ['Open'], maxNotifications: 5 },
      },
      links: links.subscriptionUrls(workspaceId, n),
    });
    const fault = jobFault(job);
    if (fault) throw new Error(fault.message);
    return { workspaceId, job, event };
  };
  const makeAll = async (/** @type {number} */ count) => {
    let next = 1;
    const lane = async () => {
      while (next <= count) {
        const first = next;
        next += batch;
        const asked = Array.from({ length: batch }, (_, place) => textJobOf(first + place));
        for (const [place, told] of (await library.renderMany(asked)).entries()) {
          const { manageUrl } = asked[place]?.job.links ?? {};
          if (!('html' in told) || !told.text?.includes(String(manageUrl)))
            throw new Error(
              `a mail is not the one that was asked for: ${JSON.stringify(told).slice(0, 500)}`,
            );
        }
      }
    };
    await Promise.all(Array.from({ length: AHEAD }, lane));
  };
  await makeAll(Math.ceil(jobs * WARM_UP_SHARE));
  const { seconds, cpuMicroseconds } = await timed(() => makeAll(jobs));
  await pool.close();
  await store.close();
  parent.tell({ kind: 'result', perSecond: jobs / seconds, cpuMicroseconds: cpuMicroseconds / jobs });
}
