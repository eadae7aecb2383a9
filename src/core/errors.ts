/**
 * Every fault that a caller can cause or must handle, by a stable code. Outcomes of a send are values, never
 * errors; bugs and outages of others are thrown as they come, with `cause`.
 */
export const ERROR_CODES = {
  invalid_input: 'Something in the call is malformed; `field` names it. Nothing was stored.',
  invalid_config: 'A setting is unknown or malformed; the text names it and says what it should be.',
  not_found: 'There is no such object in this workspace.',
  illegal_move: 'The present state does not allow this move, or it would not help. Nothing was changed.',
  idempotency_conflict: 'This idempotency key was used before, for a mail with different content.',
  mail_job_invalid: 'The job does not keep the contract of mail jobs; `field` is the path of what is wrong.',
  mail_job_version: 'The job is of another major version of the contract than the one that is known here.',
  store_unavailable: 'The database could not be reached or could not write. Nothing was stored; try again.',
  commit_unknown:
    'The database was lost before it said whether it stored this. Repeat it with the same idempotency key, or look first.',
  schema_too_new: 'The database was migrated by a newer Pillarbox. Upgrade this program.',
  restored:
    'The database was copied or restored from a backup; what waits in it may have left. Run `pillarbox restored`.',
  wrong_credentials: 'The address or the password is wrong.',
  too_many_attempts: 'Too many failed log-ins; wait as long as it says.',
  forbidden: 'Whoever asks may not do that.',
  conflict: 'The present state of things does not allow this. Nothing was changed.',
  busy: 'Too much is going on at this moment. Nothing was done; try again in a moment.',
  stopped: 'This Pillarbox was stopped; make a new one.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

export interface ErrorDetails extends ErrorOptions {
  /** The field of the input that is at fault, as a path: `attachments.0.filename`. */
  field?: string;
  /** How long to wait before it makes sense to ask again. */
  retryAfterSeconds?: number;
  /** How many more guesses are let through, once they are few. */
  triesLeft?: number | undefined;
  /** How many messages stand in the way. */
  waiting?: number | undefined;
}

export class PillarboxError extends Error {
  override readonly name = 'PillarboxError';
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly triesLeft: number | undefined;
  readonly waiting: number | undefined;

  constructor(
    readonly code: ErrorCode,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, details);
    this.field = details.field;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.triesLeft = details.triesLeft;
    this.waiting = details.waiting;
  }
}

/** The database is away, and what was asked of it may work later. */
export const isOutage = (error: unknown): boolean => isUnavailable(error) || isUnknownCommit(error);

/** The same, and it is certain that nothing of it was stored. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof PillarboxError && error.code === 'store_unavailable';

const isUnknownCommit = (error: unknown): boolean =>
  error instanceof PillarboxError && error.code === 'commit_unknown';

export const invalidInput = (field: string, message: string): PillarboxError =>
  new PillarboxError('invalid_input', `${field}: ${message}`, { field });
