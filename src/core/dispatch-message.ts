import { formatId, parseId } from './ids.js';

/** What stands in a broker, by the names that others know too. */
export const QUEUES = {
  send: 'email.dispatcher.send',
  dead: 'email.dispatcher.dead',
  rejected: 'email.dispatcher.rejected',
} as const;

export type QueueName = (typeof QUEUES)[keyof typeof QUEUES];

/** How a queue is made that is not there; one that is there is taken as it is. */
export const QUEUE_TYPES = ['classic', 'quorum'] as const;
export type QueueType = (typeof QUEUE_TYPES)[number];

/** What we write has some hundred; a stranger may be more talkative, but not endlessly. */
export const LONGEST_DISPATCH = 4_096;
/** As many tries as a retry policy may have, and then some. */
const MOST_ATTEMPTS = 32_767;

/** "Look at this message": which, and for which try, counted from 1. */
export interface Dispatch {
  readonly id: number;
  readonly attempt: number;
}

/** By what a message is known to others: the caller's own key, else its id. */
const keyOf = (id: number, idempotencyKey: string | null): string =>
  idempotencyKey ?? formatId('message', id);

export const writeDispatch = (message: {
  readonly id: number;
  readonly attempts: number;
  readonly idempotencyKey: string | null;
}): string =>
  JSON.stringify({
    emailId: formatId('message', message.id),
    messageKey: keyOf(message.id, message.idempotencyKey),
    attempt: message.attempts + 1,
  });

/** Why a payload could not be read: the `reason` with which it is set aside. */
export type Unreadable = 'too_long' | 'not_json' | 'no_email_id' | 'no_attempt';

/** Whatever it holds besides is not looked at: the row decides. */
export function readDispatch(text: string): Dispatch | Unreadable {
  if (text.length > LONGEST_DISPATCH) return 'too_long';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'not_json';
  }
  if (typeof value !== 'object' || value === null) return 'not_json';
  const { emailId, attempt } = value as Record<string, unknown>;
  const id = typeof emailId === 'string' ? parseId('message', emailId) : undefined;
  if (id === undefined) return 'no_email_id';
  if (typeof attempt !== 'number' || !Number.isInteger(attempt)) return 'no_attempt';
  return attempt >= 1 && attempt <= MOST_ATTEMPTS ? { id, attempt } : 'no_attempt';
}

export const writeDeath = (death: {
  readonly messageId: number;
  readonly idempotencyKey: string | null;
  readonly deadReason: string | null;
  readonly lastError: object | null;
}): string =>
  JSON.stringify({
    emailId: formatId('message', death.messageId),
    messageKey: keyOf(death.messageId, death.idempotencyKey),
    deadReason: death.deadReason,
    lastError: death.lastError,
  });
