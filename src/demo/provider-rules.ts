import type { Fault, Rule } from '../catcher/behaviour.js';
import { FULL_MAILBOX, TROUBLED } from './guests.js';

const LARGEST_BYTES = 200_000;

const refuse = (at: 'mail' | 'rcpt' | 'data', code: number, text: string): Fault => ({
  ...{ kind: 'refuse', at },
  ...{ code, text },
});

const ALWAYS: readonly Rule[] = [
  {
    recipient: `@${TROUBLED.closed}`,
    fault: refuse('rcpt', 550, '5.1.1 <>: Recipient address rejected: User unknown in virtual mailbox table'),
  },
  {
    recipient: `@${TROUBLED.mistyped}`,
    fault: refuse('rcpt', 550, '5.1.2 <>: Recipient address rejected: Domain not found'),
  },
  {
    recipient: `@${TROUBLED.strict}`,
    fault: refuse('data', 554, '5.7.1 Message refused: this office takes no mail from booking systems'),
  },
  { recipient: `@${TROUBLED.hasty}`, fault: { kind: 'drop', at: 'after_dot' } },
  { recipient: FULL_MAILBOX, fault: refuse('rcpt', 452, '4.2.2 <>: Mailbox is full') },
  {
    largerThanBytes: LARGEST_BYTES,
    fault: refuse('data', 552, '5.3.4 Message size exceeds fixed limit'),
  },
];

const LOOKUP_FAILS: Rule = {
  recipient: `@${TROUBLED.flaky}`,
  fault: refuse('rcpt', 451, '4.3.0 <>: Temporary lookup failure'),
};
/** What `postings.ts` sends out at half past seven minutes to the hour is too much at once. */
const TOO_MUCH_NEWS: Rule = {
  sender: 'news@',
  fault: refuse('mail', 421, '4.7.28 Too many messages from this sender; slow down'),
};
const GOES_DOWN: Rule = {
  share: 0.006,
  fault: refuse('mail', 421, '4.3.2 Going down for a moment, try again'),
};

/** How the provider of the demo behaves, by the minutes since the demo was born. */
export const rulesAt = (minute: number): readonly Rule[] => [
  ...(lookupFails(minute) ? [LOOKUP_FAILS] : []),
  ...(isWithin(minute, 60, 52, 53) ? [TOO_MUCH_NEWS] : []),
  // Not in the past, where nobody would try again at the time.
  ...(minute >= 0 ? [GOES_DOWN] : []),
  ...ALWAYS,
];

/** Once for so long that some mails ran out of tries; since then, also at this moment, for ten minutes now and then. */
const lookupFails = (minute: number): boolean =>
  minute < -4 ? minute >= -48 && minute < -24 : isWithin(minute + 4, 36, 0, 10);

const isWithin = (minute: number, period: number, from: number, until: number): boolean => {
  const place = ((minute % period) + period) % period;
  return place >= from && place < until;
};
