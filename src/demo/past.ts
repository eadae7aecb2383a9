import { Dice } from './dice.js';
import { TROUBLED } from './guests.js';
import type { Letter } from './letters/house.js';
import { postingsOf, SLOT_MS, somePosting, type Posting } from './postings.js';
import { setPieces } from './set-pieces.js';

/** All that is posted at one instant. */
export interface Moment {
  readonly at: number;
  readonly postings: readonly Posting[];
  /** One of many like it: can be left out. */
  readonly ordinary: boolean;
}

const MINUTE_MS = 60_000;
const STEP_SLOTS = 6;
const HOUR_SLOTS = 720;
/** What failed so lately is in the middle of its tries anyway. */
const STILL_TRIED_MS = 4 * MINUTE_MS;
/** Minutes ago: three times a day through the week, every two hours through the last day. */
const BYGONE = [
  ...Array.from({ length: 15 }, (_, n) => 8_600 - n * 480),
  ...Array.from({ length: 11 }, (_, n) => 1_420 - n * 122),
];

/**
 * The week before the demo was born, for the real engine to go through. `alone`: nobody else works on the database,
 * so that what has to be tried again can be, at its time. Otherwise that part of the story is left out, and all is
 * sent by whoever tells it.
 */
export function pastOf(bornAt: number, alone: boolean): readonly Moment[] {
  const pieces = setPieces(bornAt).map(({ at, posting }) => ({ at, postings: [posting], ordinary: false }));
  const moments = [...bygone(bornAt), ...lastHour(bornAt), ...pieces];
  const told = alone ? moments : moments.map((moment) => withoutWorkers(moment, bornAt));
  return told.filter(({ postings }) => postings.length > 0).sort((a, b) => a.at - b.at);
}

const withoutWorkers = ({ at, postings, ordinary }: Moment, bornAt: number): Moment => ({
  at,
  ordinary,
  postings: postings
    .filter(({ letter }) => at > bornAt - STILL_TRIED_MS || !isTriedAgain(letter))
    .map((posting) => ({ ...posting, door: 'send' })),
});

const isTriedAgain = ({ mail: { to, onDoubt } }: Letter): boolean => {
  const isAt = (domain: string) => JSON.stringify(to).includes(`@${domain}`);
  return isAt(TROUBLED.flaky) || (isAt(TROUBLED.hasty) && onDoubt !== 'hold');
};

const bygone = (bornAt: number): Moment[] =>
  BYGONE.map((minutesAgo) => {
    const dice = new Dice(minutesAgo);
    const at = bornAt - (minutesAgo + dice.between(0, 50)) * MINUTE_MS;
    const postings = Array.from({ length: dice.between(2, 4) }, (_, n) =>
      somePosting(`demo ago ${String(minutesAgo)}.${String(n)}`, at, dice),
    );
    // At its own time nothing else happens, so it would leave late.
    const atOnce = postings.filter(({ letter }) => letter.mail.sendAt === undefined);
    return { at, postings: atOnce, ordinary: true };
  });

/** The same as goes on afterwards, in steps of half a minute. */
const lastHour = (bornAt: number): Moment[] =>
  Array.from({ length: HOUR_SLOTS / STEP_SLOTS }, (_, step) => {
    const first = step * STEP_SLOTS - HOUR_SLOTS;
    const slots = Array.from({ length: STEP_SLOTS }, (__, n) => first + n);
    const postings = slots.flatMap((slot) => postingsOf(slot, bornAt));
    return {
      at: bornAt + (first + new Dice(first).between(0, STEP_SLOTS - 1)) * SLOT_MS,
      postings,
      ordinary: postings.every(({ letter }) => letter.from !== 'news'),
    };
  });
