import { PillarboxError } from '../../core/errors.js';
import { missingRight, unreachable } from './remedies.js';

/**
 * 08: connection lost; 57: cancelled, out of time, going down or not yet up; 55P03 and 40: locked out by others;
 * 53: out of room; 25006: read-only. All of them pass, so what was to be written is tried again.
 */
const UNAVAILABLE = /^(?:08|40|53|55P03|57|58|25006|XX)/;
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/** Deadlock and serialization failures: nothing was written, and trying again is the documented answer. */
const TRY_AGAIN = new Set(['40001', '40P01']);
/**
 * Errors that are no answer to the statement: a pooler speaks of a connection that it lost (08), or the server drops
 * everything because a part of it crashed, at whatever point the statement was (57P02).
 */
const NO_ANSWER = /^(?:08|57P02)/;
/** The client saw before it sent anything that its connection is dead. */
const UNSENT = 'not queryable';

export const TRIES_AGAINST_DEADLOCK = 5;

const codeOf = (error: unknown): string => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

export const mayTryAgain = (error: unknown): boolean => TRY_AGAIN.has(codeOf(error));

/** Somebody else holds the lock, for longer than we were ready to wait, or crosswise. */
export const isLockedOut = (error: unknown): boolean => codeOf(error) === '55P03' || mayTryAgain(error);

/** No answer came to what was sent: it may have been carried out, or may still be. */
export function isLost(error: unknown): boolean {
  if (!(error instanceof Error) || error.message.includes(UNSENT)) return false;
  const code = codeOf(error);
  return SOCKET.has(code) || NO_ANSWER.test(code) || (code === '' && isBroken(error));
}

/** The connection can't be used again, whatever was answered. */
export const endsConnection = (error: unknown): boolean =>
  (error as { severity?: unknown }).severity === 'FATAL' ||
  (error instanceof Error && (isLost(error) || error.message.includes(UNSENT)));

const isBroken = (error: Error): boolean => /terminated|timeout|Connection|not queryable/.test(error.message);

/**
 * An outage becomes `store_unavailable`, with its cause and a remedy, and so does a right that is missing: what was to be
 * written is tried again until somebody has granted it. Anything else is a bug and stays what it is.
 */
export function explainFailure(error: unknown, schema = 'pillarbox'): unknown {
  if (!(error instanceof Error) || error instanceof PillarboxError) return error;
  const code = codeOf(error);
  const { message } = error;
  const remedy =
    code === NO_RIGHT
      ? `${message}; ${missingRight(message, schema)}`
      : unreachable({ code, message, place: placeOf(error) });
  const lost = code === '' && isBroken(error);
  if (remedy === undefined && !lost && !SOCKET.has(code) && !UNAVAILABLE.test(code)) return error;
  const why = [`PostgreSQL is not available (${code || message})`, remedy].filter(
    (each) => each !== undefined,
  );
  return new PillarboxError('store_unavailable', why.join(': '), { cause: error });
}

const NO_RIGHT = '42501';

/** Whether the server keeps something from its users. */
export const isForbidden = (error: unknown): boolean =>
  error instanceof Error && codeOf(error.cause ?? error) === NO_RIGHT;

/** A name that stands for several addresses fails at each of them. */
function placeOf(error: Error): string | undefined {
  const [failed = error] = error instanceof AggregateError ? (error.errors as Error[]) : [];
  const { address, port } = failed as { address?: string; port?: number };
  return address === undefined ? undefined : [address, port].filter((each) => each !== undefined).join(':');
}

export const rethrow = (error: unknown): never => {
  throw explainFailure(error);
};

export const unknownCommit = (cause: unknown): PillarboxError =>
  new PillarboxError(
    'commit_unknown',
    'the connection to PostgreSQL was lost before it said whether it stored this, and it could not be asked since: ' +
      'repeat it with the same idempotencyKey, or look before you repeat it',
    { cause },
  );
