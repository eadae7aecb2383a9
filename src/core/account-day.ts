import { limitWords, numberWords } from './limit-words.js';
import { capacityOf, roomOf, type Use } from './limits.js';
import type { Action } from './message.js';
import { Ledger } from './plan/ledger.js';
import { Totals } from './plan/totals.js';
import type { Rules } from './rules.js';
import { timeWords } from './time-words.js';

/** One thing that an account does under the guard, as it is known now. */
export interface AccountDayFacts {
  readonly account: number;
  readonly action: Action;
  readonly rules: Rules;
  readonly use: Use;
  /** What waits for a time today, or is late. */
  readonly planned: number;
}

/** How much of it may still happen today, and what says so. */
export interface AccountDay {
  readonly action: Action;
  /** Outside its hours, out of places, or neither. */
  readonly standing: 'open' | 'full' | 'shut';
  /** When it may send again; null: now, or not in the years that are known. */
  readonly until: number | null;
  readonly limit: number;
  readonly used: number;
  /** No more than there is room for: the rest waits for another day. */
  readonly planned: number;
  /** What binds it now, and what would next, in few words. */
  readonly binds: string;
  readonly then: string | null;
}

/** What of its limits an account has used today, in a few words: of each thing that it does under the guard. */
export function dayWords(
  rows: readonly (Pick<AccountDay, 'standing' | 'limit' | 'used'> & { readonly guarded: boolean })[],
): string {
  const guarded = rows.filter((row) => row.guarded);
  if (guarded.length === 0) return 'not guarded';
  const words = guarded.map(({ standing, limit, used }) => {
    // A day on which its window stays shut has no limit to speak of.
    if (limit === 0 && used === 0) return standing === 'shut' ? 'shut today' : 'may send none';
    const count = `${numberWords(used)} of ${numberWords(limit)}`;
    return standing === 'open' ? count : `${count}, ${standing}`;
  });
  return [...new Set(words)].join(' · ');
}

/** As the engine draws its gaps only by chance; what is asked twice is answered alike. */
const SEED = 1;

export function accountDay(facts: AccountDayFacts): AccountDay {
  const { action, rules, use } = facts;
  const { limit, used, remaining, binding, next } = capacityOf(rules, action, { ...use, planned: 0 });
  const shut = binding.kind === 'window';
  const full = !shut && roomOf(binding) === 0;
  const until = shut || full ? nextInstant(facts) : null;
  const words = (which: typeof binding) => limitWords(which, action, rules, use.taken.daysSent);
  const opens = until === null ? 'no opening in sight' : `opens ${timeWords(until, clockOf(facts))}`;
  return {
    ...{ action, standing: shut ? 'shut' : full ? 'full' : 'open', until, limit, used },
    planned: Math.min(facts.planned, remaining),
    binds: words(binding),
    then: shut || full ? opens : next && `next: ${words(next)}`,
  };
}

const clockOf = ({ rules, use }: AccountDayFacts) => ({
  now: use.now,
  timezone: rules.calendar.zone.name,
});

function nextInstant({ account, action, rules, use }: AccountDayFacts): number | null {
  const planning = { now: use.now, seed: SEED, taken: use.taken, punctual: true };
  return new Ledger(rules, account, planning, new Totals(rules, use.totals)).place(action) ?? null;
}

/** A window's open times of the local day that holds now, in minutes of its clock; of a holiday, none. */
export function openMinutes({ calendar }: Rules, now: number): (readonly [from: number, to: number])[] {
  const { zone } = calendar;
  const day = zone.dayOf(now);
  const minuteOf = (instant: number) => (instant + zone.offsetAt(instant)) / MINUTE_MS - day * DAY_MINUTES;
  const found: (readonly [number, number])[] = [];
  for (let piece = calendar.interval(zone.startOf(day)); piece?.day === day;) {
    // Its end is outside already, and may have another clock.
    found.push([minuteOf(piece.opensAt), minuteOf(piece.closesAt - 1) + 1 / MINUTE_MS]);
    piece = calendar.interval(piece.closesAt);
  }
  return found.map(([from, to]) => [Math.round(from), Math.round(to)]);
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
