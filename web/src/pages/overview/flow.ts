import type { Dashboard, State } from '../../api/types';
import { counted, numberWords } from '../../parts/number-words';
import { durationWords, whenWords, zoneName } from '../../time/words';

/** One place of the flow: how many are there, and what that rests on. */
export interface FlowCell {
  readonly state: State;
  readonly label: string;
  /** Where there is little room. */
  readonly short: string;
  readonly count: number;
  /** Empty: nothing more is known. */
  readonly evidence: string;
}

/** The way of a mail. Queued is left out where nothing goes through a broker. */
export function forwardOf(dashboard: Dashboard, now: number, zone: string): readonly FlowCell[] {
  const { states, next, sentToday, workers } = dashboard;
  const senders = workers.senders > 0 ? `on ${counted(workers.senders, 'worker')}` : 'no worker runs';
  return [
    cell('scheduled', 'Scheduled', 'Waiting', states.scheduled, nextWords(next.scheduledAt, now, zone)),
    ...(states.queued > 0 ? [cell('queued', 'Queued', 'Queued', states.queued, 'in the broker')] : []),
    cell('sending', 'Sending', 'Sending', states.sending, senders),
    cell('sent', 'Sent today', 'Today', sentToday, `since midnight, ${zoneName(zone, now)}`),
  ];
}

/** Where a mail goes that did not leave. */
export function exitsOf(dashboard: Dashboard, now: number, zone: string): readonly FlowCell[] {
  const { states, next, oldestHeldAgeSeconds, deadToday } = dashboard;
  const held = oldestHeldAgeSeconds === null ? '' : `oldest ${durationWords(oldestHeldAgeSeconds * 1_000)}`;
  return [
    cell(
      'retry_scheduled',
      'Retry later',
      'Retry',
      states.retry_scheduled,
      nextWords(next.retryAt, now, zone),
    ),
    cell('held', 'Held', 'Held', states.held, held),
    cell(
      'dead',
      'Dead',
      'Dead',
      states.dead,
      states.dead > 0 && deadToday > 0 ? `+${numberWords(deadToday)} today` : '',
    ),
  ];
}

/** Ended without leaving, and nobody needs to do anything about it. */
export const ENDED = ['skipped', 'expired', 'cancelled'] as const satisfies readonly State[];

function cell(state: State, label: string, short: string, count: number, evidence: string): FlowCell {
  return { state, label, short, count, evidence };
}

function nextWords(at: string | null, now: number, zone: string): string {
  if (at === null) return '';
  const instant = Date.parse(at);
  return instant <= now ? 'next now' : `next ${whenWords(instant, now, zone)}`;
}
