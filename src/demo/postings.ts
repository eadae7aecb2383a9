import { Dice } from './dice.js';
import { someGuest, type Trouble } from './guests.js';
import { booking } from './letters/booking.js';
import { checkIn } from './letters/check-in.js';
import { floorPlans } from './letters/floor-plans.js';
import type { Letter, Scene } from './letters/house.js';
import { invoice } from './letters/invoice.js';
import { newsletter } from './letters/newsletter.js';
import { passwordReset } from './letters/password-reset.js';
import { seat } from './letters/seat.js';

/** A letter on its way to one of the two doors. */
export interface Posting {
  /** Once, however often and by how many processes it is posted. */
  readonly key: string;
  readonly letter: Letter;
  /** Sent at once, as for somebody who waits at a web page, or left to the workers. */
  readonly door: 'send' | 'enqueue';
}

export const SLOT_MS = 5_000;
const HOUR_MS = 3_600_000;
const SLOTS_PER_NEWSLETTER = 180;
const NEWSLETTER_SLOT = 90;
const SUBSCRIBERS = 5;
const WAVE_SLOTS = 230;

/** Most guests' mail servers just take their mail. */
const TROUBLES: readonly (readonly [number, Trouble | undefined])[] = [
  [880, undefined],
  [90, 'flaky'],
  [12, 'closed'],
  [6, 'mistyped'],
  [4, 'strict'],
  [2, 'hasty'],
];

type Write = (scene: Scene) => Pick<Posting, 'letter' | 'door'>;

const LETTERS: readonly (readonly [number, Write])[] = [
  [34, (scene) => ({ letter: booking(scene), door: 'send' })],
  [14, (scene) => ({ letter: passwordReset(scene), door: 'send' })],
  [20, (scene) => ({ letter: checkIn(scene), door: 'enqueue' })],
  [14, (scene) => ({ letter: invoice(scene), door: 'enqueue' })],
  [12, (scene) => ({ letter: seat(scene), door: 'enqueue' })],
  [5, (scene) => ({ letter: later(scene, scene.dice.between(1, 20) * HOUR_MS), door: 'enqueue' })],
  [0.4, (scene) => ({ letter: floorPlans(scene), door: 'enqueue' })],
];

/** Check-in details that are written now and leave later. */
export function later(scene: Scene, waitMs: number): Letter {
  const { from, mail } = checkIn(scene);
  return { from, mail: { ...mail, sendAt: new Date(scene.at + waitMs).toISOString() } };
}

/** Somebody's letter of some kind. */
export function somePosting(key: string, at: number, dice: Dice, trouble?: Trouble): Posting {
  const write = dice.draw(LETTERS, (scene) => ({ letter: booking(scene), door: 'send' }));
  return { key, ...write({ guest: someGuest(dice, trouble), at, dice }) };
}

/**
 * What the house posts in one stretch of five seconds, counted from the birth of the demo and the same in every
 * process: none, one or two mails, more and fewer by turns; and news now and then.
 */
export function postingsOf(slot: number, bornAt: number): readonly Posting[] {
  const dice = new Dice(slot);
  const at = bornAt + slot * SLOT_MS;
  const key = (n: number) => `demo ${String(slot)}.${String(n)}`;
  if (((slot % SLOTS_PER_NEWSLETTER) + SLOTS_PER_NEWSLETTER) % SLOTS_PER_NEWSLETTER === NEWSLETTER_SLOT) {
    return Array.from({ length: SUBSCRIBERS }, (_, n) => ({
      key: key(n),
      letter: newsletter({ guest: someGuest(dice), at, dice }),
      door: 'enqueue',
    }));
  }
  const share = 0.4 + 0.2 * Math.sin((2 * Math.PI * slot) / WAVE_SLOTS);
  const many = [share, share / 6].filter((chance) => dice.throw() < chance).length;
  return Array.from({ length: many }, (_, n) =>
    somePosting(key(n), at, dice, dice.draw(TROUBLES, undefined)),
  );
}
