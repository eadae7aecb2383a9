// @ts-check
import { openStore } from '../../dist/store/open.js';
import { log } from '../contenders/pillarbox.mjs';
import { aMail } from '../mails.mjs';

/** @typedef {import('../../dist/store/store.js').Store} Store */
/** @typedef {import('../../dist/store/store.js').Claim} Claim */
/** @typedef {import('../../dist/store/store.js').NewMessage} NewMessage */
/** @typedef {import('../../dist/store/store.js').SettleEntry} SettleEntry */

const AT_ONCE = 500;
const LOOK_EVERY = 5;
export const WORKER = 'bench:1';

/**
 * Times the store alone: enqueues, then claims and settles in turns. The first claims warm up and do not count.
 *
 * @param {{ url: string, channels: import('../stock/rows.mjs').Channels, mails: number, warmUp: number }} args
 * @param {import('../child.mjs').Parent} parent
 */
export async function act({ url, channels, mails, warmUp }, parent) {
  const store = await openStore({ databaseUrl: url, leaseMs: 120_000, log });
  for (let from = 0; from < mails + warmUp; from += AT_ONCE) {
    await store.enqueue(Array.from({ length: AT_ONCE }, (_, n) => newMessage(channels, from + n)));
  }
  parent.tell({ kind: 'stocked' });
  await parent.heard('go');
  await claimAndSettle(store, channels, warmUp);
  const cost = await claimAndSettle(store, channels, mails);
  await store.close();
  parent.tell({ kind: 'result', ...cost });
}

/**
 * @param {Store} store
 * @param {import('../stock/rows.mjs').Channels} channels
 * @param {number} mails
 */
async function claimAndSettle(store, { firstChannelId, channels }, mails) {
  const limit = Math.ceil(AT_ONCE / channels);
  const shares = Array.from({ length: channels }, (_, n) => ({ channelId: firstChannelId + n, limit }));
  let [claimMs, settleMs, lookMs, looks, claimed] = [0, 0, 0, 0, 0];
  for (let turn = 0; claimed < mails; turn += 1) {
    if (turn % LOOK_EVERY === 0) {
      const looked = performance.now();
      await store.openChannels();
      lookMs += performance.now() - looked;
      looks += 1;
    }
    const started = performance.now();
    const claim = await store.claim({ owner: WORKER, shares, alone: false });
    const held = performance.now();
    if (!claim) throw new Error(`the queue is empty after ${claimed} of ${mails} mails`);
    const settled = await store.settle(claim.messages.map((message) => sent(claim, message)));
    settleMs += performance.now() - held;
    claimMs += held - started;
    claimed += claim.messages.length;
    if (!settled.every(Boolean)) throw new Error('a settlement was refused');
  }
  return { claim: (claimMs * 1_000) / claimed, settle: (settleMs * 1_000) / claimed, look: lookMs / looks };
}

/**
 * @param {Claim} claim
 * @param {Claim['messages'][number]} message
 * @returns {SettleEntry}
 */
export const sent = ({ lease, claimedAt }, message) => ({
  lease,
  id: message.id,
  workspaceId: message.workspaceId,
  channelId: message.channelId,
  event: 'accepted',
  attempts: message.attempts + 1,
  waitMs: 0,
  attempt: { outcome: 'success', startedAt: claimedAt, handedAt: claimedAt, worker: WORKER },
});

/**
 * @param {import('../stock/rows.mjs').Channels} channels
 * @param {number} n
 * @returns {NewMessage}
 */
export function newMessage({ workspaceId, firstChannelId, channels }, n) {
  const { to, subject, text, idempotencyKey } = aMail(n);
  return {
    workspaceId,
    channelId: firstChannelId + (n % channels),
    lane: 'outbox',
    action: 'email',
    idempotencyKey,
    bodyHash: null,
    recipient: to,
    recipientName: null,
    sender: 'pillarbox@localhost',
    subject,
    dueAt: null,
    expiresAt: null,
    retryPolicy: 'outbox',
    doubtPolicy: 'resend',
    transactional: false,
    traceId: null,
    mail: JSON.stringify({ from: { email: 'pillarbox@localhost' }, to: { email: to }, subject, text }),
  };
}
