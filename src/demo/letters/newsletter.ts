import { toGuest, type Letter, type Scene } from './house.js';
import { page, paragraph } from './page.js';

/** With a picture from elsewhere, as newsletters have: a preview that loads it would tell that it was read. */
const PICTURE =
  '<p style="margin:0 0 16px"><img src="https://harbourrooms.example/pictures/first-snow.jpg" alt="The quay in the first snow" width="472"></p>';

export function newsletter({ guest }: Scene): Letter {
  const lines = [
    'The lighthouse keeper has lent us his telescope until spring: ask at the desk, and bring a warm hat.',
    'From December on there is soup by the stove every evening at six, and nobody has to book it.',
    'Room 3 has got its bath back. We apologise to the ducks.',
  ] as const;
  return {
    from: 'news',
    mail: {
      to: toGuest(guest),
      subject: 'News from the harbour: a telescope, soup, and room 3',
      text: `Dear ${guest.first},\n\n${lines.join('\n\n')}\n\nHarbour Rooms\n`,
      html: page(`Dear ${guest.first}`, PICTURE, ...lines.map(paragraph)),
    },
  };
}
