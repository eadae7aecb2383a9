import type { SendError } from '../report.js';
import { forPeople } from '../text.js';
import type { Verdict } from './rules.js';

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
