import { dayOf } from './words';

const DAY_MS = 86_400_000;

/** A date of somebody's calendar, `2026-11-17`, whatever the zone: its midnight in UTC. */
const instantOf = (date: string): number => Date.parse(`${date}T00:00:00Z`);

/** "Tue 17 Nov"; what is no date stays as it is. */
export function dateWords(date: string): string {
  const instant = instantOf(date);
  return Number.isNaN(instant) ? date : dayOf(instant, 'UTC');
}

/** "Mon 16 to Sun 22 Nov", by the Monday. */
export function weekWords(monday: string): string {
  const first = instantOf(monday);
  const [from, to] = [dayOf(first, 'UTC'), dayOf(first + 6 * DAY_MS, 'UTC')];
  const month = to.slice(to.lastIndexOf(' '));
  return `${from.endsWith(month) ? from.slice(0, -month.length) : from} to ${to}`;
}

/** "November 2026", of `2026-11`. */
export const monthWords = (month: string): string =>
  new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    instantOf(`${month}-01`),
  );

/** "17": the day of a month, where its neighbours say which. What is no date stays as it is. */
export const shortDateWords = (date: string): string =>
  Number.isNaN(instantOf(date)) ? date : String(Number(date.slice(8)));
