import type { Action } from '../message.js';
import { rampQuota } from '../opening.js';
import type { Rules } from '../rules.js';

/** On which of an account's dates something leaves or has left, as far as it is known. */
export interface MailDays {
  readonly today: string;
  /** On how many dates before today the account has sent. */
  readonly daysSent: number;
  /** Today's, later ones, and those before that are asked about. */
  readonly dates: Iterable<string>;
}

/**
 * What an account may send of an action on each of its dates, with the ramp-up of that date: each date on which mail
 * leaves raises those after it. Never more than all accounts together may.
 */
export function dayQuotas(
  { limits, rampUp, dailyQuota }: Pick<Rules, 'limits' | 'rampUp' | 'dailyQuota'>,
  { today, daysSent, dates }: MailDays,
): (action: Action, date: string) => number {
  const sorted = [...new Set(dates)].sort();
  const before = (date: string): number => firstFrom(sorted, date);
  const untilToday = before(today);
  return (action, date) =>
    Math.min(dailyQuota, rampQuota(limits[action].day, rampUp, daysSent + before(date) - untilToday));
}

/** How many of them come before. */
function firstFrom(sorted: readonly string[], date: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < date) low = middle + 1;
    else high = middle;
  }
  return low;
}
