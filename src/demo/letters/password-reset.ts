import { someReference, toGuest, type Letter, type Scene, type SenderName } from './house.js';
import { button, page, paragraph } from './page.js';

const LIVES_MS = 30 * 60_000;

/** Of no use after half an hour, and to be sent to whoever asked, whatever else he does not want to read. */
export function passwordReset({ guest, at, dice }: Scene, from: SenderName = 'team'): Letter {
  const token = someReference(dice).slice(3);
  const what = 'Somebody, most likely you, asked for a new password. The link works for half an hour.';
  return {
    from,
    mail: {
      to: toGuest(guest),
      subject: 'Choose a new password',
      text: `Hello ${guest.first},\n\n${what}\n\nhttps://harbourrooms.example/password/${token}\n\nIf it was not you, leave it: nothing has changed.\n`,
      html: page('Choose a new password', paragraph(what), button('Choose it now', `password/${token}`)),
      transactional: true,
      expiresAt: new Date(at + LIVES_MS).toISOString(),
    },
  };
}
