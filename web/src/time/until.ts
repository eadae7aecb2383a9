import { dayOf, timeOf } from './words';

const DAY = 86_400_000;

/** Until when: "10:57" today, "Tue 09:03" within a week, else the date. */
export function untilWords(instant: number, now: number, zone: string): string {
  if (dayOf(instant, zone) === dayOf(now, zone) && Math.abs(instant - now) < DAY)
    return timeOf(instant, zone);
  if (Math.abs(instant - now) >= 6 * DAY) return dayOf(instant, zone);
  return `${dayOf(instant, zone).slice(0, 3)} ${timeOf(instant, zone)}`;
}

/** How late it is there, in minutes of the day. */
export function minuteIn(zone: string, instant: number): number {
  const [hour = 0, minute = 0] = timeOf(instant, zone).split(':').map(Number);
  return hour * 60 + minute;
}
