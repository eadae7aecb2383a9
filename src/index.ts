export { createPillarbox, Pillarbox, type PassLimits } from './library/pillarbox.js';
export type { Condition } from './library/courier.js';
export type { PillarboxOptions } from './library/options.js';
export type { PassReport } from './engine/pass.js';
export { ERROR_CODES, PillarboxError, type ErrorCode } from './core/errors.js';
export type { BulkReport } from './outbox/bulk.js';
export type {
  EnqueuedMail,
  EnqueueManyOptions,
  EnqueueOptions,
  Outbox,
  SendOptions,
  SendResult,
} from './outbox/outbox.js';
export type { UnrecordedResult } from './outbox/unrecorded.js';
export type { MailInput } from './outbox/mail-input.js';
export type { ListOptions } from './messages/filter.js';
export type { Messages } from './messages/messages.js';
export type { Page } from './core/page.js';
export type { Explanation } from './core/explain.js';
export type { State } from './core/lifecycle.js';
export type { Action, Attempt, DoubtPolicy, Lane, Message } from './core/message.js';
export type { ErrorClass, SendError, SendReport } from './core/report.js';
export type { Suppression, SuppressionReason } from './core/suppression.js';
export type { RetryPolicy } from './core/retry.js';
export {
  generateIdempotencyKey,
  IDEMPOTENCY_SEPARATOR,
  parseIdempotencyKey,
  type SequenceKey,
} from './core/key.js';
export {
  isRetryableError,
  mapScheduledEmail,
  MAX_RETRY_ATTEMPTS,
  NON_RETRYABLE_ERROR_CODES,
  RANDOM_DELAY_RANGE,
  RETRY_BACKOFF_MINUTES,
  RETRYABLE_ERROR_CODES,
  SCHEDULED_EMAIL_STATUSES,
  toScheduledEmail,
  type CreateScheduledEmailInput,
  type ScheduledEmail,
  type ScheduledEmailResponse,
  type ScheduledEmailStatus,
} from './core/scheduled-email.js';
export { handleEmailFailure, scheduleEmailsForCampaign } from './library/seed-campaigns.js';
export { schedulerOf, type Scheduler } from './library/scheduler-of.js';
export type { DeadGroup } from './store/scripts/dead-groups.js';
export type {
  NewSuppression,
  RemovalOptions,
  SuppressionOptions,
  Suppressions,
} from './suppressions/suppressions.js';
export type { SequenceStep } from './core/sequence.js';
export type { SequenceCheck } from './sequences/check.js';
export type { PeopleWalk } from './sequences/walk.js';
export type { SequenceInput } from './sequences/input.js';
export type {
  Campaigns,
  ScheduleProgress,
  Scheduling,
  SchedulingOptions,
  SchedulingResult,
} from './campaigns/campaigns.js';
export type { ConcernedOptions, SimulationOptions } from './campaigns/foresight.js';
export type { DescriptionInput, Simulation } from './core/simulation.js';
export { simulate, type DescribedOptions } from './simulate/simulator.js';
export type { DryRun } from './campaigns/dry-run.js';
export type { CampaignInput, CampaignPatch } from './campaigns/input.js';
export type { CampaignView, PersonView } from './campaigns/view-of.js';
export type { CampaignDetail } from './campaigns/views.js';
export type { Preview, Sequence, SequenceHead, Sequences } from './sequences/sequences.js';
export type {
  Template,
  TemplateDetail,
  TemplateListOptions,
  TemplatePreview,
  Templates,
} from './templates/templates.js';
export type { MailJob, NotificationJob } from './core/mail-job.js';
export type { ContactInput } from './core/contact.js';
export type { ContactListOptions, Contacts, ContactView } from './contacts/contacts.js';
export type { ImportOptions, ImportReport, Imports } from './contacts/imports.js';
export type { Inbound, InboundEffect, InboundInput } from './inbound/inbound.js';
export { DatabaseSync, type Tx } from './store/tx.js';
export { fileTransport, type FileTransportOptions } from './transport/file.js';
export {
  senderTransport,
  type MailMessage,
  type MailSender,
  type MailSendResult,
  type SenderTransportOptions,
} from './transport/mail-sender.js';
export {
  ReliableMailSender,
  reliableTransport,
  type ReliableMailSenderOptions,
} from './transport/reliable-mail-sender.js';
export type { Gate, LookupAnswer, Outgoing, Transport } from './transport/transport.js';
export type { Logger } from './log/log.js';
export {
  calculateRampUpQuota,
  DEFAULT_DAILY_LIMITS,
  getDailyLimitForAccount,
  getNextSendingSlot,
  isWithinSendingWindow,
  isWithinSendWindow,
  type WindowSettings,
} from './core/seed-names.js';
export type { AccountSending, SendingSettings, SendingWindow } from './core/sending.js';
export type { Capacity } from './core/limits.js';
export type { Guard, Quota } from './guard/guard.js';
export {
  checkDailyCapForAccount,
  getDailySentCount,
  getNextAvailableSlot,
  getRemainingQuota,
  type DailyCap,
} from './library/seed-names.js';
