import { accountDay } from '../core/account-day.js';
import { limitWords } from '../core/limit-words.js';
import { limitsAt, roomOf, type Use } from '../core/limits.js';
import { ACTIONS_OF, type Rules } from '../core/rules.js';
import { timeWords, type Clock } from '../core/time-words.js';
import type { Account } from '../store/scripts/accounts.js';

/** That a campaign ends later than it was planned to, and what lets it go no faster. */
export interface Late {
  readonly days: number;
  /** As the middle of a sentence. */
  readonly cause: string;
  readonly account: string;
}

/** The account that sends the last of a campaign, with all that says how much it may. */
export interface LastSender {
  readonly account: Pick<Account, 'id' | 'name' | 'type'>;
  readonly rules: Rules;
  readonly use: Use;
}

const DAY_MS = 86_400_000;

/** Whole days; 0: as planned, or nobody knows. */
export const daysLate = (endsAt: number | null, plannedEndsAt: number | null): number =>
  endsAt === null || plannedEndsAt === null ? 0 : Math.max(0, Math.floor((endsAt - plannedEndsAt) / DAY_MS));

/** "jonas@ is full until Tue 17 Nov, 09:03 EST", or what it may do at most. */
export function causeOf({ account: { id, name, type }, rules, use }: LastSender, clock: Clock): string {
  const rows = ACTIONS_OF[type].map((action) => accountDay({ account: id, action, rules, use, planned: 0 }));
  const full = rows.flatMap(({ standing, until }) => (standing === 'full' && until !== null ? [until] : []));
  if (full.length > 0) return `${name} is full until ${timeWords(Math.max(...full), clock)}`;
  // What an account does of several things has a limit each, and which of them it is about nobody knows.
  const [action, ...others] = ACTIONS_OF[type];
  const opens = rules.calendar.next(use.now);
  if (action === undefined || others.length > 0 || Number.isNaN(opens)) return `${name} ends it`;
  const [binding] = limitsAt(rules, action, opens, use).sort((one, other) => roomOf(one) - roomOf(other));
  return binding
    ? `${name} ends it (${limitWords(binding, action, rules, use.taken.daysSent)})`
    : `${name} ends it`;
}
