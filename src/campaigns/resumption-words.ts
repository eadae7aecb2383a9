import { dateWords, timeWords, type Clock } from '../core/time-words.js';

/** What resuming a paused campaign would come to, now and later. */
export interface Outlook {
  /** When its last mail would leave if it were resumed now. */
  readonly endsAt: number;
  /** Its end date, or the end of the day on which it was planned to end. */
  readonly holdsUntil: number;
  /** Whether nothing may leave after that at all, or it would only be late. */
  readonly isLast: boolean;
  /** So many would leave too late if it were resumed now. */
  readonly late: number;
  /** Resumed by the end of the day in which this is, nothing leaves later. Null: only if it is resumed at once, if at all. */
  readonly by: number | null;
}

/** Until when it may be resumed without harm. */
export function resumptionWords({ endsAt, holdsUntil, isLast, late, by }: Outlook, clock: Clock): string {
  // Both end with a day.
  const date = dateWords(holdsUntil - 1, clock);
  const counted = `Counted ${timeWords(clock.now, clock)}.`;
  if (late > 0) {
    const mails = late === 1 ? '1 mail' : `${late.toLocaleString('en-GB')} mails`;
    return isLast
      ? `Resumed now, ${mails} would have no time left before it ends: nothing leaves after ${date}. ${counted}`
      : `Resumed now, the last mail would leave ${timeWords(endsAt, clock)}; it was planned for ${date}. ${counted}`;
  }
  const holds = `the end date holds: nothing leaves after ${date}. ${counted}`;
  if (by === null) return `Resumed now, ${holds}`;
  const day = dateWords(by, clock);
  return day === dateWords(clock.now, clock) ? `Resumed today, ${holds}` : `Resumed by ${day}, ${holds}`;
}
