import type { Outcome, Trial } from '../core/outcome.js';
import type { SendReport } from '../core/report.js';
import { readRetryPolicy } from '../core/retry.js';
import type { ClaimedMessage, SettleEntry } from '../store/store.js';

export const trialOf = (
  message: ClaimedMessage,
  { inline, claimedAt, now }: { readonly inline: boolean; readonly claimedAt: number; readonly now: number },
): Trial => ({
  attempts: message.attempts,
  ageMs: now - (message.datedAt ?? claimedAt),
  inline,
  doubts: message.doubts,
  policy: readRetryPolicy(message.retryPolicy),
  doubtPolicy: message.doubtPolicy,
});

/** What happened on the way to an outcome. */
export interface Course {
  readonly lease: number;
  readonly startedAt: number | null;
  readonly handedAt: number | null;
  readonly worker: string;
  readonly report?: SendReport | undefined;
}

/** The one place where an outcome becomes what the store writes. */
export function settlementOf(message: ClaimedMessage, outcome: Outcome, course: Course): SettleEntry {
  const sent = course.report?.status === 'sent' ? course.report : undefined;
  const refused = sent?.refused?.map(({ address, error }) => `${address}: ${error.code} ${error.message}`);
  return {
    lease: course.lease,
    id: message.id,
    workspaceId: message.workspaceId,
    channelId: message.channelId,
    expiresAt: message.expiresAt,
    event: outcome.event,
    attempts: outcome.attempts,
    waitMs: outcome.waitMs,
    reason: outcome.reason,
    attempt: outcome.attempt && {
      outcome: outcome.attempt,
      startedAt: course.startedAt,
      handedAt: course.handedAt,
      errorClass: outcome.error?.class,
      errorCode: outcome.error?.code ?? (refused && 'partly_refused'),
      error: outcome.error?.message ?? refused?.join('; ').slice(0, 2_000),
      providerMessageId: sent?.providerMessageId,
      threadId: sent?.threadId,
      worker: course.worker,
    },
  };
}
