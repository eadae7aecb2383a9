import { dayOf, toGuest, type Letter, type Scene } from './house.js';
import { button, facts, page, paragraph } from './page.js';
import { invitation, someStay } from './stay.js';

/** A confirmation with an invitation for the calendar. */
export function booking({ guest, at, dice }: Scene): Letter {
  const stay = someStay(dice, at);
  const { room, arrivesAt, leavesAt, guests, euros, reference } = stay;
  const title = `The kettle is on for you, ${guest.first}`;
  const when = `${dayOf(arrivesAt)}, from 15:00, until ${dayOf(leavesAt)}, 11:00`;
  const closing = 'If the weather changes your mind, you can cancel free of charge until the evening before.';
  return {
    from: 'bookings',
    mail: {
      to: toGuest(guest),
      replyTo: 'hello@harbourrooms.example',
      subject: `Your stay at Harbour Rooms is booked (${reference})`,
      text: `${title}.\n\nYou have ${room}.\n${when}\nGuests: ${String(guests)}\nPrice: EUR ${String(euros)}\nReference: ${reference}\n\n${closing}\n\nHarbour Rooms\n`,
      html: page(
        title,
        paragraph(`You have ${room}, ${when}.`),
        facts([
          ['Guests', String(guests)],
          ['Price', `€ ${String(euros)}.00`],
          ['Reference', reference],
        ]),
        button('See or change your booking', `stay/${reference}`),
        paragraph(closing),
      ),
      ics: { content: invitation(stay, at), method: 'REQUEST' },
    },
  };
}
