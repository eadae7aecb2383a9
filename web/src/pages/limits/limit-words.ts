import type { AccountAction, Violation } from '../../api/types';
import { counted, numberWords } from '../../parts/number-words';
import { dateWords, monthWords, weekWords } from '../../time/dates';
import { dayOf, timeOf } from '../../time/words';

const NOUNS: Record<AccountAction, string> = {
  email: 'email',
  message: 'message',
  connection_request: 'request',
  inmail: 'InMail',
};

const PERIODS = { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month' } as const;

type OfLimit = Pick<Violation, 'limit' | 'max' | 'action'>;

/** Which limit it is: "40 emails a day", "ramp-up, 5 emails". */
export function limitWords({ limit, max, action }: OfLimit): string {
  const so = counted(max, NOUNS[action]);
  if (limit === 'window') return 'its hours';
  if (limit === 'spacing') return 'its spacing';
  if (limit === 'ramp_up') return `ramp-up, ${so}`;
  if (limit === 'total') return `${numberWords(max)} a day, all accounts`;
  return `${so} ${PERIODS[limit]}`;
}

/** Hours are instants, told in the account's zone; everything else is a date of its calendar already. */
export function whenOf({ limit, when }: Pick<Violation, 'limit' | 'when'>, zone: string): string {
  if (limit === 'hour') return `${dayOf(Date.parse(when), zone)}, ${timeOf(Date.parse(when), zone)}`;
  if (limit === 'week') return weekWords(when);
  return limit === 'month' ? monthWords(when) : dateWords(when);
}

type Moves = Violation['moves'];

/** "9 to Fri 20 Nov": where they would go, one line for each day. */
export function moveWords(moves: Moves): readonly string[] {
  const counts = new Map<string, number>();
  for (const { from, to, count } of moves) {
    const words =
      to === null ? 'find no room in sight' : from === to ? 'later that day' : `to ${dateWords(to)}`;
    counts.set(words, (counts.get(words) ?? 0) + count);
  }
  return [...counts].map(([words, count]) => `${numberWords(count)} ${words}`);
}

/** What all accounts have on each day, now and with these moved; and what they may have. */
export function withMoves(
  loads: readonly { readonly date: string; readonly planned: number; readonly room: number }[],
  violations: readonly Pick<Violation, 'moves'>[],
): { readonly date: string; readonly now: number; readonly then: number; readonly room?: number }[] {
  const moved = new Map(byDay(violations).map((day) => [day.date, day.then - day.now]));
  const known = loads.map(({ date, planned, room }) => ({
    ...{ date, now: planned, room },
    then: planned + (moved.get(date) ?? 0),
  }));
  // Where nothing is planned yet something may come to.
  const fresh = [...moved]
    .filter(([date, change]) => change > 0 && !loads.some((load) => load.date === date))
    .map(([date, change]) => ({ date, now: 0, then: change }));
  return [...known, ...fresh].sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** How many leave each day and how many come to it, in the order of days. */
export function byDay(
  violations: readonly Pick<Violation, 'moves'>[],
): { readonly date: string; readonly now: number; readonly then: number }[] {
  const days = new Map<string, { now: number; then: number }>();
  const of = (date: string) => {
    const known = days.get(date) ?? { now: 0, then: 0 };
    days.set(date, known);
    return known;
  };
  for (const { from, to, count } of violations.flatMap(({ moves }) => moves)) {
    of(from).now += count;
    of(to ?? from).then += count;
  }
  return [...days]
    .map(([date, counts]) => ({ date, ...counts }))
    .sort((one, other) => (one.date < other.date ? -1 : 1));
}

/** "9 m 40 s", "34 s": how far apart two were. */
export function gapWords(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes === 0) return `${seconds} s`;
  return minutes < 60
    ? `${minutes} m ${String(rest).padStart(2, '0')} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}
