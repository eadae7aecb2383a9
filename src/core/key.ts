import { invalidInput } from './errors.js';
import { formatId, parseId } from './ids.js';
import type { Lane } from './message.js';

export const IDEMPOTENCY_SEPARATOR = ':';
/** Ids are opaque, printable and never hold the separator, so that a key has exactly one reading. */
const ID = /^[!-9;-~]{1,100}$/;
const STEP = /^[1-9][0-9]{0,8}$/;

export interface SequenceKey {
  prospectId: string;
  sequenceId: string;
  stepNumber: number;
}

/** `{prospectId}:{sequenceId}:{stepNumber}`: one sequence reaches one person once, whatever the campaign. */
export function generateIdempotencyKey(prospectId: string, sequenceId: string, stepNumber: number): string {
  if (!ID.test(prospectId))
    throw invalidInput('prospectId', 'must be 1 to 100 printable characters without ":"');
  if (!ID.test(sequenceId))
    throw invalidInput('sequenceId', 'must be 1 to 100 printable characters without ":"');
  if (!STEP.test(String(stepNumber))) throw invalidInput('stepNumber', 'must be a whole number from 1');
  return [prospectId, sequenceId, String(stepNumber)].join(IDEMPOTENCY_SEPARATOR);
}

/** `{eventId}:{subscriptionId}`: an event is told to a subscription once. Shown, and not stored: the pair itself is. */
export const notificationKey = (eventId: number, subscriptionId: number): string =>
  [formatId('event', eventId), formatId('subscription', subscriptionId)].join(IDEMPOTENCY_SEPARATOR);

/** Undefined for whatever `notificationKey` could not have made. */
export function parseNotificationKey(
  key: string,
): { readonly eventId: number; readonly subscriptionId: number } | undefined {
  const [event = '', subscription = '', ...rest] = key.split(IDEMPOTENCY_SEPARATOR);
  const eventId = parseId('event', event);
  const subscriptionId = parseId('subscription', subscription);
  if (eventId === undefined || subscriptionId === undefined || rest.length > 0) return undefined;
  return { eventId, subscriptionId };
}

/**
 * What a provider knows a message by. A caller's key is his own only within his workspace and lane, and a provider
 * may serve several installations with one account: bare, the second tenant's "welcome-1" would never leave.
 */
export const providerKey = (
  installation: string,
  id: string,
  message: {
    readonly workspaceId: number;
    readonly lane: Lane;
    readonly idempotencyKey: string | null;
  },
): string => {
  const { workspaceId, lane, idempotencyKey } = message;
  return idempotencyKey === null
    ? `${installation}${IDEMPOTENCY_SEPARATOR}${id}`
    : `${installation}${IDEMPOTENCY_SEPARATOR}${String(workspaceId)}${IDEMPOTENCY_SEPARATOR}${lane}${IDEMPOTENCY_SEPARATOR}${idempotencyKey}`;
};

/** Reads back what `generateIdempotencyKey` made, and refuses everything that it could not have made. */
export function parseIdempotencyKey(key: string): SequenceKey {
  const [prospectId = '', sequenceId = '', step = '', ...rest] = key.split(IDEMPOTENCY_SEPARATOR);
  if (!ID.test(prospectId) || !ID.test(sequenceId) || !STEP.test(step) || rest.length > 0) {
    throw invalidInput('idempotencyKey', 'is not of the form prospectId:sequenceId:stepNumber');
  }
  return { prospectId, sequenceId, stepNumber: Number(step) };
}
