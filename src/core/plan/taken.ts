import type { Action } from '../message.js';
import { monthOf, weekOf, type Usage } from '../opening.js';

/** What an account's local day has of each action, whatever is to be counted: what has left, what waits, or both. */
export interface TakenDay {
  /** `2026-11-16`. */
  readonly day: string;
  readonly counts: Partial<Readonly<Record<Action, number>>>;
  /** The first and the last instant that it is taken at, over all actions. What has left only need not be told: `freeAt`
   * speaks for it. If only the last is known, the day counts as taken from its opening on. */
  readonly first?: number;
  readonly last?: number;
}

/** The same of a local hour; only hours that are limited have to be told. */
export interface TakenHour {
  /** When it begins. */
  readonly hour: number;
  readonly action: Action;
  readonly count: number;
}

/** What of an account's time is taken, as it can be read from rows. */
export interface Taken {
  /** Those from today on, and those before it of the same week and month. What is late counts as today's. */
  readonly days: readonly TakenDay[];
  readonly hours: readonly TakenHour[];
  /** On how many days before today the account has sent. */
  readonly daysSent: number;
  /** Nothing may leave before this instant: what left last has its spacing. */
  readonly freeAt: number;
}

export const NOTHING_TAKEN: Taken = { days: [], hours: [], daysSent: 0, freeAt: 0 };

export function takenOn({ days }: Taken, action: Action, from: string, to = from): number {
  let sum = 0;
  for (const { day, counts } of days) if (day >= from && day <= to) sum += counts[action] ?? 0;
  return sum;
}

export const takenInHour = ({ hours }: Taken, action: Action, hour: number): number =>
  hours.find((each) => each.action === action && each.hour === hour)?.count ?? 0;

/** What is to be known about other days to say how much one of them may have. */
export function usageOn(taken: Taken, action: Action, today: string, day: string): Usage {
  const used = takenOn(taken, action, day);
  return {
    daysSent:
      taken.daysSent +
      taken.days.filter((each) => each.day >= today && each.day < day && hasMail(each)).length,
    restOfWeek: takenOn(taken, action, ...weekOf(day)) - used,
    restOfMonth: takenOn(taken, action, ...monthOf(day)) - used,
  };
}

export const hasMail = ({ counts }: TakenDay): boolean => Object.values(counts).some((count) => count > 0);
