import type { FastifyReply } from 'fastify';
import { PillarboxError } from '../core/errors.js';
import { STATUS, type FailureCode } from './codes.js';

/** Seconds after which a client may ask again while the database is away. */
const OUTAGE_RETRY_SECONDS = 5;

/** A success that is not an ordinary 200. */
export class Answer<Data = unknown> {
  constructor(
    readonly status: number,
    readonly data: Data,
  ) {}
}

export const accepted = <Data>(data: Data): Answer<Data> => new Answer(202, data);

export function sendData(reply: FastifyReply, data: unknown): FastifyReply {
  if (data instanceof Answer) return sendData(reply.code(data.status), data.data);
  return reply.send({ success: true, data: data ?? null });
}

export interface Failure {
  readonly status: number;
  readonly code: FailureCode;
  readonly message: string;
  readonly field?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly triesLeft?: number | undefined;
  readonly waiting?: number | undefined;
}

export function sendFailure(reply: FastifyReply, failure: Failure): FastifyReply {
  const { status, code, message, field, retryAfterSeconds, triesLeft, waiting } = failure;
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', String(retryAfterSeconds));
  const details = {
    ...(field !== undefined && { field }),
    ...(triesLeft !== undefined && { triesLeft }),
    ...(waiting !== undefined && { waiting }),
  };
  const error = { code, message, ...(Object.keys(details).length > 0 && { details }) };
  return reply.code(status).send({ success: false, error });
}

/** What a thrown thing means for the one who asked. Undefined: it is our fault, and nobody's business. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof PillarboxError) {
    const { code, message, field, retryAfterSeconds, triesLeft, waiting } = error;
    const status = STATUS[code];
    // Whoever repeats by himself what may have been stored makes a second mail of it: he is not invited to.
    const again = status === 503 && code !== 'commit_unknown';
    const wait = retryAfterSeconds ?? (again ? OUTAGE_RETRY_SECONDS : undefined);
    return { status, code, message, field, retryAfterSeconds: wait, triesLeft, waiting };
  }
  // Fastify's own refusals: malformed JSON, a body that is too large, an unknown content type.
  const { statusCode, code, message } = error as { statusCode?: unknown; code?: unknown; message?: unknown };
  if (typeof statusCode !== 'number' || statusCode < 400 || statusCode > 499) return undefined;
  const status = statusCode === 415 ? 400 : statusCode;
  return { status, code: WORDS[status] ?? 'invalid_input', message: wordsOf(code, message) };
}

const WORDS: Record<number, FailureCode> = {
  404: 'not_found',
  408: 'timeout',
  413: 'too_large',
  429: 'too_many_requests',
};

const wordsOf = (code: unknown, message: unknown): string => {
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return 'content-type: should be application/json, or text/csv where a file is taken';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return 'body: is too large';
  return typeof message === 'string' ? `request: ${message.slice(0, 200)}` : 'request: can not be read';
};

export const UNAUTHORIZED: Failure = {
  status: 401,
  code: 'unauthorized',
  message: 'a valid API key or a session is needed',
};
export const UNINVITED: Failure = {
  status: 401,
  code: 'invitation_over',
  message: 'this invitation was used or replaced, or has run out; ask for a new one',
};
export const FORBIDDEN: Failure = {
  status: 403,
  code: 'forbidden',
  message: 'this key or role may not do that',
};
export const NO_WORKSPACE: Failure = {
  status: 404,
  code: 'not_found',
  message: 'X-Workspace-Id: there is no such workspace',
};
export const CROSS_SITE: Failure = {
  status: 403,
  code: 'cross_site',
  message: 'a write with a session needs its X-CSRF-Token and must come from this site',
};
