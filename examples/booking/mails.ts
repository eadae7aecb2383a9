import type { MailInput } from 'pillarbox';
import type { Booking, Person } from './booking.js';
import { writeCalendar } from './calendar.js';

/** A mail and the key under which it leaves at most once. */
export interface BookingMail {
  readonly mail: MailInput;
  readonly idempotencyKey: string;
}

/**
 * Every word that leaves is decided here, from the booking alone: no clock, no lookup. So a mail that is sent at
 * once and one that is queued cannot differ, and asking twice under the same key is never a conflict.
 */
export function confirmationMail(booking: Booking, host: Person): BookingMail {
  const { id, guest, title } = booking;
  return {
    idempotencyKey: `booking-${id}-confirmed`,
    mail: {
      ...envelope(booking, host),
      subject: `Booked: ${title}`,
      text: lines(
        `Hello ${guest.name},`,
        `your booking stands: ${describe(booking)}.`,
        'The invitation comes with this mail; your calendar should show it.',
        host.name,
      ),
      ics: invitation(booking, host, { method: 'REQUEST', sequence: 0, madeAt: booking.bookedAt }),
    },
  };
}

export function cancellationMail(booking: Booking, host: Person): BookingMail {
  const { id, guest, title, sequence, bookedAt, cancelledAt } = booking;
  return {
    idempotencyKey: `booking-${id}-cancelled`,
    mail: {
      ...envelope(booking, host),
      subject: `Cancelled: ${title}`,
      text: lines(
        `Hello ${guest.name},`,
        `your booking is cancelled: ${describe(booking)}.`,
        'Your calendar should strike it out.',
        host.name,
      ),
      ics: invitation(booking, host, { method: 'CANCEL', sequence, madeAt: cancelledAt ?? bookedAt }),
    },
  };
}

/** The host sees every mail; the guest does not see that he does. */
const envelope = ({ guest }: Booking, host: Person) => ({
  to: { email: guest.email, name: guest.name },
  bcc: { email: host.email, name: host.name },
  replyTo: { email: host.email, name: host.name },
});

function invitation(
  { id, guest, title, startsAt, minutes }: Booking,
  host: Person,
  version: { readonly method: 'REQUEST' | 'CANCEL'; readonly sequence: number; readonly madeAt: number },
) {
  const endsAt = startsAt + minutes * 60_000;
  const content = writeCalendar({
    ...version,
    uid: id,
    startsAt,
    endsAt,
    title,
    organizer: host,
    attendee: guest,
  });
  return { method: version.method, content };
}

/** Not in anybody's locale: those texts change with the version of Node. */
const describe = ({ title, startsAt, minutes }: Booking): string =>
  `${title}, ${new Date(startsAt).toUTCString()}, ${minutes} minutes`;

const lines = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`;
