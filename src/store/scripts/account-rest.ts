import type { Action, Lane } from '../../core/message.js';
import { LINES } from '../../core/lines.js';
import { among } from '../among.js';
import { ask, askOne, type Script } from '../script.js';
import type { Store } from '../store.js';
import { ensureChannel, type Account } from './accounts.js';
import { cancelWaitingWith, endEnrolments } from './enrolments.js';
import { ensureGuardedChannel } from './openings.js';
import { Question } from './question.js';

/** What waits for an account that is to go: who takes it over, or that it ends. */

/** Counting further would cost more than anyone learns from it. */
export const MOST_COUNTED = 100_000;

export function* countWaiting(store: Store, accountId: number): Script<number> {
  const question = new Question(store);
  const [row] = yield* question.rows<{ n: number }>(
    `select count(*) as n from (select 1 from ${store.at('due')} where channel_id in (
       select id from ${store.at('channels')} where account_id = ${question.bind(accountId)})
     limit ${String(MOST_COUNTED + 1)}) waiting`,
  );
  return row?.n ?? 0;
}

/** Whether somebody has to decide about a message of it first. */
export function* hasUndecided({ db }: Store, { id, workspaceId }: Account): Script<boolean> {
  const row = yield* askOne(
    db
      .selectFrom('outcomes as o')
      .innerJoin('messages as m', 'm.id', 'o.message_id')
      .innerJoin('channels as c', 'c.id', 'm.channel_id')
      .select('m.id')
      .where('o.workspace_id', '=', workspaceId)
      .where('o.state', 'in', ['dead', 'held'])
      .where('c.account_id', '=', id)
      .limit(1),
  );
  return row !== undefined;
}

/** Nobody new is dealt to it in any campaign; `to`: but to this one instead. */
export function* leaveCampaigns(
  store: Store,
  { id, workspaceId }: Account,
  to: number | undefined,
  now: number,
): Script<void> {
  const { db, dialect } = store;
  const query = db
    .selectFrom('campaigns')
    .select(['id', 'account_ids'])
    .where('workspace_id', '=', workspaceId)
    .where('state', 'in', ['draft', 'running', 'paused'])
    .orderBy('id');
  const rows = yield* ask(dialect === 'postgres' ? query.forUpdate() : query);
  for (const row of rows) {
    const before = JSON.parse(row.account_ids) as readonly number[];
    if (!before.includes(id)) continue;
    const after = before.flatMap((each) => (each === id ? (to ?? []) : each));
    yield* ask(
      db
        .updateTable('campaigns')
        .set({ account_ids: JSON.stringify([...new Set(after)]), updated_at: now })
        .where('id', '=', row.id),
    );
  }
}

interface Waiting {
  readonly id: number;
  readonly channelId: number;
  readonly campaignId: number | null;
  readonly contactId: number | null;
}

function* waitingOf(store: Store, accountId: number, limit: number): Script<readonly Waiting[]> {
  const { db } = store;
  return yield* ask(
    db
      .selectFrom('due as d')
      .innerJoin('messages as m', 'm.id', 'd.message_id')
      .select([
        'm.id',
        'm.channel_id as channelId',
        'm.campaign_id as campaignId',
        'm.contact_id as contactId',
      ])
      .where('d.channel_id', 'in', db.selectFrom('channels').select('id').where('account_id', '=', accountId))
      .orderBy('d.channel_id')
      .orderBy('d.message_id')
      .limit(limit),
  );
}

export const ACCOUNT_REMOVED = 'account_removed';

/** Ends the sequences of the next who wait for it, and cancels whatever else does. Answers how many messages it looked at. */
export function* endWaiting(
  store: Store,
  { id, workspaceId }: Account,
  limit: number,
  now: number,
): Script<number> {
  const waiting = yield* waitingOf(store, id, limit);
  const people = new Map(
    waiting.flatMap(({ campaignId, contactId }) =>
      campaignId === null || contactId === null
        ? []
        : [[`${String(campaignId)} ${String(contactId)}`, { campaignId, contactId }] as const],
    ),
  );
  const inOrder = [...people.values()].sort(
    (a, b) => a.campaignId - b.campaignId || a.contactId - b.contactId,
  );
  for (const whom of inOrder) yield* endEnrolments(store, workspaceId, whom, 'stopped', now);
  yield* cancelWaitingWith(
    store,
    waiting.map((message) => message.id),
    ACCOUNT_REMOVED,
    now,
  );
  return waiting.length;
}

/**
 * Gives the next messages that wait for it to another account. Those of campaigns get new times there by the next plan;
 * what follows an earlier mail begins a new thread. Answers how many.
 */
export function* reassignWaiting(store: Store, from: Account, to: Account, limit: number): Script<number> {
  const { db } = store;
  const waiting = yield* waitingOf(store, from.id, limit);
  for (const channelId of new Set(waiting.map((message) => message.channelId))) {
    const target = yield* channelLike(store, channelId, to.id);
    const ids = waiting.filter((message) => message.channelId === channelId).map((message) => message.id);
    const moved = yield* ask(
      db
        .updateTable('due')
        .set({ channel_id: target })
        .where((eb) => among(store, eb.ref('message_id'), ids))
        .where('channel_id', '=', channelId)
        .returning('message_id'),
    );
    const found = moved.map((row) => row.message_id);
    yield* ask(
      db
        .updateTable('messages')
        .set({ channel_id: target, sender: to.emailAddress, thread_id: null })
        .where((eb) => among(store, eb.ref('id'), found)),
    );
  }
  yield* askForTimes(store, waiting);
  return waiting.length;
}

/** The channel of another account that does what this one does. */
function* channelLike(store: Store, channelId: number, accountId: number): Script<number> {
  const channel = yield* askOne(
    store.db.selectFrom('channels').select(['action', 'lane', 'guarded']).where('id', '=', channelId),
  );
  const { action, lane, guarded } = channel as { action: Action; lane: Lane; guarded: number };
  return guarded === 1
    ? yield* ensureGuardedChannel(store, accountId, action)
    : yield* ensureChannel(store, accountId, action, lane);
}

function* askForTimes(store: Store, waiting: readonly Waiting[]): Script<void> {
  const { db } = store;
  const planned = waiting.filter(({ campaignId }) => campaignId !== null);
  if (planned.length === 0) return;
  yield* ask(
    db
      .updateTable('due')
      .set({ alone: LINES.halted })
      .where((eb) =>
        among(
          store,
          eb.ref('message_id'),
          planned.map(({ id }) => id),
        ),
      ),
  );
  const campaigns = [...new Set(planned.map(({ campaignId }) => campaignId as number))].sort((a, b) => a - b);
  for (const id of campaigns)
    yield* ask(
      db
        .updateTable('campaigns')
        .set((eb) => ({ replan: eb('replan', '+', 1) }))
        .where('id', '=', id),
    );
}
