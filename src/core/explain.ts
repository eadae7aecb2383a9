import type { State } from './lifecycle.js';
import { timeWords, type Clock } from './time-words.js';

/** What decides whether a message may leave now, read at one moment. */
export interface Standing extends Clock {
  readonly state: State;
  readonly dueAt: number | null;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly lastError: { readonly code: string; readonly message: string } | null;
  readonly reason: string | null;
  readonly finishedAt: number | null;
  readonly suppressed: boolean;
  readonly account: {
    readonly name: string;
    readonly pausedAt: number | null;
    readonly pauseReason: string | null;
    readonly blockedUntil: number;
    readonly blockedReason: string | null;
  };
  readonly lease: { readonly owner: string; readonly handed: boolean } | null;
  /** How many are alive that could take it. */
  readonly workers: number;
}

export interface Explanation {
  readonly state: State;
  /** A searchable word. */
  readonly reason: string;
  /** When that reason ends, if that is known. */
  readonly until: number | null;
  /** What is true now, for whoever reads one line. */
  readonly headline: string;
  /** What the headline rests on. */
  readonly evidence: string | null;
  /** Both. */
  readonly sentence: string;
}

export const HELD_HEADLINE = 'Nobody knows whether this mail left. Only you can decide.';

const at = (instant: number, clock: Clock): string => timeWords(instant, clock, { seconds: true });
const lastly = ({ lastError }: Standing): Pick<Reason, 'evidence'> =>
  lastError
    ? { evidence: `The last try ended with: ${`${lastError.code} ${lastError.message}`.trim()}` }
    : {};

/** Why a message has not left, and until when, in the order in which the claim would find out. */
export function explain(standing: Standing): Explanation {
  const { reason, until = null, sentence: headline, evidence } = reasonOf(standing);
  const sentence = evidence === undefined ? headline : `${headline} ${evidence}`;
  return { state: standing.state, reason, until, headline, evidence: evidence ?? null, sentence };
}

type Reason = Pick<Explanation, 'reason' | 'sentence'> &
  Partial<Pick<Explanation, 'until'>> & { readonly evidence?: string };

function reasonOf(standing: Standing): Reason {
  const { state, lease, now } = standing;
  switch (state) {
    case 'scheduled':
    case 'retry_scheduled':
    case 'queued':
      return whyItWaits(standing);
    case 'sending':
      if (!lease)
        return { reason: 'in_flight', sentence: 'It is between two places at this moment; look again.' };
      return lease.handed
        ? {
            reason: 'handed_over',
            sentence: `Worker ${lease.owner} has handed it over and waits for the answer.`,
          }
        : { reason: 'in_flight', sentence: `Worker ${lease.owner} is sending it.` };
    case 'held':
      return {
        reason: 'in_doubt',
        sentence: HELD_HEADLINE,
        evidence: [
          'It was handed over and nobody heard the answer. Say whether it was sent, or send it again.',
          lastly(standing).evidence ?? '',
        ]
          .join(' ')
          .trim(),
      };
    case 'dead':
      return { reason: standing.reason ?? 'dead', sentence: whyItDied(standing), ...lastly(standing) };
    case 'sent':
      return { reason: 'sent', sentence: `It left at ${at(standing.finishedAt ?? now, standing)}.` };
    case 'skipped':
      return {
        reason: standing.reason ?? 'suppressed',
        sentence: 'It was not sent because the recipient must not be written to.',
      };
    case 'expired':
      return {
        reason: 'expired',
        sentence: `Its time ran out at ${at(standing.finishedAt ?? now, standing)}, before it left.`,
      };
    case 'cancelled':
      return { reason: standing.reason ?? 'cancelled', sentence: 'It was stopped before it left.' };
  }
}

/** What holds up a message that waits, beyond its own time: one row of its account, whatever waits behind it. */
export function rescheduleReason(standing: {
  readonly now: number;
  readonly dueAt: number;
  readonly pausedAt: number | null;
  readonly blockedUntil: number;
}): 'account_paused' | 'account_cooling' | null {
  if (standing.pausedAt !== null) return 'account_paused';
  const { now, dueAt, blockedUntil } = standing;
  return blockedUntil > now && blockedUntil >= dueAt ? 'account_cooling' : null;
}

function whyItWaits(standing: Standing): Reason {
  const { account, now, attempts, maxAttempts, state, workers } = standing;
  const dueAt = standing.dueAt ?? now;
  const blocked = rescheduleReason({ now, dueAt, ...account });
  if (standing.suppressed) {
    return {
      reason: 'suppressed',
      sentence: 'The recipient is on the suppression list; it will be skipped.',
    };
  }
  if (blocked === 'account_paused') {
    const why = account.pauseReason ?? 'by a person';
    const sentence = `Account ${account.name} is paused since ${at(account.pausedAt ?? now, standing)}: ${why}. It waits until the account is resumed.`;
    return { reason: blocked, sentence };
  }
  if (blocked === 'account_cooling') {
    const why = account.blockedReason ?? 'the provider asked for it';
    const sentence = `Account ${account.name} rests until ${at(account.blockedUntil, standing)}: ${why}.`;
    return { reason: blocked, until: account.blockedUntil, sentence };
  }
  if (dueAt > now && attempts > 0) {
    const sentence = `Try ${attempts} of ${maxAttempts} failed; the next one is at ${at(dueAt, standing)}.`;
    return { reason: 'retry_wait', until: dueAt, sentence, ...lastly(standing) };
  }
  if (dueAt > now)
    return { reason: 'scheduled', until: dueAt, sentence: `It is scheduled for ${at(dueAt, standing)}.` };
  if (state === 'queued')
    return { reason: 'queued', sentence: 'It is in the broker and waits for a sender.' };
  if (workers === 0) {
    const sentence = 'It is due, but no worker is running. It leaves as soon as one is: pillarbox work';
    return { reason: 'no_worker', sentence };
  }
  const whom = workers === 1 ? 'the one worker' : `one of ${String(workers)} workers`;
  return {
    reason: 'waiting_for_worker',
    sentence: `It is due and waits for ${whom} that ${workers === 1 ? 'answers' : 'answer'}.`,
  };
}

function whyItDied({ reason, attempts }: Standing): string {
  if (reason === 'max_attempts') return `All ${attempts} tries failed; it is not tried again by itself.`;
  if (reason === 'poison')
    return 'Several workers died while sending it alone; it is not tried again by itself.';
  return 'The error is permanent; it is not tried again by itself.';
}
