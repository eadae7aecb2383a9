import type { MailInput } from '../../outbox/mail-input.js';
import type { Dice } from '../dice.js';
import type { Guest } from '../guests.js';

export const HOUSE = 'Harbour Rooms';
export const HOUSE_DOMAIN = 'harbourrooms.example';
export const HOUSE_ADDRESS = 'Harbour Rooms, 11 Ropewalk Lane, Saltmere';

/** Who the house writes as. */
export const SENDERS = ['bookings', 'team', 'news', 'hello'] as const;
export type SenderName = (typeof SENDERS)[number];

export interface Letter {
  readonly from: SenderName;
  readonly mail: MailInput;
}

/** To whom, when it is written, and what else chance decides. */
export interface Scene {
  readonly guest: Guest;
  readonly at: number;
  readonly dice: Dice;
}

export const DAY_MS = 24 * 3_600_000;

const dayName = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
});

/** "Friday 20 November" */
export const dayOf = (instant: number): string => dayName.format(instant).replace(',', '');

const REFERENCE = 'ACDEFGHJKLMNPQRTUVWXY34679';

/** As guests can read it out on the telephone. */
export const someReference = (dice: Dice): string =>
  `HR-${Array.from({ length: 6 }, () => REFERENCE.charAt(dice.between(0, REFERENCE.length - 1))).join('')}`;

export const toGuest = ({ name, email }: Guest): MailInput['to'] => ({ email, name });
