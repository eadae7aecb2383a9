import { dayOf, toGuest, type Letter, type Scene } from './house.js';
import { facts, page, paragraph } from './page.js';
import { someStay } from './stay.js';

/** How to get in, some days ahead. */
export function checkIn({ guest, at, dice }: Scene, daysAhead = dice.between(1, 3)): Letter {
  const { room, arrivesAt } = someStay(dice, at, daysAhead);
  const code = String(dice.between(1_000, 9_999));
  const day = dayOf(arrivesAt);
  const way =
    'From the station it is twelve minutes along the water. The door is blue, the bell is a ship’s bell.';
  return {
    from: 'team',
    mail: {
      to: toGuest(guest),
      subject: `Check-in on ${day}`,
      text: `Dear ${guest.first},\n\nyou arrive on ${day}, and ${room} is ready from 15:00.\nThe code of the key box is ${code}.\n\n${way}\n\nHarbour Rooms\n`,
      html: page(
        `Until ${day}, ${guest.first}`,
        paragraph(`We have made ${room} ready for you.`),
        facts([
          ['Key box', code],
          ['Ready from', '15:00'],
          ['Breakfast', '8:00 to 10:30, in the old net loft'],
        ]),
        paragraph(way),
      ),
    },
  };
}
