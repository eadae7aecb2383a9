import type { Use } from './limits.js';
import type { Action } from './message.js';
import { rampQuota } from './opening.js';
import { Ledger } from './plan/ledger.js';
import { takenOn } from './plan/taken.js';
import { Totals } from './plan/totals.js';
import type { Rules } from './rules.js';
import { labelOf } from './zone.js';

/** What is known of one thing that an account does: what it did, and what waits. */
export interface PaceFacts {
  readonly account: number;
  readonly action: Action;
  readonly rules: Rules;
  readonly use: Use;
  /** The last days before today on which it sent anything, the latest first: what left of this action. */
  readonly past: readonly { readonly day: string; readonly left: number }[];
  /** When each could leave at the earliest that waits, in order; as many as were read. */
  readonly due: readonly number[];
}

/** One sending day: how many left, how many would, and how many may. */
export interface PaceDay {
  /** Of all days on which the account sends, the first is 1. */
  readonly number: number;
  readonly date: string;
  readonly sent: number;
  readonly planned: number;
  readonly quota: number;
}

export interface Pace {
  /** Today's. */
  readonly number: number;
  readonly days: readonly PaceDay[];
  /** When what waits for today would leave. */
  readonly planned: readonly number[];
  /** When the next of all would leave; null: nothing waits, or never. */
  readonly next: number | null;
}

/** As many as are looked at together: with five before today while there are as many. */
export const PACE_DAYS = 15;
export const PAST_DAYS = 5;
/** As the engine draws its gaps only by chance; what is asked twice is answered alike. */
const SEED = 1;

/** How an account comes up to its full quota, from the days it had and from where its ledger would put what waits. */
export function paceOf(facts: PaceFacts): Pace {
  const { action, rules, use } = facts;
  const { zone } = rules.calendar;
  const today = labelOf(zone.dayOf(use.now));
  const number = use.taken.daysSent + 1;
  const quota = (n: number) => rampQuota(rules.limits[action].day, rules.rampUp, n - 1);
  const past = facts.past
    .slice(0, PAST_DAYS)
    .map(({ day, left }, place) => ({ number: number - 1 - place, date: day, sent: left, planned: 0 }))
    .filter((each) => each.number > 0)
    .reverse();
  const coming = [today, ...workingDaysAfter(rules, use.now, PACE_DAYS - past.length - 1)];
  const placed = placedUntil(facts, coming.at(-1) ?? today);
  const sentOn = (date: string) => takenOn(use.taken, action, date);
  const days = [
    ...past,
    ...coming.map((date, place) => ({
      number: number + place,
      date,
      sent: date === today ? sentOn(date) : 0,
      planned: placed.filter((each) => each.date === date).length,
    })),
  ].map((day) => ({ ...day, quota: quota(day.number) }));
  return {
    ...{ number, days },
    planned: placed.filter(({ date }) => date === today).map(({ at }) => at),
    next: placed[0]?.at ?? null,
  };
}

/** Where those would go that wait, up to the end of a date. */
function placedUntil(
  { account, action, rules, use, due }: PaceFacts,
  last: string,
): { readonly at: number; readonly date: string }[] {
  const planning = { now: use.now, seed: SEED, taken: use.taken, punctual: true };
  const ledger = new Ledger(rules, account, planning, new Totals(rules, use.totals));
  const placed: { at: number; date: string }[] = [];
  for (const instant of due) {
    const at = ledger.place(action, { instant });
    if (at === undefined) break;
    const date = labelOf(ledger.dayOf(at));
    placed.push({ at, date });
    if (date > last) break;
  }
  return placed;
}

/** The next dates after today on which its window opens. */
function workingDaysAfter({ calendar }: Rules, now: number, count: number): string[] {
  const found: string[] = [];
  let piece = calendar.interval(calendar.zone.dayEnd(now));
  while (piece && found.length < count) {
    const date = labelOf(piece.day);
    if (date !== found.at(-1)) found.push(date);
    piece = calendar.interval(piece.closesAt);
  }
  return found;
}
