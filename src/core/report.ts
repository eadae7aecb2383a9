/** Every kind of trouble. */
export const ERROR_CLASSES = [
  'retryable',
  'rate_limited',
  'permanent',
  'recipient',
  'account',
  'in_doubt',
] as const;
/** What kind of trouble an error is. The class alone decides what becomes of message, account and address. */
export type ErrorClass = (typeof ERROR_CLASSES)[number];

/** Whom an error speaks of. Only an error of the recipient may suppress an address. */
export type ErrorScope = 'message' | 'recipient' | 'account';

export interface SendError {
  readonly class: ErrorClass;
  readonly scope: ErrorScope;
  /** Short and searchable: `550 5.1.1`, `ECONNREFUSED`, `rateLimitExceeded`. */
  readonly code: string;
  /** For people: the server's own words, cleaned and cut. Never a secret. */
  readonly message: string;
  /** The least wait before another try: the provider's Retry-After, or the rule's minimum. */
  readonly retryAfterSeconds?: number;
  /** The fault was ours and nobody was asked: no try is used up. */
  readonly attempted?: false;
  /** The address refused for now (a full mailbox): three of these within a week suppress it. */
  readonly softBounce?: true;
  /**
   * It may have been sent, but for so long after its first try the provider knows it by its key: until then another
   * try is the same mail, and after that it would be a second one.
   */
  readonly keyLifeSeconds?: number;
}

/** A recipient that was refused although the mail left for others of the same envelope. */
export interface RefusedRecipient {
  readonly address: string;
  readonly error: SendError;
}

/**
 * How one try ended. A transport always answers with one of these and never throws.
 * `sent`: accepted, definite. `retryable`, `failed`: not accepted, definite, nothing left.
 * `in_doubt`: the last byte left, or may have, and no whole reply came back.
 */
export type SendReport =
  | {
      readonly status: 'sent';
      readonly provider: string;
      readonly providerMessageId?: string;
      readonly threadId?: string;
      readonly refused?: readonly RefusedRecipient[];
    }
  | {
      readonly status: 'retryable' | 'failed' | 'in_doubt';
      readonly provider: string;
      readonly error: SendError;
    };
