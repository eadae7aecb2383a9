export { createPillarbox, Pillarbox, type PassLimits, type PillarboxOptions } from './pillarbox.js';
export type { PassReport } from './engine/pass.js';
export { ERROR_CODES, PillarboxError, type ErrorCode } from './errors.js';
export type {
  BulkReport,
  EnqueuedMail,
  EnqueueOptions,
  Outbox,
  SendOptions,
  SendResult,
} from './outbox/outbox.js';
export type { UnrecordedResult } from './outbox/unrecorded.js';
export type { MailInput } from './outbox/mail-input.js';
export type { ListOptions, Messages, Page } from './messages.js';
export type { Explanation } from './core/explain.js';
export type { State } from './core/lifecycle.js';
export type { Action, Attempt, DoubtPolicy, Lane, Message } from './core/message.js';
export type { ErrorClass, SendError, SendReport } from './core/report.js';
export type { RetryPolicy } from './core/retry.js';
export { generateIdempotencyKey, parseIdempotencyKey, type SequenceKey } from './core/key.js';
export type { DeadGroup } from './store/scripts/dead-groups.js';
export type { Tx } from './store/tx.js';
export { fileTransport, type FileTransportOptions } from './transport/file.js';
export type { Gate, LookupAnswer, Outgoing, Transport } from './transport/transport.js';
export type { Logger } from './log.js';
