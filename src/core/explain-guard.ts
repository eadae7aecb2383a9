import { limitsAt, roomOf, type Limit, type Use } from './limits.js';
import type { Action, RescheduleReason } from './message.js';
import { Ledger } from './plan/ledger.js';
import { Totals } from './plan/totals.js';
import type { Rules } from './rules.js';
import { timeWords, type Clock } from './time-words.js';
import { labelOf } from './zone.js';

/** What the guard looks at before it lets a message go whose own time has come. */
export interface GuardStanding extends Clock, Use {
  readonly rules: Rules;
  /** The dates that its rules leave out. */
  readonly holidays: readonly string[];
  readonly account: { readonly number: number; readonly name: string };
  readonly action: Action;
  /** How many of this action leave from that account before it. */
  readonly before: number;
  /** Since when the first of them, or itself, could have left if nothing had been in its way. */
  readonly waitsSince: number;
  /** As the engine draws its gaps. */
  readonly seed: number;
}

export type GuardReason = Exclude<RescheduleReason, 'account_paused' | 'account_cooling'>;

export interface GuardExplanation {
  readonly reason: GuardReason;
  /** When it leaves if nothing else changes; null: not in the years that are known. */
  readonly until: number | null;
  readonly sentence: string;
}

/**
 * Why the guard does not let it go, and until when. Undefined: the guard is not what it waits for.
 *
 * Whoever asks again gets the same instant. Time alone moves it only where an opening passed that nobody used: it is
 * counted from facts, not from the moment of the question.
 */
export function explainGuard(standing: GuardStanding): GuardExplanation | undefined {
  const until = nextSlot(standing);
  if (until !== null && until <= standing.now) return undefined;
  const { reason, because } = whatBinds(standing);
  const slot =
    until === null
      ? 'no slot is in sight'
      : `next slot ${timeWords(until, standing, { seconds: reason === 'spacing' })}`;
  const behind = standing.before > 0 ? `, and ${countWords(standing.before)} before it` : '';
  return { reason, until, sentence: `${because}${behind}; ${slot}.` };
}

const countWords = (count: number): string => (count === 1 ? '1 is' : `${count} are`);

/** The place of the message in its account's ledger, behind all that leave before it. */
function nextSlot(standing: GuardStanding): number | null {
  const { rules, account, action, seed, taken, totals, before } = standing;
  const ledger = new Ledger(
    rules,
    account.number,
    { now: beginning(standing), seed, taken, punctual: true },
    new Totals(rules, totals),
  );
  let slot: number | undefined;
  for (let place = 0; place <= before; place++) {
    slot = ledger.place(action);
    if (slot === undefined) return null;
  }
  return slot ?? null;
}

/**
 * From when on the line is counted: since it waits, but not from before the window, the workspace's day or the hour
 * began that holds now. What they had is gone.
 */
function beginning({ rules, action, now, waitsSince }: GuardStanding): number {
  const { calendar, house, limits } = rules;
  const opens = calendar.interval(now)?.opensAt ?? now;
  const hour = limits[action].hour < Infinity ? calendar.zone.hourOf(now) : -Infinity;
  return Math.max(waitsSince, opens, house.startOf(house.dayOf(now)), hour);
}

interface Because {
  readonly reason: GuardReason;
  readonly because: string;
}

function whatBinds(standing: GuardStanding): Because {
  const { rules, action, now, before, account, holidays } = standing;
  const { calendar, spacing } = rules;
  if (!calendar.isOpen(now)) {
    return holidays.includes(labelOf(calendar.zone.dayOf(now)))
      ? { reason: 'holiday', because: `Today is a holiday of account ${account.name}` }
      : { reason: 'outside_window', because: `The window of account ${account.name} is shut` };
  }
  const full = limitsAt(rules, action, now, standing).find((limit) => roomOf(limit) <= before);
  if (full) return usedUp(full, account.name);
  const least = `${Math.round(spacing.minMs / 1_000)} s`;
  return { reason: 'spacing', because: `Account ${account.name} leaves at least ${least} between two sends` };
}

const REASONS = {
  hour: 'hourly_limit',
  day: 'daily_limit',
  week: 'weekly_limit',
  month: 'monthly_limit',
} as const;
const PERIOD_WORDS = { hour: 'this hour', day: 'today', week: 'this week', month: 'this month' } as const;

function usedUp({ kind, period = 'day', max, used }: Limit, name: string): Because {
  const share = `has used ${used} of ${max} ${PERIOD_WORDS[period]}`;
  if (kind === 'total') return { reason: 'workspace_quota', because: `The workspace ${share}` };
  if (kind === 'ramp_up') {
    return { reason: 'ramp_up', because: `Account ${name} is ramping up and ${share}` };
  }
  return { reason: REASONS[period], because: `Account ${name} ${share}` };
}
