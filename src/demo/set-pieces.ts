import { Dice } from './dice.js';
import { FULL_MAILBOX, someGuest, type Guest, type Trouble } from './guests.js';
import { booking } from './letters/booking.js';
import { checkIn } from './letters/check-in.js';
import { floorPlans } from './letters/floor-plans.js';
import type { Letter, Scene } from './letters/house.js';
import { invoice } from './letters/invoice.js';
import { passwordReset } from './letters/password-reset.js';
import { seat } from './letters/seat.js';
import { later, type Posting } from './postings.js';

const MINUTE_MS = 60_000;

/** What must not be left to chance, so that every page has something to show: each at its instant. */
export function setPieces(bornAt: number): readonly { readonly at: number; readonly posting: Posting }[] {
  const dice = new Dice(1);
  return pieces(dice).map(({ minutesAgo, guest, write, door }, n) => {
    const at = bornAt - minutesAgo * MINUTE_MS;
    return { at, posting: { key: `demo piece ${String(n)}`, letter: write({ guest, at, dice }), door } };
  });
}

interface Piece {
  readonly minutesAgo: number;
  readonly guest: Guest;
  readonly write: (scene: Scene) => Letter;
  readonly door: Posting['door'];
}

function pieces(dice: Dice): readonly Piece[] {
  const full: Guest = { first: 'Odile', name: 'Odile Marchetti', email: FULL_MAILBOX };
  const gone = someGuest(dice, 'closed');
  const to = (
    who: Guest | Trouble | undefined,
    write: Piece['write'],
    ...minutesAgo: readonly number[]
  ): readonly Piece[] =>
    minutesAgo.map((ago) => ({
      minutesAgo: ago,
      guest: typeof who === 'object' ? who : someGuest(dice, who),
      write,
      door: 'send',
    }));
  return [
    ...to('closed', booking, 7_300, 1_700, 199, 19),
    ...to('strict', seat, 4_400, 37),
    ...to('mistyped', booking, 640, 33),
    ...to(undefined, floorPlans, 3_100, 411, 40),
    ...to('hasty', invoice, 57, 11),
    ...to(full, booking, 26),
    // During the long outage, and during the one that goes on.
    ...to('flaky', booking, 47, 45.5, 44, 43, 42.5, 3.5, 2.5, 1.5, 0.6),
    ...to(gone, booking, 46),
    // Suppressed by then: skipped.
    ...to(gone, checkIn, 31).map((piece): Piece => ({ ...piece, door: 'enqueue' })),
    // The account is paused by then, so these wait; the last one for so long that it is of no use any more.
    ...to(undefined, (scene) => ({ ...checkIn(scene), from: 'hello' }), 902, 322, 41),
    ...to(undefined, (scene) => passwordReset(scene, 'hello'), 55),
    ...IN_MINUTES.flatMap((minutes, n) => to(undefined, leavingIn(minutes), 19 - n)),
  ];
}

/** Later today, and tomorrow. */
const IN_MINUTES = [13, 28, 55, 75, 110, 170, 260, 390, 540, 900, 1_260, 1_500, 1_740, 2_300];

const leavingIn =
  (minutes: number) =>
  (scene: Scene): Letter =>
    later(scene, (minutes + 20) * MINUTE_MS);
