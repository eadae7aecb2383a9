import type { CampaignState, EnrolmentState } from './campaign.js';
import { explainGuard, type GuardStanding } from './explain-guard.js';
import { LINES, type Line } from './lines.js';
import type { State } from './lifecycle.js';
import { timeWords, type Clock } from './time-words.js';

/** What decides whether a message may leave now, read at one moment. */
export interface Standing extends Clock {
  readonly state: State;
  readonly dueAt: number | null;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** It died of the caller's own try, which counts as none. */
  readonly diedInline?: boolean;
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
  /** Of a campaign's mail that waits. */
  readonly campaign?: CampaignStanding | null;
  /** What the guard looks at, of guarded mail that waits. */
  readonly guard: GuardStanding | null;
  readonly lease: { readonly owner: string; readonly handed: boolean } | null;
  /** How many are alive that could take it. */
  readonly workers: number;
}

/** What a campaign's mail waits for beside its account. */
export interface CampaignStanding {
  readonly name: string;
  readonly state: CampaignState;
  /** Null: this person is not in it any more. */
  readonly person: EnrolmentState | null;
  /** When a pause of this person ends by itself. */
  readonly resumeAt: number | null;
  readonly line: Line;
  readonly step: number | null;
  /** It waits for somebody to accept a connection request. */
  readonly awaitsAcceptance: boolean;
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
        evidence: [whyItIsHeld(standing), lastly(standing).evidence ?? ''].join(' ').trim(),
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

/** What of its campaign, its person or the step before keeps it; undefined: nothing. */
function whyCampaignWaits({ campaign, now, dueAt, ...clock }: Standing): Reason | undefined {
  if (!campaign) return undefined;
  const { name, state, person, resumeAt, line, step } = campaign;
  if (state === 'stopped')
    return { reason: 'campaign_stopped', sentence: `Campaign ${name} was stopped; it will be cancelled.` };
  if (person !== 'active' && person !== 'paused')
    return {
      reason: person ?? 'not_enrolled',
      sentence: `This person has left campaign ${name}; it will be cancelled.`,
    };
  if (state === 'paused')
    return {
      reason: 'campaign_paused',
      sentence: `Campaign ${name} is paused. It waits until that is resumed.`,
    };
  if (person === 'paused') {
    const until = resumeAt === null ? 'until that is resumed' : `until ${at(resumeAt, { now, ...clock })}`;
    return {
      reason: 'person_paused',
      until: resumeAt,
      sentence: `This person is paused in campaign ${name}. It waits ${until}.`,
    };
  }
  if (line === LINES.halted)
    return { reason: 'planning', sentence: 'It may go on, and gets a new time in a moment.' };
  if (line !== LINES.follows) return undefined;
  if (campaign.awaitsAcceptance)
    return {
      reason: 'awaiting_acceptance',
      sentence: 'It waits for this person to accept the connection request; when that is, nobody knows.',
    };
  const earliest =
    dueAt !== null && dueAt > now ? ` It leaves ${at(dueAt, { now, ...clock })} at the earliest.` : '';
  return {
    reason: 'predecessor',
    until: dueAt !== null && dueAt > now ? dueAt : null,
    sentence: `It follows step ${(step ?? 2) - 1}, and leaves when that has.${earliest}`,
  };
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
  const held = whyCampaignWaits(standing);
  if (held) return held;
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
  const guarded = standing.guard && explainGuard(standing.guard);
  if (guarded) return guarded;
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

const whyItIsHeld = ({ reason }: Standing): string =>
  reason === 'restored'
    ? 'The database was restored from a backup, and it may have left since. Say whether it was sent, or send it.'
    : 'It was handed over and nobody heard the answer. Say whether it was sent, or send it again.';

function whyItDied({ reason, attempts, diedInline }: Standing): string {
  if (reason === 'max_attempts') return `All ${attempts} tries failed; it is not tried again by itself.`;
  if (reason === 'poison')
    return 'Several workers died while sending it alone; it is not tried again by itself.';
  if (diedInline)
    return 'Its one try, while the caller waited, met a permanent error; it is not tried again by itself.';
  return 'The error is permanent; it is not tried again by itself.';
}
