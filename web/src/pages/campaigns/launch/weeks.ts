import type { DryRun } from '../../../api/types';

const DAY_MS = 86_400_000;

export interface PlannedDate {
  readonly date: string;
  readonly total: number;
  /** In the order of the accounts. */
  readonly counts: readonly number[];
}

const utc = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const label = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/** Whole weeks from Monday on, from the first day on which something would leave to the last. */
export function weeksOf(
  days: DryRun['days'],
  accountIds: readonly string[],
): readonly (readonly PlannedDate[])[] {
  const dates = days.map(({ date }) => date).sort();
  const [first, last] = [dates[0], dates.at(-1)];
  if (first === undefined || last === undefined) return [];
  const counts = new Map<string, number>();
  for (const { date, accountId, count } of days) {
    const key = `${date} ${accountId}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  const monday = utc(first) - ((new Date(utc(first)).getUTCDay() + 6) % 7) * DAY_MS;
  const weeks = Math.floor((utc(last) - monday) / (7 * DAY_MS)) + 1;
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => {
      const date = label(monday + (week * 7 + day) * DAY_MS);
      const own = accountIds.map((id) => counts.get(`${date} ${id}`) ?? 0);
      return { date, counts: own, total: own.reduce((sum, n) => sum + n, 0) };
    }),
  );
}
