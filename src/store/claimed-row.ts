import type { Action, DoubtPolicy, Lane } from '../core/message.js';
import {
  INLINE_CONTENT_BYTES,
  type Claim,
  type ClaimedMessage,
  type Enqueued,
  type NewMessage,
} from './store.js';

/**
 * What a worker must know of a message, in the order in which `toClaimedMessage` reads it: rows come as arrays,
 * because making five hundred objects only to copy them costs as much as the look-ups. `m` is the row in
 * `messages`, `x` that in `contents`, `suppressed` an expression.
 */
export const claimedColumns = (suppressed: string): string => `
  m.id, m.workspace_id, m.channel_id, m.lane, m.action, m.idempotency_key, m.recipient, m.sender, m.expires_at,
  m.retry_policy, m.doubt_policy, m.transactional, m.thread_id, m.attempts, m.doubts, m.lone_losses,
  m.lease_losses, m.dated_at, ${suppressed}, x.bytes,
  case when x.bytes <= ${String(INLINE_CONTENT_BYTES)} then x.mail end, m.scheduled_for`;

/** As many as `claimedColumns` names. */
export const CLAIMED_COLUMNS = 22;

export const toClaimedMessage = (row: readonly unknown[]): ClaimedMessage => ({
  id: row[0] as number,
  workspaceId: row[1] as number,
  channelId: row[2] as number,
  lane: row[3] as Lane,
  action: row[4] as Action,
  idempotencyKey: row[5] as string | null,
  recipient: row[6] as string,
  sender: row[7] as string,
  expiresAt: row[8] as number | null,
  retryPolicy: row[9] as string,
  doubtPolicy: row[10] as DoubtPolicy,
  transactional: row[11] === 1,
  threadId: row[12] as string | null,
  attempts: row[13] as number,
  doubts: row[14] as number,
  loneLosses: row[15] as number,
  leaseLosses: row[16] as number,
  datedAt: row[17] as number | null,
  suppressed: Boolean(row[18]),
  bytes: (row[19] as number | null) ?? 0,
  mail: row[20] as string | null,
  scheduledFor: row[21] as number,
});

/** What of these was just stored, in the hands of who stored it. */
export const freshClaim = (
  messages: readonly NewMessage[],
  enqueued: readonly Enqueued[],
  lease: number,
  claimedAt: number,
): Claim => ({
  lease,
  claimedAt,
  alone: false,
  inline: true,
  messages: messages.flatMap((message, n) => {
    const { id, duplicate } = enqueued[n] as Enqueued;
    return duplicate ? [] : [freshlyClaimed(message, id, claimedAt)];
  }),
});

/** Whether it is suppressed is for the gate to say. */
const freshlyClaimed = (message: NewMessage, id: number, claimedAt: number): ClaimedMessage => ({
  id,
  workspaceId: message.workspaceId,
  channelId: message.channelId,
  lane: message.lane,
  action: message.action,
  idempotencyKey: message.idempotencyKey,
  recipient: message.recipient,
  sender: message.sender,
  expiresAt: message.expiresAt,
  retryPolicy: message.retryPolicy,
  doubtPolicy: message.doubtPolicy,
  transactional: message.transactional,
  threadId: null,
  attempts: 0,
  doubts: 0,
  loneLosses: 0,
  leaseLosses: 0,
  datedAt: null,
  suppressed: false,
  bytes: message.mail.length,
  mail: message.mail,
  scheduledFor: message.dueAt ?? claimedAt,
});
