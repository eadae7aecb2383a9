// @ts-check
import { silent } from '../../dist/log/log.js';
import { createPillarbox } from '../../dist/library/pillarbox.js';
import { insertMany } from '../../dist/store/bulk.js';
import { ensureChannel } from '../../dist/store/scripts/accounts.js';
import { publishEvent } from '../../dist/store/scripts/events.js';
import { stepNextFanOut } from '../../dist/store/scripts/fan-outs.js';
import { addressOf, subscribe } from '../notifications.mjs';

const STEP = { postgres: 500, sqlite: 250 };
const COLUMNS = [
  ...['lane', 'action', 'recipient', 'sender', 'retry_policy', 'doubt_policy'].map((name) => ({
    name,
    type: /** @type {const} */ ('text'),
  })),
  ...['workspace_id', 'channel_id', 'transactional'].map((name) => ({
    name,
    type: /** @type {const} */ ('int'),
  })),
  ...['scheduled_for', 'expires_at', 'created_at', 'event_id', 'subscription_id'].map((name) => ({
    name,
    type: /** @type {const} */ ('bigint'),
  })),
];
const DUE = ['message_id', 'workspace_id', 'channel_id', 'due_at', 'expires_at'].map((name) => ({
  name,
  type: /** @type {const} */ ('bigint'),
}));

/**
 * One event to so many subscriptions, or raw inserts of the same rows into the same tables, in commits of the same size.
 *
 * @param {{ url: string, raw: boolean, subscriptions: number, round: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, raw, subscriptions, round }, parent) {
  const box = await createPillarbox({
    databaseUrl: url,
    secret: 'a secret of some length, for figures',
    log: silent,
  });
  const { store, home } = box;
  const size = STEP[store.dialect];
  const topic = `topic ${String(raw)} ${String(round)}`;
  const now = await store.now();
  const channelId = await store.transaction(() => ensureChannel(store, 1, 'email', 'notification'));
  await subscribe(store, home.id, topic, subscriptions);
  const eventId = await publish(store, home.id, channelId, topic, now);
  const before = process.memoryUsage.rss();
  let peak = before;
  const started = performance.now();
  for (let made = 0; made < subscriptions;) {
    if (raw) {
      const count = Math.min(size, subscriptions - made);
      await store.transaction(() =>
        rawStep(store, { workspaceId: home.id, channelId, eventId: -eventId, now }, made, count),
      );
      made += count;
    } else {
      const step = await store.transaction(() => stepNextFanOut(store, size, now));
      if (!step) throw new Error('the fan-out ended early');
      made += step.made;
    }
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  const perSecond = (subscriptions * 1_000) / (performance.now() - started);
  await box.stop();
  parent.tell({ kind: 'result', perSecond, grownMb: (peak - before) / 1_048_576 });
}

/** @param {import('../../dist/store/store.js').Store} store @param {number} workspaceId @param {number} channelId @param {string} topic @param {number} now */
async function publish(store, workspaceId, channelId, topic, now) {
  const event = {
    ...{ workspaceId, type: 'figures', topic, dedupeKey: null, traceId: null, templateId: 'open-seat' },
    ...{
      templateVersion: 'v1',
      payload: '{}',
      snapshot: null,
      statusAfter: null,
      eventAt: null,
      lifeMs: 86_400_000,
    },
    ...{
      channelId,
      sender: 'box@example.org',
      retryPolicy: 'notification',
      doubtPolicy: 'resend',
    },
  };
  return (await store.transaction(() => publishEvent(store, event, now, 0))).eventId;
}

/**
 * @param {import('../../dist/store/store.js').Store} store
 * @param {{ workspaceId: number, channelId: number, eventId: number, now: number }} common
 * @param {number} from
 * @param {number} count
 */
function* rawStep(store, { workspaceId, channelId, eventId, now }, from, count) {
  const rows = Array.from({ length: count }, (_, n) => [
    ...['notification', 'email', addressOf(from + n)],
    ...['box@example.org', 'notification', 'resend', workspaceId, channelId, 0],
    ...[now, now + 86_400_000, now, eventId, from + n + 1],
  ]);
  /** @type {readonly { id: number }[]} */
  const made = yield* insertMany(store, 'messages', COLUMNS, rows, 'returning id');
  yield* insertMany(
    store,
    'due',
    DUE,
    made.map(({ id }) => [id, workspaceId, channelId, now, now + 86_400_000]),
  );
}
