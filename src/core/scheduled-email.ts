import { classifyNamed } from './classify/index.js';
import type { State } from './lifecycle.js';
import type { Message } from './message.js';
import { RETRY_POLICIES } from './retry.js';
import { SENDING_DEFAULTS } from './sending.js';

/*
 * A campaign's messages, and what happens when one fails, under the names that schedulers have given them for years.
 * Everything here follows from what decides: none of it is a second opinion.
 */

const { delaysSeconds, maxAttempts } = RETRY_POLICIES.campaign;

/** Tries after the first. */
export const MAX_RETRY_ATTEMPTS = maxAttempts - 1;
export const RETRY_BACKOFF_MINUTES: readonly number[] = delaysSeconds.map((seconds) => seconds / 60);
/** Between two mails of an account, in seconds. */
export const RANDOM_DELAY_RANGE = {
  min: SENDING_DEFAULTS.spacing.minSeconds,
  max: SENDING_DEFAULTS.spacing.maxSeconds,
} as const;

export const RETRYABLE_ERROR_CODES: readonly string[] = [
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'RATE_LIMIT_EXCEEDED',
  'TEMPORARY_FAILURE',
  'SERVICE_UNAVAILABLE',
];

export const NON_RETRYABLE_ERROR_CODES: readonly string[] = [
  'INVALID_RECIPIENT',
  'AUTH_REVOKED',
  'TOKEN_EXPIRED',
  'MAIL_HARD_BOUNCE',
  'PERMISSION_DENIED',
];

/** By the error's `code`, else by the first known code in its text. What nobody knows is tried again. */
export function isRetryableError(error: Error): boolean {
  const kind = classifyNamed(codeOf(error)).class;
  return kind === 'retryable' || kind === 'rate_limited';
}

export function codeOf(error: Error & { readonly code?: unknown }): string {
  if (typeof error.code === 'string' && error.code !== '') return error.code;
  const known = [...RETRYABLE_ERROR_CODES, ...NON_RETRYABLE_ERROR_CODES];
  return known.find((code) => error.message.includes(code)) ?? 'TEMPORARY_FAILURE';
}

export const SCHEDULED_EMAIL_STATUSES = [
  'SCHEDULED',
  'SENDING',
  'SENT',
  'FAILED',
  'RETRY_SCHEDULED',
  'PERMANENTLY_FAILED',
  'CANCELLED',
] as const;
export type ScheduledEmailStatus = (typeof SCHEDULED_EMAIL_STATUSES)[number];

/** A failure is never a state to wait in: it is retried, or for good. What is held waits for a person. */
const STATUS_OF: Readonly<Record<State, ScheduledEmailStatus>> = {
  scheduled: 'SCHEDULED',
  queued: 'SCHEDULED',
  sending: 'SENDING',
  sent: 'SENT',
  retry_scheduled: 'RETRY_SCHEDULED',
  held: 'FAILED',
  dead: 'PERMANENTLY_FAILED',
  skipped: 'CANCELLED',
  expired: 'CANCELLED',
  cancelled: 'CANCELLED',
};

export interface ScheduledEmail {
  readonly id: string;
  readonly workspaceId: string;
  readonly campaignId: string | null;
  /** The person's place in the campaign, which has no id of its own: it is known by both. */
  readonly campaignProspectId: string | null;
  readonly prospectId: string | null;
  readonly sequenceId: string | null;
  readonly stepNumber: number | null;
  readonly idempotencyKey: string | null;
  readonly status: ScheduledEmailStatus;
  readonly scheduledFor: Date;
  readonly attempts: number;
  readonly lastError: string | null;
  readonly nextRetryAt: Date | null;
  readonly messageId: string | null;
  readonly threadId: string | null;
  readonly sentAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What such an email is made of; the planner makes all of them. */
export type CreateScheduledEmailInput = Pick<
  ScheduledEmail,
  | 'workspaceId'
  | 'campaignId'
  | 'campaignProspectId'
  | 'prospectId'
  | 'sequenceId'
  | 'stepNumber'
  | 'idempotencyKey'
  | 'scheduledFor'
>;

/** The same with instants as ISO 8601. */
export type ScheduledEmailResponse = {
  readonly [Field in keyof ScheduledEmail]: ScheduledEmail[Field] extends Date
    ? string
    : ScheduledEmail[Field] extends Date | null
      ? string | null
      : ScheduledEmail[Field];
};

export function toScheduledEmail(message: Message): ScheduledEmail {
  const { campaignId, contactId, lastError, nextAttemptAt, sentAt, state } = message;
  return {
    id: message.id,
    workspaceId: message.workspaceId,
    campaignId,
    campaignProspectId: campaignId === null || contactId === null ? null : `${campaignId}.${contactId}`,
    prospectId: contactId,
    sequenceId: message.sequenceId,
    stepNumber: message.stepNumber,
    idempotencyKey: message.idempotencyKey,
    status: STATUS_OF[state],
    scheduledFor: new Date(message.scheduledFor),
    attempts: message.attempts,
    lastError: lastError === null ? null : `${lastError.code} ${lastError.message}`.trim(),
    nextRetryAt: state === 'retry_scheduled' && nextAttemptAt !== null ? new Date(nextAttemptAt) : null,
    messageId: message.messageId,
    threadId: message.threadId,
    sentAt: sentAt === null ? null : new Date(sentAt),
    createdAt: new Date(message.createdAt),
    updatedAt: new Date(message.updatedAt),
  };
}

export function mapScheduledEmail(email: ScheduledEmail | Message): ScheduledEmailResponse {
  const { scheduledFor, nextRetryAt, sentAt, createdAt, updatedAt, ...rest } =
    'status' in email ? email : toScheduledEmail(email);
  return {
    ...rest,
    scheduledFor: scheduledFor.toISOString(),
    nextRetryAt: nextRetryAt?.toISOString() ?? null,
    sentAt: sentAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
