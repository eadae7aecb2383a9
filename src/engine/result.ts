import { fingerprintOf } from '../core/fingerprint.js';
import { finalState } from '../core/lifecycle.js';
import type { Mail } from '../core/mail.js';
import type { Outcome, Trial } from '../core/outcome.js';
import type { SendReport } from '../core/report.js';
import { readRetryPolicy } from '../core/retry.js';
import { forPeople } from '../core/text.js';
import type { ClaimedMessage, SettleEntry } from '../store/store.js';
import type { Sender } from './senders.js';

/** A second of real time: what goes back without a wait of its own would come again as fast as the database allows. */
const UNKNOWN_WAIT_MS = 1_000;

/** When a claim was made and is judged, by a clock that may be virtual and then runs at some speed. */
export interface Judged {
  readonly inline: boolean;
  readonly claimedAt: number;
  readonly now: number;
  readonly speed: number;
}

export const trialOf = (message: ClaimedMessage, { inline, claimedAt, now, speed }: Judged): Trial => ({
  attempts: message.attempts,
  ageMs: now - (message.datedAt ?? claimedAt),
  inline,
  doubts: message.doubts,
  policy: readRetryPolicy(message.retryPolicy),
  doubtPolicy: message.doubtPolicy,
  unknownWaitMs: UNKNOWN_WAIT_MS * speed,
});

/** How a claim of one message ended: decided, and on its way into the store. */
export interface Result {
  readonly message: ClaimedMessage;
  readonly lease: number;
  readonly sender: Sender;
  readonly outcome: Outcome;
  /** What the transport said; undefined: it was not asked, or nobody heard it. */
  readonly report?: SendReport | undefined;
  readonly startedAt: number | null;
  readonly handedAt: number | null;
  /** How long the try took, by this process's steady clock; undefined if there was none of ours. */
  readonly seconds?: number | undefined;
  /** Handed over or said to have left, and stored nowhere: unless it is known to have left, it is stored with the result. */
  readonly mayHaveLeft?: Mail | undefined;
  /** The lease was taken over from somebody who was lost. */
  readonly lost?: { readonly alone: boolean } | undefined;
}

/** The one place where a result becomes what the store writes. */
export function settlementOf(result: Result, worker: string): SettleEntry {
  const { message, outcome, report, lost } = result;
  const { event, attempts, waitMs, reason, attempt, error } = outcome;
  const sent = report?.status === 'sent' ? report : undefined;
  const cause = causeOf(result);
  const refused = sent?.refused?.map((each) => `${each.address}: ${each.error.code} ${each.error.message}`);
  return {
    lease: result.lease,
    id: message.id,
    workspaceId: message.workspaceId,
    channelId: message.channelId,
    event,
    attempts,
    waitMs,
    reason,
    lastError: attempt ? undefined : error,
    attempt: attempt && {
      outcome: attempt,
      startedAt: result.startedAt,
      handedAt: result.handedAt,
      errorClass: error?.class,
      errorCode: error?.code ?? (refused && 'partly_refused'),
      error: error?.message ?? (refused && forPeople(refused.join('; '), 2_000)),
      providerMessageId: sent?.providerMessageId,
      threadId: sent?.threadId,
      worker,
    },
    lost: lost && true,
    alone: lost?.alone,
    guard: message.guarded
      ? { lane: message.lane, draw: Math.random(), halted: reason === 'halted' || undefined }
      : undefined,
    notification:
      message.eventId === null || message.subscriptionId === null
        ? undefined
        : { eventId: message.eventId, subscriptionId: message.subscriptionId },
    transport: cause?.transport,
    fingerprint: cause?.fingerprint,
  };
}

/** A dead letter is stored with what it died of, so that those of one cause can be found together. */
function causeOf({ outcome, sender }: Result): Pick<SettleEntry, 'transport' | 'fingerprint'> | undefined {
  const { error } = outcome;
  if (!error || finalState(outcome.event) !== 'dead') return undefined;
  const transport = sender.transport.kind;
  const { class: kind, code, message } = error;
  return { transport, fingerprint: fingerprintOf({ transport, class: kind, code, message }) };
}

const UNSTORABLE = {
  errorCode: 'unstorable',
  error: 'what the server said could not be stored',
};

/**
 * The same result without the words of strangers, for a database that refuses it with them. What is left are numbers
 * that it gave us itself and words of our own.
 */
export function bareOf({ attempt, waitMs, ...entry }: SettleEntry): SettleEntry {
  const { lease, id, workspaceId, channelId, event, attempts, reason, lastError, lost, alone } = entry;
  const { guard, notification } = entry;
  return {
    ...{ lease, id, workspaceId, channelId, event, attempts, reason, lastError, lost, alone },
    ...{ guard, notification },
    waitMs: waitMs === undefined ? undefined : Math.round(waitMs),
    attempt: attempt && {
      outcome: attempt.outcome,
      startedAt: attempt.startedAt,
      handedAt: attempt.handedAt,
      errorClass: attempt.errorClass,
      ...UNSTORABLE,
      worker: attempt.worker,
    },
  };
}
