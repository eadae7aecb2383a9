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
  /** How long what goes back stays away when nobody knows better. */
  readonly unknownWaitMs: number;
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
  /** Why it ended, or went back untried. */
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
  const { unknownWaitMs } = trial;
  if (error.attempted === false) {
    return { event: 'released', attempts: trial.attempts, waitMs: restMs(error, unknownWaitMs) };
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
    // Neither burns a try: it is the account that is paused or rests, and as soon as it is open again the message may go.
    // It stays away for a moment all the same: a pause that the database refuses would keep nobody from coming at once.
    case 'account':
      return { event: 'released', attempt: 'failed', attempts: trial.attempts, waitMs: unknownWaitMs, error };
    case 'rate_limited':
      return {
        event: 'released',
        attempt: 'rate_limited',
        attempts: trial.attempts,
        // A limit of one recipient says nothing of the account: only this message waits.
        waitMs: error.scope === 'recipient' ? restMs(error, RECIPIENT_REST_MS) : unknownWaitMs,
        error,
      };
  }
}

const RECIPIENT_REST_MS = 15 * 60_000;

/** As long as the server asks for, if it does. */
const restMs = ({ retryAfterSeconds }: SendError, otherwiseMs: number): number =>
  retryAfterSeconds === undefined ? otherwiseMs : retryAfterSeconds * 1_000;

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

/** Why a message is kept back that a worker has in hand, and how long until it could pass. */
export interface KeptBack {
  readonly why:
    | 'cancelled'
    | 'suppressed'
    | 'expired'
    | 'copy_suppressed'
    | 'paused'
    | 'shut'
    | 'halted'
    | 'ended'
    | 'unsubscribed'
    | 'closed'
    | 'stopping'
    | 'store_unavailable'
    | 'too_slow';
  /** Undefined: nobody can say. */
  readonly waitMs?: number | undefined;
  /** What ended it. */
  readonly reason?: string | undefined;
}

/**
 * Nothing left, and no try is used up. What goes back does not come again before it could pass, and where nobody
 * knows when that is, not at once: else it would go round between queue and gate as fast as the database allows. Only
 * what is handed back by a worker that stops is for others to take now.
 */
export function outcomeOfKeptBack(kept: KeptBack, { attempts, unknownWaitMs }: Trial): Outcome {
  const { why, waitMs = unknownWaitMs } = kept;
  switch (why) {
    case 'cancelled':
      return { event: 'cancelled', reason: 'cancelled_by_person', attempts };
    case 'suppressed':
      return { event: 'suppressed', reason: 'suppressed', attempts };
    case 'expired':
      return { event: 'expired', reason: 'expired', attempts };
    // What a notification is skipped for is what became of its subscription.
    case 'unsubscribed':
      return { event: 'suppressed', reason: kept.reason ?? why, attempts };
    case 'ended':
      return { event: 'cancelled', reason: kept.reason ?? why, attempts };
    // It waits with its campaign, or its person, until that goes on: nobody takes it before.
    case 'halted':
      return { event: 'released', attempts, reason: why };
    // Its account is shut, and nobody takes it before that opens: it keeps its place in the line.
    case 'shut':
    case 'stopping':
      return { event: 'released', attempts, reason: why };
    case 'copy_suppressed':
    case 'closed':
    case 'paused':
    case 'store_unavailable':
    case 'too_slow':
      return { event: 'released', attempts, waitMs, reason: why };
  }
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
