const DAY_MS = 86_400_000;

/** `2026-12`. */
export const monthOf = (date: string): string => date.slice(0, 7);

const midnight = (date: string): number => Date.parse(`${date}T00:00:00Z`);
const dateOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

export const dayAfter = (date: string, days: number): string => dateOf(midnight(date) + days * DAY_MS);

export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return dateOf(Date.UTC(year, number - 1 + months, 1)).slice(0, 7);
}

/** The weeks of a month, each of seven dates from Monday on; undefined: a day of its neighbour. */
export function weeksOf(month: string): (string | undefined)[][] {
  const first = midnight(`${month}-01`);
  const monday = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS;
  const weeks: (string | undefined)[][] = [];
  for (let week = monday; week === monday || dateOf(week).startsWith(month); week += 7 * DAY_MS) {
    weeks.push(
      Array.from({ length: 7 }, (_, n) => {
        const date = dateOf(week + n * DAY_MS);
        return date.startsWith(month) ? date : undefined;
      }),
    );
  }
  return weeks;
}

/** Those that are given and those that are there, each once, in order. */
export const withDates = (dates: readonly string[], more: readonly string[]): string[] =>
  [...new Set([...dates, ...more])].sort();
