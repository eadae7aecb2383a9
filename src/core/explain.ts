import type { State } from './lifecycle.js';

/** What decides whether a message may leave now, read at one moment. */
export interface Standing {
  readonly now: number;
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
}

export interface Explanation {
  readonly state: State;
  /** A searchable word. */
  readonly reason: string;
  /** When that reason ends, if that is known. */
  readonly until: number | null;
  readonly sentence: string;
}

const at = (instant: number): string =>
  `${new Date(instant).toISOString().replace('T', ' ').slice(0, 19)} UTC`;
const lastly = ({ lastError }: Standing): string =>
  lastError ? ` The last try ended with: ${`${lastError.code} ${lastError.message}`.trim()}` : '';

/** Why a message has not left, and until when, in the order in which the claim would find out. */
export function explain(standing: Standing): Explanation {
  const { state, account, dueAt, now } = standing;
  const say = (reason: string, sentence: string, until: number | null = null): Explanation => ({
    state,
    reason,
    until,
    sentence,
  });
  switch (state) {
    case 'scheduled':
    case 'retry_scheduled':
    case 'queued':
      return explainWaiting(standing, say);
    case 'sending':
      if (!standing.lease)
        return say('in_flight', 'It is moving between two places at this moment; look again.');
      return standing.lease.handed
        ? say('handed_over', `Worker ${standing.lease.owner} has handed it over and waits for the answer.`)
        : say('in_flight', `Worker ${standing.lease.owner} is sending it.`);
    case 'held':
      return say(
        'in_doubt',
        `It was handed over and nobody heard the answer, so it may have left. Say whether it was sent, or send it again.${lastly(standing)}`,
      );
    case 'dead':
      return say(standing.reason ?? 'dead', `${deadSentence(standing)}${lastly(standing)}`);
    case 'sent':
      return say('sent', `It left at ${at(standing.finishedAt ?? dueAt ?? now)}.`);
    case 'skipped':
      return say(
        standing.reason ?? 'suppressed',
        'It was not sent because the recipient must not be written to.',
      );
    case 'expired':
      return say('expired', `Its time ran out at ${at(standing.finishedAt ?? now)}, before it could leave.`);
    case 'cancelled':
      return say(standing.reason ?? 'cancelled', 'It was stopped before it left.');
  }

  function explainWaiting({ suppressed, attempts, maxAttempts }: Standing, tell: typeof say): Explanation {
    if (suppressed)
      return tell('suppressed', 'The recipient is on the suppression list; it will be skipped.');
    if (account.pausedAt !== null) {
      return tell(
        'account_paused',
        `Account ${account.name} is paused since ${at(account.pausedAt)}: ${account.pauseReason ?? 'by a person'}. It waits until the account is resumed.`,
      );
    }
    if (account.blockedUntil > now && account.blockedUntil >= (dueAt ?? 0)) {
      return tell(
        'account_cooling',
        `Account ${account.name} rests until ${at(account.blockedUntil)}: ${account.blockedReason ?? 'the provider asked for it'}.`,
        account.blockedUntil,
      );
    }
    if (dueAt !== null && dueAt > now) {
      return attempts > 0
        ? tell(
            'retry_wait',
            `Try ${String(attempts)} of ${String(maxAttempts)} failed; the next one is at ${at(dueAt)}.${lastly(standing)}`,
            dueAt,
          )
        : tell('scheduled', `It is scheduled for ${at(dueAt)}.`, dueAt);
    }
    if (state === 'queued') return tell('queued', 'It is in the broker and waits for a sender.');
    return tell(
      'waiting_for_worker',
      'It is due and waits for a worker. If this lasts, check that one is running.',
    );
  }
}

function deadSentence({ reason, attempts }: Standing): string {
  if (reason === 'max_attempts')
    return `All ${String(attempts)} tries failed; it is not tried again by itself.`;
  if (reason === 'poison')
    return 'Several workers died while sending it alone; it is not tried again by itself.';
  return 'The error is permanent; it is not tried again by itself.';
}
