import type { State } from './lifecycle.js';
import type { ErrorClass } from './report.js';

export const LANES = ['outbox', 'campaign', 'notification'] as const;
export type Lane = (typeof LANES)[number];

export const ACTIONS = ['email', 'message', 'connection_request', 'inmail'] as const;
export type Action = (typeof ACTIONS)[number];

export const DOUBT_POLICIES = ['hold', 'resend', 'assume_sent'] as const;
/** What to do with a mail that may have left: ask a person, send it once more, or take it for sent. */
export type DoubtPolicy = (typeof DOUBT_POLICIES)[number];

/** What each lane does in doubt unless a message says otherwise: never twice, or never lost. */
export const LANE_DOUBT_POLICY: Record<Lane, DoubtPolicy> = {
  campaign: 'hold',
  outbox: 'resend',
  notification: 'resend',
};

export const ATTEMPT_OUTCOMES = ['success', 'failed', 'rate_limited', 'in_doubt'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

export const DEAD_REASONS = ['permanent_error', 'max_attempts', 'poison'] as const;
export type DeadReason = (typeof DEAD_REASONS)[number];

export interface LastError {
  readonly code: string;
  readonly message: string;
  readonly class: ErrorClass;
}

/** What may keep a message beyond its own time: something of its account, or a limit of the guard. */
export const RESCHEDULE_REASONS = [
  'account_paused',
  'account_cooling',
  'outside_window',
  'holiday',
  'hourly_limit',
  'daily_limit',
  'weekly_limit',
  'monthly_limit',
  'ramp_up',
  'workspace_quota',
  'spacing',
] as const;
export type RescheduleReason = (typeof RESCHEDULE_REASONS)[number];

/** A message as it is shown to people. Instants are epoch ms here; the HTTP edge writes ISO 8601. */
export interface Message {
  readonly id: string;
  readonly number: number;
  readonly workspaceId: string;
  readonly lane: Lane;
  readonly action: Action;
  readonly accountId: string;
  readonly to: { readonly email: string; readonly name: string | null };
  readonly subject: string | null;
  readonly state: State;
  readonly idempotencyKey: string | null;
  readonly dedupeKey: string;
  readonly messageId: string;
  readonly scheduledFor: number;
  /** Since when it is with the broker, for the try to come. */
  readonly queuedAt: number | null;
  readonly nextAttemptAt: number | null;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly leaseLosses: number;
  readonly lastError: LastError | null;
  readonly deadReason: DeadReason | null;
  /** Why it was skipped, held or cancelled, as a searchable word. */
  readonly reason: string | null;
  /** Why what waits will not leave at its time, as `explain` would say it. */
  readonly rescheduleReason: RescheduleReason | null;
  readonly expiresAt: number | null;
  readonly traceId: string | null;
  /** The provider's name for the conversation. */
  readonly threadId: string | null;
  /** What it was planned for, if it was: by a campaign, */
  readonly campaignId: string | null;
  readonly contactId: string | null;
  readonly sequenceId: string | null;
  readonly stepNumber: number | null;
  /** or by an event. */
  readonly eventId: string | null;
  readonly subscriptionId: string | null;
  readonly lockedBy: string | null;
  readonly lockedUntil: number | null;
  readonly sentAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** One completed try. `number` counts from 1, oldest first. */
export interface Attempt {
  readonly number: number;
  readonly startedAt: number | null;
  readonly handedOverAt: number | null;
  readonly finishedAt: number;
  readonly outcome: AttemptOutcome;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly errorClass: ErrorClass | null;
  readonly providerMessageId: string | null;
  readonly workerId: string | null;
}
