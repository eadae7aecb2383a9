import type { Event } from './lifecycle.js';
import type { AttemptOutcome, DeadReason, DoubtPolicy } from './message.js';
import type { RefusedRecipient, SendError, SendReport } from './report.js';
import { nextWaitMs, type RetryPolicy } from './retry.js';

/** What must be known of a message to judge how its claim ended. */
export interface Trial {
  /** Completed tries before this one. */
  readonly attempts: number;
  /** How long ago it was first tried. */
  readonly ageMs: number;
  /** The caller's own try, which counts as none of the engine's. */
  readonly inline: boolean;
  /** How often it was in doubt before. */
  readonly doubts: number;
  readonly policy: RetryPolicy;
  readonly doubtPolicy: DoubtPolicy;
}

/** How a claim ended: the move to make, and what to write into the history. */
export interface Outcome {
  readonly event: Event;
  /** Undefined: no try was made, so none is written. */
  readonly attempt?: AttemptOutcome;
  /** Completed tries after this one. */
  readonly attempts: number;
  /** How long until the next try, for a message that goes back; undefined: it keeps its place in the line. */
  readonly waitMs?: number;
  readonly reason?: string;
  readonly error?: SendError;
}

/** What an error means for more than its own message. Written before the outcome, so that it can't be forgotten. */
export interface Consequences {
  readonly pauseAccount?: { readonly reason: string };
  readonly coolAccount?: { readonly reason: string; readonly retryAfterSeconds: number | undefined };
  /** Addresses that said, for themselves, that they take no mail. */
  readonly suppress?: readonly string[];
  readonly softBounces?: readonly string[];
}

/** One lost lease of a message that was alone in it counts; after so many it is not tried again. */
const POISON_LIMIT = 5;

/** Completed tries after this one. */
const completed = ({ attempts, inline }: Trial): number => (inline ? attempts : attempts + 1);

export function outcomeOf(report: SendReport, trial: Trial): Outcome {
  if (report.status === 'sent') {
    return { event: 'accepted', attempt: 'success', attempts: completed(trial) };
  }
  const { error } = report;
  if (error.attempted === false) {
    return { event: 'released', attempts: trial.attempts, waitMs: (error.retryAfterSeconds ?? 1) * 1_000 };
  }
  switch (error.class) {
    case 'in_doubt':
      return outcomeOfDoubt(error, trial);
    case 'retryable':
      return afterFailure(error, trial);
    case 'permanent':
    case 'recipient':
      return {
        event: 'rejected',
        attempt: 'failed',
        attempts: completed(trial),
        reason: 'permanent_error' satisfies DeadReason,
        error,
      };
    // Neither burns a try: the account rests or is paused, and the message waits where it was.
    case 'account':
      return { event: 'released', attempt: 'failed', attempts: trial.attempts, error };
    case 'rate_limited':
      return {
        event: 'released',
        attempt: 'rate_limited',
        attempts: trial.attempts,
        // A limit of one recipient says nothing of the account: only this message waits.
        ...(error.scope === 'recipient' && {
          waitMs: (error.retryAfterSeconds ?? RECIPIENT_REST_SECONDS) * 1_000,
        }),
        error,
      };
  }
}

const RECIPIENT_REST_SECONDS = 15 * 60;

function afterFailure(error: SendError, trial: Trial): Outcome {
  const attempts = completed(trial);
  const waitMs = nextWaitMs(trial.policy, attempts, error.retryAfterSeconds);
  if (isForgotten(error, trial.ageMs, waitMs)) return outcomeOfDoubt({ ...error, class: 'in_doubt' }, trial);
  if (waitMs === undefined) {
    const reason: DeadReason = 'max_attempts';
    return { event: 'exhausted', attempt: 'failed', attempts, reason, error };
  }
  return { event: 'deferred', attempt: 'failed', attempts, waitMs, error };
}

/** Its key would have let it go again without harm, but the next try comes too late for that, or not at all. */
const isForgotten = ({ keyLifeSeconds }: SendError, ageMs: number, waitMs: number | undefined): boolean =>
  keyLifeSeconds !== undefined && (waitMs === undefined || ageMs + waitMs > keyLifeSeconds * 1_000);

