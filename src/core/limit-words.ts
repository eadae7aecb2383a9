import { roomOf, type Limit } from './limits.js';
import type { Action } from './message.js';
import type { Rules } from './rules.js';

/** What an account does, counted: of emails everybody knows what is meant. */
const NOUNS: Readonly<Record<Action, string>> = {
  email: '',
  message: ' messages',
  connection_request: ' requests',
  inmail: ' InMails',
};
const PERIODS = { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month' } as const;

/** One limit as a short line: "30 a day, its own", "100 requests a week: 82 used", "ramp-up, day 6: 30". */
export function limitWords(
  limit: Limit,
  action: Action,
  { spacing }: Pick<Rules, 'spacing'>,
  daysSent: number,
): string {
  const { kind, period = 'day', max, used } = limit;
  const many = `${numberWords(max)}${NOUNS[action]} ${PERIODS[period]}`;
  const full = roomOf(limit) === 0;
  switch (kind) {
    case 'window':
      return 'outside its hours';
    case 'spacing':
      return `spacing ${spacingWords(spacing)}, ${full ? 'none fits today' : `${numberWords(max - used)} fit today`}`;
    case 'ramp_up':
      return full
        ? `ramp-up, day ${daysSent + 1}: ${numberWords(max)}, used up`
        : `ramp-up, day ${daysSent + 1}: ${numberWords(max)}`;
    case 'total':
      return `workspace ${numberWords(max)} a day${full ? ', used up' : ''}`;
    case 'limit':
      if (full) return `${many}, used up`;
      return period === 'day' ? `${many}, its own` : `${many}: ${numberWords(used)} used`;
  }
}

const MINUTE_MS = 60_000;

/** "30 to 90 s", "6 to 20 min": in minutes where both are whole ones. */
export function spacingWords({ minMs, maxMs }: Rules['spacing']): string {
  if (maxMs === 0) return 'none';
  const inMinutes = minMs % MINUTE_MS === 0 && maxMs % MINUTE_MS === 0;
  const [unit, size] = inMinutes ? ['min', MINUTE_MS] : ['s', 1_000];
  const [least, most] = [minMs / size, maxMs / size].map(numberWords) as [string, string];
  return least === most ? `${least} ${unit}` : `${least} to ${most} ${unit}`;
}

export const numberWords = (n: number): string => n.toLocaleString('en-GB');
