import type { SendError } from '../report.js';
import { READ_AT_MOST, type Verdict } from './rules.js';

const CODE_MAX = 64;
const MESSAGE_MAX = 500;

/** The longer of the rule's wait and the far side's wins: neither is cut short. */
export function toSendError(verdict: Verdict, said: { code: string; message: string }): SendError {
  const { minimumWaitSeconds, retryAfterSeconds, softBounce, attempted } = verdict;
  const wait =
    minimumWaitSeconds === undefined && retryAfterSeconds === undefined
      ? undefined
      : Math.max(minimumWaitSeconds ?? 0, retryAfterSeconds ?? 0);
  return {
    class: verdict.class,
    scope: verdict.scope,
    code: forPeople(said.code, CODE_MAX),
    message: forPeople(said.message, MESSAGE_MAX),
    ...(wait !== undefined && { retryAfterSeconds: wait }),
    ...(softBounce !== undefined && { softBounce }),
    ...(attempted !== undefined && { attempted }),
  };
}

/**
 * Words of a stranger, fit to be stored, logged and shown: one line, no control characters, nothing that turns the
 * direction of what stands around it, no half of a surrogate pair, and short.
 */
function forPeople(text: string, max: number): string {
  const line = text
    .slice(0, READ_AT_MOST)
    .replace(/[\t\n\r\u2028\u2029]+/g, ' ')
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim();
  if (line.length <= max) return line.toWellFormed();
  return line
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .toWellFormed();
}
