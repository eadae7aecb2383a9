/**
 * The broker holds a window, not the backlog: what lies in its line lies before every newcomer, so it is to be short,
 * and no channel may have more of it than is left for all others.
 */

/** What is marked and not taken, for each sender that is alive. */
const LEAST_EACH = 100;
const MOST_EACH = 4_000;
/** Of the window: one of so many parts. */
const WORTHWHILE_PART = 4;
/** No claim is larger. */
const LARGEST_CLAIM = 500;

const eachSender = (concurrency: number): number =>
  Math.min(MOST_EACH, Math.max(LEAST_EACH, 4 * concurrency));

/** How much the broker may hold. */
export const windowFor = (concurrency: number, senders: number): number =>
  eachSender(concurrency) * Math.max(1, senders);

/**
 * How much a sender may have in hand without having acknowledged it: more than its part of the window and what it has
 * claimed. Otherwise the rest of the window lies in the broker's line, before whoever comes next.
 */
export const prefetchFor = (concurrency: number): number =>
  eachSender(concurrency) + LARGEST_CLAIM + concurrency;

/**
 * How many more of a channel may be passed on: never so many that it has more in the broker than is free for all
 * others. One that nobody takes from holds half of the window at most, and n of them leave a share of n + 1 to the next.
 */
export const roomInWindow = (window: number, outstanding: number, ofChannel: number): number => {
  const room = Math.max(0, Math.floor((window - outstanding - ofChannel) / 2));
  return isWorthwhile(window, room, ofChannel) ? room : 0;
};

/**
 * A channel of which much is with the broker waits until a good part more can be passed on: few at a time cost three
 * statements as many do, and whoever takes from it has enough meanwhile. One of which little is there never waits.
 */
const isWorthwhile = (window: number, room: number, ofChannel: number): boolean =>
  room * WORTHWHILE_PART >= window || ofChannel * WORTHWHILE_PART < window;
