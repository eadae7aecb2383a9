import { dayOf, DAY_MS, toGuest, type Letter, type Scene } from './house.js';
import { button, page, paragraph } from './page.js';

const COURSES = [
  'Watercolours on the quay',
  'Knots for landlubbers',
  'Bread by the tide table',
  'Night sky over the breakwater',
  'Mending nets, mending jumpers',
] as const;

/** Somebody waited for a place in a course, and now there is one. */
export function seat({ guest, at, dice }: Scene): Letter {
  const course = dice.pick(COURSES);
  const day = dayOf(at + dice.between(3, 20) * DAY_MS);
  const what = `One place in “${course}” on ${day} has become free. You were next on the list; it is yours until tonight.`;
  return {
    from: 'team',
    mail: {
      to: toGuest(guest),
      subject: `A place is free: ${course}`,
      text: `Hello ${guest.first},\n\n${what}\n\nHarbour Rooms\n`,
      html: page(`A place is free`, paragraph(what), button('Take it', 'courses')),
      headers: { 'X-Course': course },
    },
  };
}
