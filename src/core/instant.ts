const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** The instant that somebody wrote, or what is wrong with it. */
export function parseInstant(text: string): { readonly instant: number } | { readonly fault: string } {
  const instant = INSTANT.test(text) && isDay(text.slice(0, 10)) ? Date.parse(text) : NaN;
  if (Number.isNaN(instant))
    return { fault: 'is not an ISO 8601 instant with its offset, such as 2026-11-16T14:00:00Z' };
  return instant < EARLIEST || instant >= LATEST
    ? { fault: 'is not between the years 2000 and 2100' }
    : { instant };
}

/** The 31st of February is read as the 3rd of March by Date.parse; nobody means that. */
const isDay = (day: string): boolean => {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
};
