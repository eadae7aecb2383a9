import type { AuditEntry, MessageDetail, State } from '../../../api/types';
import { STATE_LABELS } from '../../../parts/glyphs';
import { fullWords } from '../../../time/words';
import { gateWords, replyWords } from './tries';

export interface Event {
  readonly at: string;
  readonly what: string;
  readonly detail?: string | undefined;
  /** The state that it ended in, or a person's act, or a try. */
  readonly state?: State;
}

const ACTIONS: Record<string, string> = {
  'message.retry': 'Retried',
  'message.dismiss': 'Dismissed',
  'message.cancel': 'Cancelled',
  'message.resolve': 'Decided',
  'outbox.retry': 'Retried',
  'outbox.delete': 'Dismissed',
};

const ENDS: readonly State[] = ['sent', 'held', 'dead', 'skipped', 'expired', 'cancelled'];

/** Everything that is known to have happened to a message, newest first. */
export function historyOf(
  message: MessageDetail,
  entries: readonly AuditEntry[],
  zone: string,
): readonly Event[] {
  const { state, inlineAttempt, attemptLog } = message;
  const tries = [
    ...(inlineAttempt ? [{ name: 'Inline try', attempt: inlineAttempt }] : []),
    ...attemptLog.map((attempt) => ({ name: `Attempt ${String(attempt.number)}`, attempt })),
  ].map(({ name, attempt }) => ({
    at: attempt.finishedAt,
    what: `${name}: ${attempt.outcome.replace('_', ' ')}`,
    detail: [gateWords(attempt), replyWords(attempt)].filter(Boolean).join(' '),
  }));
  const events: Event[] = [
    { at: message.createdAt, what: 'Accepted', detail: laterWords(message, zone) },
    ...tries,
    ...entries.map(({ at, actor, action, details }) => ({
      at,
      what: `${ACTIONS[action] ?? action}${saidAs(details)} by ${actor}`,
    })),
    ...(ENDS.includes(state)
      ? [
          {
            at: message.updatedAt,
            what: STATE_LABELS[state],
            state,
            detail: message.reason?.replaceAll('_', ' '),
          },
        ]
      : []),
  ];
  return events
    .map((event, n) => ({ event, n }))
    .sort((a, b) => byTime(b, a))
    .map(({ event }) => event);
}

const laterWords = ({ createdAt, scheduledFor }: MessageDetail, zone: string): string | undefined =>
  Date.parse(scheduledFor) > Date.parse(createdAt)
    ? `Not before ${fullWords(Date.parse(scheduledFor), zone)}`
    : undefined;

/** What happened in the same millisecond stays in the order of its causes. */
const byTime = (a: { event: Event; n: number }, b: { event: Event; n: number }): number =>
  Date.parse(a.event.at) - Date.parse(b.event.at) || a.n - b.n;

function saidAs(details: unknown): string {
  const as = (details as { body?: { as?: unknown } } | null)?.body?.as;
  return as === 'sent' ? ' as sent' : as === 'unsent' ? ': send again' : '';
}
