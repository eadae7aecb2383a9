import { ERROR_CODES, type ErrorCode } from '../core/errors.js';

/** What only HTTP has to refuse, beside the errors that every caller of the library knows. */
const HTTP_CODES = {
  unauthorized: 'A valid API key or a session is needed.',
  invitation_over: 'This invitation was used or replaced, or has run out.',
  cross_site: 'A write with a session needs its X-CSRF-Token and must come from this site.',
  too_large: 'The body is larger than it may be here.',
  timeout: 'The body took too long.',
  too_many_requests: 'Too much was asked; wait as long as it says.',
  not_ready: 'The process runs, but should not be given work yet.',
  internal: 'Something went wrong on our side; the log knows more.',
} as const;

export type FailureCode = ErrorCode | keyof typeof HTTP_CODES;

export const MEANING: Readonly<Record<FailureCode, string>> = { ...ERROR_CODES, ...HTTP_CODES };

export const STATUS: Readonly<Record<FailureCode, number>> = {
  invalid_input: 400,
  invalid_config: 422,
  mail_job_invalid: 422,
  mail_job_version: 422,
  wrong_credentials: 401,
  unauthorized: 401,
  invitation_over: 401,
  forbidden: 403,
  cross_site: 403,
  not_found: 404,
  timeout: 408,
  illegal_move: 409,
  idempotency_conflict: 409,
  conflict: 409,
  too_large: 413,
  too_many_attempts: 429,
  too_many_requests: 429,
  internal: 500,
  store_unavailable: 503,
  commit_unknown: 503,
  schema_too_new: 503,
  restored: 503,
  busy: 503,
  stopped: 503,
  not_ready: 503,
};
