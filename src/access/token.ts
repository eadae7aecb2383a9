import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const KEY_PREFIX = 'pbx_';
const HINT_LENGTH = 8;

/** 256 bits that nobody guesses. */
export const makeToken = (): string => randomBytes(32).toString('base64url');

/** Says what it is when it turns up somewhere where it should not. */
export const makeApiKey = (): string => `${KEY_PREFIX}${makeToken()}`;

/** What is kept of a key or a session. They are random, so a plain hash can't be searched. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** By which a person knows a key again. */
export const hintOf = (key: string): string => `${key.slice(0, HINT_LENGTH)}…`;

/** Follows from the session, so that nothing more has to be kept, and says nothing of it. */
export const csrfTokenOf = (session: string): string =>
  createHmac('sha256', session).update('csrf').digest('base64url');

/** Compares in the same time, whatever is given. */
export const sameSecret = (given: string, expected: string): boolean =>
  timingSafeEqual(Buffer.from(hashToken(given)), Buffer.from(hashToken(expected)));
