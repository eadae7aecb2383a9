import Holidays from 'date-holidays';

export interface PublicHoliday {
  readonly date: string;
  readonly name: string;
}

interface Named {
  readonly code: string;
  readonly name: string;
}

const named = (names: Readonly<Record<string, string>> | undefined): Named[] =>
  Object.entries(names ?? {})
    .map(([code, name]) => ({ code, name }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'));

/** By their English names. */
export const countries = (): Named[] => named(new Holidays().getCountries('en'));

/** The parts of a country that have holidays of their own; none of most. */
export const statesOf = (country: string): Named[] => named(new Holidays().getStates(country, 'en'));

const DAY_MS = 86_400_000;

/** Its public holidays from a date on, to the end of the year after. Days of rest that are longer are all their days. */
export function publicHolidays(country: string, state: string | undefined, from: string): PublicHoliday[] {
  const rules = state === undefined ? new Holidays(country) : new Holidays(country, state);
  const year = Number(from.slice(0, 4));
  const found = new Map<string, string>();
  for (const each of [year, year + 1].flatMap((y) => rules.getHolidays(y, 'en'))) {
    if (each.type !== 'public') continue;
    const first = Date.parse(`${each.date.slice(0, 10)}T00:00:00Z`);
    const days = Math.max(1, Math.round((each.end.getTime() - each.start.getTime()) / DAY_MS));
    for (let n = 0; n < days; n += 1) {
      const date = new Date(first + n * DAY_MS).toISOString().slice(0, 10);
      if (date >= from && !found.has(date)) found.set(date, each.name);
    }
  }
  return [...found].map(([date, name]) => ({ date, name })).sort((a, b) => (a.date < b.date ? -1 : 1));
}