/**
 * It may have left, and nobody can say. Sent again at most once, and only where the policy puts "never lost"
 * above "never twice"; a second doubt is for a person, whatever the policy.
 */
export function outcomeOfDoubt(error: SendError, trial: Trial): Outcome {
  const attempts = completed(trial);
  const doubt = { attempt: 'in_doubt', attempts, error } as const;
  if (trial.doubtPolicy === 'assume_sent') return { event: 'accepted', reason: 'assumed_sent', ...doubt };
  const waitMs = nextWaitMs(trial.policy, attempts, error.retryAfterSeconds);
  if (trial.doubtPolicy === 'hold' || trial.doubts > 0 || waitMs === undefined) {
    return { event: 'doubted', reason: 'in_doubt', ...doubt };
  }
  return { event: 'deferred', waitMs, ...doubt };
}

/** What a provider that could be asked knows: it has it, it has not, or its key makes another try the same mail. */
export type Resolution = 'sent' | 'unsent' | { readonly keyLifeSeconds: number };

/** The provider could be asked. The try stays a doubt in the history, also when it is resolved. */
export function outcomeOfLookup(answer: Resolution, error: SendError, trial: Trial): Outcome {
  if (answer === 'unsent') return { ...afterFailure(error, trial), attempt: 'in_doubt' };
  if (answer !== 'sent') return { ...afterFailure({ ...error, ...answer }, trial), attempt: 'in_doubt' };
  return {
    event: 'accepted',
    attempt: 'in_doubt',
    attempts: completed(trial),
    reason: 'looked_up',
    error,
  };
}

/** What is known of a message whose lease ran out. */
export interface Loss {
  readonly handed: boolean;
  readonly withdrawn: boolean;
  /** It was the only message of its lease, so the loss speaks of it. */
  readonly alone: boolean;
  readonly loneLosses: number;
}

/** Before the gate nothing had left: again, unless it was cancelled or keeps taking its worker down. */
export function outcomeOfLoss(loss: Loss, trial: Trial): Outcome {
  if (loss.handed) return outcomeOfDoubt(LEASE_LOST, trial);
  const untried = { attempts: trial.attempts };
  if (loss.withdrawn) return { event: 'cancelled', reason: 'cancelled_by_person', ...untried };
  if (loss.alone && loss.loneLosses + 1 >= POISON_LIMIT) {
    return { event: 'poisoned', reason: 'poison' satisfies DeadReason, error: POISON, ...untried };
  }
  return { event: 'released', ...untried };
}

export const LEASE_LOST: SendError = {
  class: 'in_doubt',
  scope: 'message',
  code: 'lease_lost',
  message: 'the worker was lost after it had handed the mail over; nobody heard the answer',
};

const POISON: SendError = {
  class: 'permanent',
  scope: 'message',
  code: 'poison',
  message: `${String(POISON_LIMIT)} workers in a row were lost while they had only this message in hand`,
};

/** `recipient` is the address that an error of the whole message speaks of. */
export function consequencesOf(report: SendReport, recipient: string): Consequences {
  if (report.status === 'sent') return ofRefused(report.refused ?? []);
  const { error } = report;
  const reason = `${error.code} ${error.message}`.slice(0, 500);
  switch (error.class) {
    // An account error that says when to come back is a rest; any other needs a person.
    case 'account':
      return error.retryAfterSeconds === undefined
        ? { pauseAccount: { reason } }
        : { coolAccount: { reason, retryAfterSeconds: error.retryAfterSeconds } };
    case 'rate_limited':
      return error.scope === 'recipient'
        ? {}
        : { coolAccount: { reason, retryAfterSeconds: error.retryAfterSeconds } };
    case 'recipient':
    case 'retryable':
    case 'permanent':
    case 'in_doubt':
      return ofRefused([{ address: recipient, error }]);
  }
}

function ofRefused(refused: readonly RefusedRecipient[]): Consequences {
  const suppress = refused.filter(({ error }) => error.class === 'recipient').map(({ address }) => address);
  const softBounces = refused.filter(({ error }) => error.softBounce).map(({ address }) => address);
  return { ...(suppress.length > 0 && { suppress }), ...(softBounces.length > 0 && { softBounces }) };
}
