import type { Action, DoubtPolicy, Lane } from '../core/message.js';
import type { ClaimedMessage } from './store.js';

/** A claimed message as both databases' statements name its columns. */
export interface ClaimedRow {
  id: number;
  workspace_id: number;
  channel_id: number;
  lane: Lane;
  action: Action;
  idempotency_key: string | null;
  recipient: string;
  sender: string;
  expires_at: number | null;
  retry_policy: string;
  doubt_policy: DoubtPolicy;
  transactional: number;
  thread_id: string | null;
  attempts: number;
  doubts: number;
  lone_losses: number;
  lease_losses: number;
  dated_at: number | null;
  suppressed: number | boolean;
  bytes: number | null;
  mail: string | null;
}

export const toClaimedMessage = (row: ClaimedRow): ClaimedMessage => ({
  id: row.id,
  workspaceId: row.workspace_id,
  channelId: row.channel_id,
  lane: row.lane,
  action: row.action,
  idempotencyKey: row.idempotency_key,
  recipient: row.recipient,
  sender: row.sender,
  expiresAt: row.expires_at,
  retryPolicy: row.retry_policy,
  doubtPolicy: row.doubt_policy,
  transactional: row.transactional === 1,
  threadId: row.thread_id,
  attempts: row.attempts,
  doubts: row.doubts,
  loneLosses: row.lone_losses,
  leaseLosses: row.lease_losses,
  datedAt: row.dated_at,
  suppressed: Boolean(row.suppressed),
  bytes: row.bytes ?? 0,
  mail: row.mail,
});
